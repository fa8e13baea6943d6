package triage

import (
	"strings"
	"time"

	"memctl/privacy"
)

// Message is a part of a conversation as triage counts it. Package clients makes
// messages of the lines of a client's transcript.
type Message struct {
	ID        string // shared by the parts of one answer
	Timestamp string // RFC 3339, "" if unknown
	// Whole says that the last message with this ID replaces those before it.
	Whole         bool
	FromUser      bool // what the user typed
	FromAssistant bool
	Exchange      bool     // it counts as one
	Tools         []string // the names of the tools used, "" for one without a name
	Text          []string
	Uses          []Use    // what the tools were given; only for whole sessions
	Printed       []string // what tools printed
}

// Use is what a tool was given: a file, a command or what it looked for, each "" for none.
type Use struct{ Tool, File, Command string }

// Messages reads a line of a transcript. Most lines are one message; a line that is no
// part of the conversation is none.
type Messages func(line []byte) []Message

// withoutAsk returns the message without its text if that is memctl's own question, which
// some clients keep as words of the user.
func (m Message) withoutAsk() Message {
	if m.FromUser && IsAsk(m.Text[0]) {
		return Message{ID: m.ID, Timestamp: m.Timestamp}
	}
	return m
}

// saidBy reports whether the message was said at a time or before.
func (m Message) saidBy(then time.Time) bool {
	at, err := time.Parse(time.RFC3339, m.Timestamp)
	return err == nil && !at.After(then)
}

// filter takes out what is private. It filters the parts of a message as one text,
// for a section may begin in one and end in another. Blank lines stay, for scores
// depend on distances in lines.
func (m *Message) filter(filter *privacy.Filter) privacy.Report {
	if len(m.Text) == 0 {
		return privacy.Report{}
	}
	text, report := filter.Lines(strings.Join(m.Text, "\n"))
	m.Text = []string{text}
	return report
}

// limit takes the text off the room that is left for text. Text that does not fit is
// cut after a whole line.
func (m *Message) limit(room *int) {
	for i, s := range m.Text {
		if len(s) > *room {
			s = s[:strings.LastIndexByte(s[:*room], '\n')+1]
			m.Text[i] = s
		}
		*room -= len(s)
	}
}
