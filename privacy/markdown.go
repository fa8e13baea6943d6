package privacy

import "strings"

// markdown finds the code in a Markdown text: fenced blocks, and inline code on one
// line. An unclosed mark starts no code.
type markdown struct {
	text       string
	fences     []fence // those that are not passed
	backtick   int     // the first one at or after the last place that was looked at
	start, end int     // of the code found last
}

// fence is a line that opens or closes a block.
type fence struct {
	start, end int
	marker     string // such as "```"
	bare       bool   // nothing follows the marker, so the line may close a block
	closed     bool   // a later line may close it
}

// maxBackticks is the longest run of backticks that opens inline code.
const maxBackticks = 32

func newMarkdown(s string) *markdown {
	m := &markdown{text: s, backtick: -1, start: -1}
	at := 0
	for line := range strings.SplitSeq(s, "\n") {
		if f, ok := parseFence(line); ok {
			f.start, f.end = at, at+len(line)
			m.fences = append(m.fences, f)
		}
		at += len(line) + 1
	}
	longest := map[byte]string{} // of the bare markers that follow
	for i := len(m.fences) - 1; i >= 0; i-- {
		f := &m.fences[i]
		char := f.marker[0]
		f.closed = strings.HasPrefix(longest[char], f.marker)
		if f.bare && len(f.marker) > len(longest[char]) {
			longest[char] = f.marker
		}
	}
	return m
}

// parseFence accepts any indentation, since lists hold blocks too.
func parseFence(line string) (f fence, ok bool) {
	line = strings.TrimLeft(line, " \t")
	rest := strings.TrimLeft(line, "`")
	if len(rest) == len(line) {
		rest = strings.TrimLeft(line, "~")
	}
	f.marker = line[:len(line)-len(rest)]
	f.bare = isBlankText(rest)
	return f, len(f.marker) >= 3 && (f.marker[0] == '~' || !strings.Contains(rest, "`"))
}

// closes reports whether a fence closes the block that another one opens.
func (f fence) closes(open fence) bool { return f.bare && strings.HasPrefix(f.marker, open.marker) }

// next returns the first code that starts at or after an index, the text's end twice
// if there is none. The index only grows from call to call.
func (m *markdown) next(from int) (start, end int) {
	if m.start < from {
		m.start, m.end = m.find(from)
	}
	return m.start, m.end
}

func (m *markdown) find(from int) (start, end int) {
	for {
		for len(m.fences) > 0 && m.fences[0].start < from {
			m.fences = m.fences[1:]
		}
		if m.backtick < from {
			m.backtick = indexFrom(m.text, min(from, len(m.text)), "`")
		}
		switch {
		case len(m.fences) > 0 && m.fences[0].start <= m.backtick:
			open := m.fences[0]
			if open.closed {
				return open.start, m.blockEnd(open)
			}
			m.fences = m.fences[1:]
			from = open.end
		case m.backtick == len(m.text):
			return m.backtick, m.backtick
		default:
			open := m.backtick
			from = skip(m.text, open, "`")
			if end, ok := m.inlineEnd(from, from-open); ok {
				return open, end
			}
		}
	}
}

// blockEnd returns the end of the block that the next fence opens, which is closed.
func (m *markdown) blockEnd(open fence) int {
	for m.fences = m.fences[1:]; !m.fences[0].closes(open); {
		m.fences = m.fences[1:]
	}
	return m.fences[0].end
}

// inlineEnd returns the end of the inline code that begins after n backticks: the
// same number of them closes it.
func (m *markdown) inlineEnd(at, n int) (end int, ok bool) {
	if n > maxBackticks {
		return 0, false
	}
	for {
		i := strings.IndexAny(m.text[at:], "`\n")
		if i < 0 || m.text[at+i] == '\n' {
			return 0, false
		}
		end = skip(m.text, at+i, "`")
		if end-at-i == n {
			return end, true
		}
		at = end
	}
}
