package triage

import (
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"memctl/privacy"
)

const (
	// budget is how many bytes are read for each message that is asked for: many
	// times what one takes, so that only odd files reach it.
	budget = 256 << 10
	// linesEach is how many lines are looked at for each message, for those that are
	// none.
	linesEach = 100
	// maxText bounds the text of all messages together; the oldest lose theirs.
	maxText = 1 << 20
)

// Transcript is the end of a conversation.
type Transcript struct {
	Activity
	Privacy  privacy.Report // what was taken out of the text
	lines    []string
	messages []message // oldest first
}

// Activity is what was done, by numbers.
type Activity struct {
	ToolUses      int `json:"tool_uses"`
	DistinctTools int `json:"distinct_tools"`
	Exchanges     int `json:"exchanges"`
}

// Window says which part of a transcript counts.
type Window struct {
	Messages int // the last so many
	// Since leaves out what was said until then, as far as lines tell when; zero
	// for nothing.
	Since time.Time
}

// Read reads the last messages of a transcript of that size, from its end: what
// it costs depends on their number. Lines that are no JSON objects are passed
// over. lastAnswer is what the assistant said last, "" if nobody knows: clients
// write their transcripts late. All text goes through the filter.
func Read(in io.ReaderAt, size int64, w Window, lastAnswer string, filter *privacy.Filter) (Transcript, error) {
	var t Transcript
	lines := newTail(in, size, int64(w.Messages)*budget)
	room := maxText
	// Lines may be written in another order than they were said: a few old ones do
	// not end it.
	old := 0
	for looked := 0; len(t.messages)+old < w.Messages && looked < w.Messages*linesEach; looked++ {
		data, tooLong, err := lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return Transcript{}, err
		}
		m, counts := message{}, true
		if !tooLong {
			m, counts = decodeLine(data)
		}
		switch {
		case counts && m.saidBy(w.Since):
			old++
		case counts:
			t.take(&m, filter, &room)
			t.messages = append(t.messages, m)
		}
	}
	slices.Reverse(t.messages)
	answer := message{answered: true, exchange: true, text: []string{strings.TrimSpace(lastAnswer)}}
	report := answer.filter(filter)
	if said := strings.TrimSpace(answer.text[0]); said != "" && !t.answersWith(said) {
		t.Privacy.Add(report)
		answer.bound(&room)
		t.messages = append(t.messages, answer)
	}
	t.count()
	t.split()
	return t, nil
}

// Messages is how many messages were read.
func (t *Transcript) Messages() int { return len(t.messages) }

// take filters a message's text before it is cut: what is private must not lose
// its end. What is taken out counts like what stays, so that the work is bounded.
func (t *Transcript) take(m *message, filter *privacy.Filter, room *int) {
	if *room > 0 {
		report := m.filter(filter)
		t.Privacy.Add(report)
		*room = max(0, *room-max(0, report.OriginalLength-report.FilteredLength))
	}
	m.bound(room)
}

// filter is the one way that words of the transcript take on to scores, snippets
// and context files; blank lines stay, for the distances of lines count. The parts
// of a message are filtered as one text: a private section may begin in one and end
// in another.
func (m *message) filter(filter *privacy.Filter) privacy.Report {
	if len(m.text) == 0 {
		return privacy.Report{}
	}
	text, report := filter.Lines(strings.Join(m.text, "\n"))
	m.text = []string{text}
	return report
}

// bound takes the message's text off the room, and cuts it where there is none
// left: after a whole line.
func (m *message) bound(room *int) {
	for i, s := range m.text {
		if len(s) > *room {
			s = s[:strings.LastIndexByte(s[:*room], '\n')+1]
			m.text[i] = strings.Clone(s)
		}
		*room -= len(s)
	}
}

// answersWith tells whether what the assistant said since the user's last words
// ends in an answer.
func (t *Transcript) answersWith(answer string) bool {
	var said []string
	for _, m := range t.messages {
		switch {
		case m.typed:
			said = nil
		case m.answered:
			said = append(said, m.text...)
		}
	}
	return strings.HasSuffix(strings.TrimSpace(strings.Join(said, "\n")), answer)
}

func (t *Transcript) count() {
	distinct := map[string]bool{}
	answer := "" // the one counted last: its parts stand on lines of their own
	for _, m := range t.messages {
		t.ToolUses += len(m.tools)
		for _, name := range m.tools {
			if name != "" {
				distinct[name] = true
			}
		}
		if m.exchange && (m.id == "" || m.id != answer) {
			t.Exchanges++
			answer = m.id
		}
	}
	t.DistinctTools = len(distinct)
}

// split makes lines of the text of all messages, without code.
func (t *Transcript) split() {
	var parts []string
	for _, m := range t.messages {
		parts = append(parts, m.text...)
	}
	t.lines = strings.Split(withoutCode(strings.Join(parts, "\n")), "\n")
}

// withoutCode removes fenced code, then code between single backticks.
func withoutCode(s string) string { return withoutInline(withoutFenced(s)) }

func withoutFenced(s string) string {
	const fence = "```"
	var kept strings.Builder
	for {
		before, rest, opened := strings.Cut(s, fence)
		_, after, closed := strings.Cut(rest, fence)
		if !opened || !closed {
			return rejoined(&kept, s)
		}
		kept.WriteString(before)
		s = after
	}
}

func withoutInline(s string) string {
	var kept strings.Builder
	for {
		before, rest, opened := strings.Cut(s, "`")
		code, after, closed := strings.Cut(rest, "`")
		switch {
		case !opened || !closed:
			return rejoined(&kept, s)
		case code == "": // the second one may open
			kept.WriteString(before + "`")
			s = rest
		default:
			kept.WriteString(before)
			s = after
		}
	}
}

// rejoined returns what was kept and the rest, without a copy of a text of which
// nothing was removed.
func rejoined(kept *strings.Builder, rest string) string {
	if kept.Len() == 0 {
		return rest
	}
	kept.WriteString(rest)
	return kept.String()
}
