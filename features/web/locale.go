package web

import (
	"fmt"
	"html/template"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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
	shown := local.Format("15:04")
	switch {
	case form == justDay:
		shown = dayText(lang, local, now)
	case form == dayAndClock && lang == "ko":
		shown = dayText(lang, local, now) + " " + shown
	case form == dayAndClock:
		shown = dayText(lang, local, now) + ", " + shown
	}
	return template.HTML(fmt.Sprintf(`<time datetime="%s">%s</time>`, exact, shown))
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
	digits := strconv.FormatInt(int64(n), 10)
	sign := digits[:len(digits)-len(strings.TrimPrefix(digits, "-"))]
	digits = digits[len(sign):]
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// inFigures returns the arguments of a format, whole numbers among them as figures.
func inFigures(args []any) []any {
	figures := make([]any, len(args))
	for i, arg := range args {
		switch n := arg.(type) {
		case int:
			figures[i] = figure(n)
		case int64:
			figures[i] = figure(n)
		default:
			figures[i] = arg
		}
	}
	return figures
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

// particle matches a Korean particle in both of its forms, after a word that is not known before: 파일을(를).
var particle = text.Pattern("(\\pL+|\\pN+|[^\\s])([\"'”’»`)\\]]*)(을\\(를\\)|은\\(는\\)|이\\(가\\)|과\\(와\\)|\\(으\\)로)")

// forms are those of each particle: after a final consonant, and after none.
var forms = map[string][2]string{"을(를)": {"을", "를"}, "은(는)": {"은", "는"}, "이(가)": {"이", "가"},
	"과(와)": {"과", "와"}, "(으)로": {"으로", "로"}}

// withParticles chooses the form of each particle by the sound before it.
func withParticles(s string) string {
	if !strings.ContainsAny(s, "(") {
		return s
	}
	return particle().ReplaceAllStringFunc(s, func(found string) string {
		part := particle().FindStringSubmatch(found)
		form := forms[part[3]]
		if end := final(part[1]); end == 0 || end == 'ㄹ' && part[3] == "(으)로" {
			return part[1] + part[2] + form[1]
		}
		return part[1] + part[2] + form[0]
	})
}

// final is the consonant with which a word ends as a Korean says it: 'ㄹ', 'x' for any other, 0 for none.
func final(word string) rune {
	if n := len(word) - 2; n > 0 && word[n+1] == 'e' && strings.ContainsRune("lmn", rune(word[n])) { // 룰, 네임, 라인
		word = word[:n+1]
	}
	last, width := utf8.DecodeLastRuneInString(word)
	before, _ := utf8.DecodeLastRuneInString(word[:len(word)-width])
	lower := unicode.ToLower(last)
	switch {
	case last >= '가' && last <= '힣':
		switch (last - '가') % 28 {
		case 0:
			return 0
		case 8:
			return 'ㄹ'
		}
		return 'x'
	case strings.ContainsRune("178lL", last), last == 'R' && word == strings.ToUpper(word): // 일, 칠, 팔; 엘, 알
		return 'ㄹ'
	case strings.ContainsRune("036mnMN", last), strings.HasSuffix(word, "ng"): // 영, 삼, 육; 엠, 엔
		return 'x'
	case last == lower && strings.ContainsRune("bckpt", lower) && strings.ContainsRune("aeiou", before): // 깃, 훅
		return 'x'
	}
	return 0
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

// translateHTML is translate for arguments that may be rendered already.
func translateHTML(lang, key string, args ...any) any {
	rendered := false
	plain := make([]any, len(args))
	for i, arg := range args {
		plain[i] = arg
		switch arg := arg.(type) {
		case template.HTML:
			rendered = true
		case string:
			plain[i] = template.HTMLEscapeString(arg)
		}
	}
	if !rendered {
		return translate(lang, key, args...)
	}
	return template.HTML(translate(lang, key, plain...)) // the tables have no markup
}
