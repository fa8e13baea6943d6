package triage

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"memctl/privacy"
	"memctl/text"
)

// Turn is one prompt and the agent's response.
type Turn struct {
	Number int       // of the person's prompts, from 1
	Person string    // the prompt
	Agent  string    // its text after its last tool
	At     time.Time // when it was typed, zero if unknown
	Tools  int       // how many were used
	Files  []string  // that tools changed, as the agent named them
	Saved  bool      // the agent saved a memory with memctl's tool
	CutOff bool      // the agent did not come to its answer; only for the last turn
	Work   Work
	// Privacy reports the text that was removed.
	Privacy privacy.Report
}

const (
	// mostAtStop is how many messages are read at a stop.
	mostAtStop = 400
	// mostAtFirst is how many are read of a session that was not looked at before, once they hold a prompt.
	mostAtFirst = 50
)

// Turns returns the turns of a whole session, and when it ended, zero if no message has a time.
// All text goes through the filter.
func Turns(messages []Message, filter *privacy.Filter) ([]Turn, time.Time) {
	turns, read := turnsOf(Latest(messages), TranscriptFile{}, Reading{}, 1, filter)
	return turns, read.Read
}

// Latest leaves out the messages that a later one replaces.
func Latest(messages []Message) []Message {
	seen := map[string]bool{}
	var latest []Message
	for _, m := range slices.Backward(messages) {
		if !m.Whole || !seen[m.ID] {
			latest = append(latest, m)
		}
		seen[m.ID] = m.Whole
	}
	slices.Reverse(latest)
	return latest
}

// Reading is how far a transcript has been read.
type Reading struct {
	Read time.Time `json:"read"` // the latest time of a message that was read
	// Last is the time of the last line that was read. Lines after it are new, even if the clock went back meanwhile.
	Last time.Time `json:"last"`
}

// ReadTurns reads the turns of a transcript that began since it was read last, oldest first, and how far
// it has been read now. first is the number of the first of them; messages without a time are
// told from those that were read before by it. All text goes through the filter.
func ReadTurns(src TranscriptFile, since Reading, first int, filter *privacy.Filter) ([]Turn, Reading, error) {
	var messages []Message
	prompts := 0
	err := src.backwards(Window{Messages: mostAtStop, Since: since.Read, Last: since.Last},
		func(m Message) (more bool) {
			if messages = append(messages, m); m.FromUser && !IsAsk(m.Text[0]) {
				prompts++
			}
			return !since.Read.IsZero() || prompts == 0 || len(messages) < mostAtFirst
		})
	if err != nil {
		return nil, since, err
	}
	slices.Reverse(messages)
	turns, read := turnsOf(messages, src, since, first, filter)
	return turns, read, nil
}

// turnsOf divides messages into turns. Those that were said up to a time were read before.
func turnsOf(
	messages []Message, src TranscriptFile, since Reading, first int, filter *privacy.Filter,
) (turns []Turn, read Reading) {
	read = since
	timed := false
	asked := false  // the agent answers memctl
	worked := false // the agent used tools since it spoke last
	for _, m := range messages {
		if at, known := m.at(); known {
			timed, read.Last = true, at
			if at.After(read.Read) {
				read.Read = at
			}
		}
		if m.FromUser && IsAsk(m.Text[0]) {
			asked = true
			continue
		}
		if m.FromUser {
			asked = false
			at, _ := m.at()
			turns, worked = append(turns, Turn{Person: strings.Join(m.Text, "\n"), At: at}), false
		}
		if len(turns) == 0 {
			continue // the end of a turn that was read before
		}
		t := &turns[len(turns)-1]
		t.Saved = t.Saved || slices.ContainsFunc(m.Tools, isSave)
		if message := strings.TrimSpace(strings.Join(m.Text, "\n")); m.FromAssistant && message != "" && !asked {
			if worked {
				t.Agent = ""
			}
			t.Agent, worked = strings.TrimSpace(t.Agent+"\n\n"+message), false
		}
		t.Tools += len(m.Tools)
		for _, use := range m.Uses {
			if use.File != "" && writes().MatchString(use.Tool) {
				t.Files = append(t.Files, use.File)
			}
		}
		t.Work.add(m)
		worked = worked || !asked && slices.ContainsFunc(m.Tools, isWork)
	}
	if n := len(turns); n > 0 && src.LastAnswer != "" {
		turns[n-1].Agent = src.LastAnswer
	} else if n > 0 {
		turns[n-1].CutOff = worked || turns[n-1].Agent == ""
	}
	if !timed && first > 1 {
		turns = turns[min(first-1, len(turns)):]
	}
	for i := range turns {
		t := &turns[i]
		t.Number = first + i
		person, ofPerson := filter.Prompt().Lines(t.Person)
		agent, ofAgent := filter.Lines(t.Agent)
		t.Privacy.Add(ofPerson)
		t.Privacy.Add(ofAgent)
		t.Person, t.Agent = text.Own(person), text.Prose(agent)
	}
	return turns, read
}

// writes matches the names of tools that change files.
var writes = text.Pattern(`(?i)edit|write|patch|create|replace|insert`)

const (
	// mostOfLast is how many messages are read of a session that is over, and enoughOfLast how many once they hold a
	// prompt.
	mostOfLast   = 1000
	enoughOfLast = 100
	// maxOfLast bounds how much of it is read, in bytes.
	maxOfLast = 1 << 20
)

// LastTurns reads the last turns of a session that is over, at most those of mostOfLast messages, oldest first.
func LastTurns(src TranscriptFile, filter *privacy.Filter) ([]Turn, error) {
	var messages []Message
	prompts := 0
	err := src.backwards(Window{Messages: mostOfLast, Bytes: maxOfLast}, func(m Message) (more bool) {
		if messages = append(messages, m); m.FromUser && !IsAsk(m.Text[0]) {
			prompts++
		}
		return prompts == 0 || len(messages) < enoughOfLast
	})
	slices.Reverse(messages)
	turns, _ := turnsOf(messages, src, Reading{}, 1, filter)
	return turns, err
}

// IsInterruption reports whether a client says in the place of the user that the agent was interrupted.
func IsInterruption(prompt string) bool { return strings.HasPrefix(prompt, "[Request interrupted") }

// maxHead is how much of a transcript is read for its first prompt, in bytes.
const maxHead = 128 << 10

// FirstPrompt returns the first words of the user in a transcript, "" if they are not near its beginning.
func FirstPrompt(src TranscriptFile, filter *privacy.Filter) string {
	data := make([]byte, min(src.Size, maxHead))
	n, _ := src.In.ReadAt(data, 0)
	for line := range bytes.Lines(data[:n]) {
		for _, m := range src.Messages(line) {
			if m.FromUser && !IsAsk(m.Text[0]) {
				prompt, _ := filter.Prompt().Lines(strings.Join(m.Text, "\n"))
				if own := text.Own(prompt); own != "" && !IsInterruption(own) {
					return own
				}
			}
		}
	}
	return ""
}

// isWork reports whether a tool is neither memctl's nor the one that loads it: these do not end an answer.
func isWork(tool string) bool { return !strings.Contains(tool, "memctl") && tool != "ToolSearch" }

// isSave reports whether a tool is the one that saves memories, by whatever name a client gives it.
func isSave(tool string) bool {
	return strings.Contains(tool, "memctl") && strings.HasSuffix(tool, "save")
}

// asks reports whether the agent's last words are a question to the person.
func (t Turn) asks() bool {
	message := strings.TrimRight(t.Agent, "*_`) \n")
	return strings.HasSuffix(message, "?") || strings.HasSuffix(message, "？")
}

// Message is a part of a conversation as triage counts it. Package clients makes
// messages of the lines of a client's transcript.
type Message struct {
	ID        string // shared by the parts of one answer
	Timestamp string // RFC 3339, "" if unknown
	// Whole says that the last message with this ID replaces those before it.
	Whole         bool
	FromUser      bool // typed by the user
	FromAssistant bool
	Exchange      bool     // it counts as one
	Tools         []string // the names of the tools used, "" for one without a name
	Text          []string
	Uses          []Use    // the inputs of tools; only for whole sessions
	Printed       []string // the output of tools
}

// Use is the input of a tool: a file, a command or what it looked for, each "" for none.
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

// at returns when the message was said, if that is known.
func (m Message) at() (at time.Time, known bool) {
	at, err := time.Parse(time.RFC3339, m.Timestamp)
	return at, err == nil
}

// filter removes private text. It filters the parts of a message as one text,
// for a section may begin in one and end in another. Blank lines stay, for scores
// depend on distances in lines.
func (m *Message) filter(filter *privacy.Filter) privacy.Report {
	if len(m.Text) == 0 {
		return privacy.Report{}
	}
	if m.FromUser {
		filter = filter.Prompt()
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
