package observe

import (
	"strings"
	"unicode/utf8"

	"memctl/text"
)

const (
	// maxLines and maxText bound what is kept of a text, in lines and code points.
	maxLines = 100
	maxText  = 10_000
	// maxFetched is how much of a web page is kept.
	maxFetched = 500
	// maxField bounds each string of a tool's input.
	maxField = 2000
	// maxName bounds a name from outside: of a session, a tool, a prompt.
	maxName = 200
	// window is how many bytes of a text are looked at at all. Of a longer one the
	// end is not known, so nothing is kept of it.
	window = 256 << 10
)

const truncated = "...[TRUNCATED]..."

// limited keeps the beginning and the end of a text.
func limited(s string, most int) string {
	lines := strings.SplitAfter(s, "\n")
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	if n := len(lines); n > maxLines {
		head, tail := strings.Join(lines[:maxLines/2], ""), strings.Join(lines[n-maxLines/2:], "")
		if fits(head+tail, most-len(truncated)-1) {
			return head + truncated + "\n" + tail
		}
		// Long lines: of each half its outer part.
		return around(head, tail, most)
	}
	if fits(s, most) {
		return s
	}
	return around(s, s, most)
}

func fits(s string, most int) bool {
	return len(s) <= most || utf8.RuneCountInString(s) <= most
}

// around keeps the beginning of one text and the end of another.
func around(head, tail string, most int) string {
	each := (most - len(truncated) - 2) / 2
	return text.Truncate(head, each) + "\n" + truncated + "\n" + lastRunes(tail, each)
}

// head keeps the beginning alone.
func head(s string, most int) string {
	s = text.Truncate(s, most-len(truncated)-1)
	lines := strings.SplitAfterN(s, "\n", maxLines+1)
	if len(lines) > maxLines {
		s = strings.Join(lines[:maxLines], "")
	}
	return strings.TrimSuffix(s, "\n") + "\n" + truncated
}

func lastRunes(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// clip cuts what is looked at, after a whole line if there is one near: a secret
// must not be halved past recognition.
func clip(s string) (string, bool) {
	if len(s) <= window {
		return s, false
	}
	s = s[:window]
	if line := strings.LastIndexByte(s, '\n'); line > window/2 {
		return s[:line+1], true
	}
	return s[:strings.LastIndexFunc(s, func(r rune) bool { return r != utf8.RuneError })+1], true
}

// countLines counts as an editor does: the last line may lack its line feed.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}
