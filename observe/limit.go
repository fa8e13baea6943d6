package observe

import (
	"strings"
	"unicode/utf8"

	"memctl/text"
)

const (
	// maxLines and maxText limit what is kept of a text, in lines and code points.
	maxLines = 100
	maxText  = 10_000
	// maxFetched is how many code points of a web page are kept.
	maxFetched = 500
	// maxField limits each string of a tool's input, in code points.
	maxField = 2000
	// maxName limits a name from a client, of a session, tool or prompt.
	maxName = 200
	// window is how many bytes of a text are examined. The end of a longer one is
	// not, so nothing of it is kept.
	window = 256 << 10
)

const truncated = "...[TRUNCATED]..."

// limited keeps the beginning and the end of a text, most code points in all.
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
		// The lines are long: keep the outer part of each half.
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

// head keeps only the beginning.
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

// clip cuts a text to the window, after a whole line if possible: a secret must not
// be cut beyond recognition. It reports whether there was more.
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

// countLines counts as an editor does: the last line may lack a line feed.
func countLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}
