package web

import (
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/schemas"
	"memctl/text"
)

const (
	justDay     = "day"
	dayAndClock = "when"
	justClock   = "clock"
)

// stamp renders a time in the person's time zone, in the words of a language. What is no time stays as it is. A day
// without a time is that day in every zone.
func stamp(lang, s, form string, now time.Time) template.HTML {
	at, ok := schemas.ParseTime(s)
	if !ok {
		return show(onLine(s))
	}
	exact, local := at.UTC().Format(time.RFC3339), at.Local()
	if len(s) == len(time.DateOnly) {
		exact, local, form = s, at, justDay
	}
	shown := dayText(lang, local, now)
	switch clock := local.Format("15:04"); {
	case form == justClock:
		shown = clock
	case form == dayAndClock:
		shown += map[bool]string{true: " ", false: ", "}[lang == "ko"] + clock
	}
	return template.HTML(fmt.Sprintf(`<time datetime="%s">%s</time>`, exact, shown))
}

// span renders two times, the second one without the day if that is the same.
func span(lang, from, until string) template.HTML {
	first, _ := schemas.ParseTime(from)
	last, _ := schemas.ParseTime(until)
	now := time.Now()
	if dayOf(first) == dayOf(last) {
		return stamp(lang, from, dayAndClock, now) + "–" + stamp(lang, until, justClock, now)
	}
	return stamp(lang, from, dayAndClock, now) + " – " + stamp(lang, until, dayAndClock, now)
}

func timed(lang string, at time.Time, form string) template.HTML {
	return stamp(lang, at.Format(time.RFC3339), form, time.Now())
}

// dayText names a day: one of the last thirty with its weekday, any other with its year. Words such as "today" would be
// wrong tomorrow, on a page that is still open.
func dayText(lang string, day, now time.Time) string {
	midnight := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) }
	ago := midnight(now.Local()).Sub(midnight(day))
	recent := 0 <= ago && ago < shownDays*24*time.Hour
	switch {
	case recent && lang == "ko":
		return day.Format("1월 2일 (") + string([]rune("일월화수목금토")[day.Weekday()]) + ")"
	case recent:
		return day.Format("Mon 2 Jan")
	case lang == "ko":
		return day.Format("2006년 1월 2일")
	}
	return day.Format("2 Jan 2006")
}

// plainDay is dayText of a date, for attributes and pictures.
func plainDay(lang, date string, now time.Time) string {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return date
	}
	return dayText(lang, day, now)
}

// figure is a number that is written with commas: both languages group by thousands.
type figure int64

// Format writes it for any verb of package fmt.
func (n figure) Format(out fmt.State, _ rune) { _, _ = io.WriteString(out, n.String()) }

func (n figure) String() string {
	digits, isNegative := strings.CutPrefix(strconv.FormatInt(int64(n), 10), "-")
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	if isNegative {
		return "-" + digits
	}
	return digits
}

// inFigures returns the arguments of a format, whole numbers among them as figures.
func inFigures(args []any) []any {
	args = slices.Clone(args)
	for i, arg := range args {
		switch n := arg.(type) {
		case int:
			args[i] = figure(n)
		case int64:
			args[i] = figure(n)
		}
	}
	return args
}

// size renders a number of bytes.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%d kB", n/1000)
	}
	return fmt.Sprintf("%s.%d MB", figure(n/1_000_000), n%1_000_000/100_000)
}

// englishWords matches two words in a row.
var englishWords = text.Pattern(`[A-Za-z]{2,}[,;:]? +[A-Za-z]{2,}`)

// spoken marks a text of another language than that of the page, for programs that read pages aloud. What is not Korean
// counts as English: most of it is, and no file says what it is.
func spoken(lang, plain string, shown template.HTML) template.HTML {
	own := "en"
	if strings.ContainsFunc(plain, isHangul) {
		own = "ko"
	}
	if own == lang || own == "en" && !englishWords().MatchString(plain) { // a name is a name in both
		return shown
	}
	return `<span lang="` + template.HTML(own) + `">` + shown + `</span>`
}

// translateHTML is translate for arguments of which some are rendered already. The tables have no markup.
func translateHTML(lang, key string, args ...any) template.HTML {
	for i, arg := range args {
		if plain, ok := arg.(string); ok {
			args[i] = template.HTMLEscapeString(plain)
		}
	}
	return template.HTML(translate(lang, key, args...))
}

func brief(lang, s string) template.HTML { return spoken(lang, s, show(text.OneLine(s, maxBrief))) }
