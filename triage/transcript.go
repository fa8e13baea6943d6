package triage

import (
	"errors"
	"io"
	"slices"
	"strings"
	"time"
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
// write their transcripts late.
func Read(in io.ReaderAt, size int64, w Window, lastAnswer string) (Transcript, error) {
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
			m.bound(&room)
			t.messages = append(t.messages, m)
		}
	}
	slices.Reverse(t.messages)
	if lastAnswer = strings.TrimSpace(lastAnswer); lastAnswer != "" && !t.answersWith(lastAnswer) {
		m := message{answered: true, exchange: true, text: []string{lastAnswer}}
		m.bound(&room)
		t.messages = append(t.messages, m)
	}
	t.count()
	t.split()
	return t, nil
}

// Messages is how many messages were read.
func (t *Transcript) Messages() int { return len(t.messages) }

// bound takes the message's text off the room, and cuts it where there is none
// left: after a whole line, so that no secret is halved past recognition.
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
		for _, s := range m.text {
			parts = append(parts, filtered(s))
		}
	}
	t.lines = strings.Split(withoutCode(strings.Join(parts, "\n")), "\n")
}

// filtered is the one way that words of the transcript take on to scores,
// snippets and context files: what must stay private is taken out here.
func filtered(s string) string { return s }

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
