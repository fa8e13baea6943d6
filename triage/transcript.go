package triage

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"memctl/privacy"
)

const (
	// bytesPerMessage limits how much of the file is read for each message that is asked
	// for. It is many times the usual size of one, so that only odd files reach it.
	bytesPerMessage = 256 << 10
	// linesPerMessage limits how many lines are read for each message, since many lines
	// are not messages.
	linesPerMessage = 100
	// maxText bounds the text of all messages together; the oldest lose theirs.
	maxText = 1 << 20
)

// Transcript is the end of a conversation.
type Transcript struct {
	Activity
	Privacy  privacy.Report // the removed text
	lines    []string
	messages []Message // oldest first
}

// Activity counts the work of a session.
type Activity struct {
	ToolUses      int `json:"tool_uses"`
	DistinctTools int `json:"distinct_tools"`
	Exchanges     int `json:"exchanges"`
}

// Window says which part of a transcript counts.
type Window struct {
	Messages int // how many of the last messages
	// Since leaves out messages up to that time, if they have timestamps. The zero time
	// leaves out none.
	Since time.Time
	// Last is the time of the last message that was read before. If it is found, the messages up to it are left
	// out, and no others. The zero time is none.
	Last time.Time
	// Bytes bounds how much of the file is read, 0 for what that many messages may take.
	Bytes int64
}

// TranscriptFile is a client's transcript.
type TranscriptFile struct {
	In       io.ReaderAt
	Size     int64 // in bytes
	Messages Messages
	// LastAnswer is the last answer of the assistant, or "": clients write their transcripts
	// late.
	LastAnswer string
}

// Read reads the last messages of a transcript, from its end: the cost depends on their
// number, not on the size. All text goes through the filter.
func Read(src TranscriptFile, w Window, filter *privacy.Filter) (Transcript, error) {
	var t Transcript
	room := maxText
	err := src.backwards(w, func(m Message) bool {
		t.prepend(m.withoutAsk(), filter, &room)
		return true
	})
	if err != nil {
		return Transcript{}, err
	}
	slices.Reverse(t.messages)
	t.addAnswer(src.LastAnswer, filter, room)
	t.count()
	t.split()
	return t, nil
}

// backwards calls use for the last messages that count, the last one first, until it returns false. Old
// messages do not end the search: lines may be out of order.
func (src TranscriptFile) backwards(w Window, use func(Message) (more bool)) error {
	replaced := map[string]bool{} // the ids of whole messages that were read
	lines := newTail(src.In, src.Size, cmp.Or(w.Bytes, int64(w.Messages)*bytesPerMessage))
	counted := 0
	var skipped []Message // for Since
	for looked := 0; counted < w.Messages && looked < w.Messages*linesPerMessage; looked++ {
		line, tooLong, err := lines.previous()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		messages := []Message{{}} // a line that is too long counts
		if !tooLong {
			messages = src.Messages(line)
		}
		for _, m := range slices.Backward(messages) {
			at, known := m.at()
			switch {
			case m.Whole && replaced[m.ID]:
			case known && !w.Last.IsZero() && at.Equal(w.Last):
				for _, m := range skipped {
					if !use(m) {
						break
					}
				}
				return nil
			case known && !at.After(w.Since):
				skipped = append(skipped, m)
				counted++
			default:
				if !use(m) {
					return nil
				}
				counted++
			}
			replaced[m.ID] = m.Whole
		}
	}
	return nil
}

// Lines are the text of all messages, without code.
func (t *Transcript) Lines() []string { return t.lines }

// Messages is how many messages were read.
func (t *Transcript) Messages() int { return len(t.messages) }

// prepend adds the message before those that were read so far; Read reverses them. It
// filters the text before it cuts it, for a private section must not lose its end.
// Removed text counts like the rest, so that the work is bounded.
func (t *Transcript) prepend(m Message, filter *privacy.Filter, room *int) {
	if *room > 0 {
		report := m.filter(filter)
		t.Privacy.Add(report)
		*room = max(0, *room-max(0, report.OriginalLength-report.FilteredLength))
	}
	m.limit(room)
	t.messages = append(t.messages, m)
}

// addAnswer adds the last answer unless the transcript ends in it.
func (t *Transcript) addAnswer(answer string, filter *privacy.Filter, room int) {
	m := Message{FromAssistant: true, Exchange: true, Text: []string{strings.TrimSpace(answer)}}
	report := m.filter(filter)
	if answer := strings.TrimSpace(m.Text[0]); answer == "" || t.endsIn(answer) {
		return
	}
	t.Privacy.Add(report)
	m.limit(&room)
	t.messages = append(t.messages, m)
}

// endsIn reports whether what the assistant said since the user's last words ends in
// an answer.
func (t *Transcript) endsIn(answer string) bool {
	var answers []string
	for _, m := range t.messages {
		switch {
		case m.FromUser:
			answers = nil
		case m.FromAssistant:
			answers = append(answers, m.Text...)
		}
	}
	return strings.HasSuffix(strings.TrimSpace(strings.Join(answers, "\n")), answer)
}

func (t *Transcript) count() {
	var work Work
	for _, m := range t.messages {
		work.add(m)
	}
	t.Activity = work.Activity
}

// split splits the text of all messages, without code, into lines.
func (t *Transcript) split() {
	var parts []string
	for _, m := range t.messages {
		parts = append(parts, m.Text...)
	}
	t.lines = strings.Split(withoutCode(strings.Join(parts, "\n")), "\n")
}

// withoutCode removes fenced code, then code between single backticks.
func withoutCode(s string) string { return withoutInlineCode(withoutFencedCode(s)) }

func withoutFencedCode(s string) string {
	const fence = "```"
	var out strings.Builder
	parts := strings.Split(s, fence)
	for i, part := range parts {
		switch {
		case i%2 == 0:
			out.WriteString(part)
		case i == len(parts)-1: // never closed
			out.WriteString(fence + part)
		}
	}
	return out.String()
}

func withoutInlineCode(s string) string {
	var out strings.Builder
	for {
		before, rest, _ := strings.Cut(s, "`")
		code, after, closed := strings.Cut(rest, "`")
		switch {
		case !closed:
			out.WriteString(s)
			return out.String()
		case code == "": // the second backtick may open
			out.WriteString(before + "`")
			s = rest
		default:
			out.WriteString(before)
			s = after
		}
	}
}

const (
	// chunk is the least that is read at once.
	chunk = 16 << 10
	// maxLine is the longest line that is read. Longer ones, mostly results of tools,
	// count as messages without text.
	maxLine = 2 << 20
)

// tail reads the lines of a file from its end. It holds little more than maxLine in
// memory.
type tail struct {
	in     io.ReaderAt
	offset int64 // where unread begins in the file
	floor  int64 // nothing before it is read
	unread []byte
	done   bool
}

// newTail reads at most budget bytes of a file of that size.
func newTail(in io.ReaderAt, size, budget int64) *tail {
	return &tail{in: in, offset: size, floor: max(0, size-budget)}
}

// previous returns the line before the one it returned last, without its line feed.
// A line longer than maxLine is tooLong and not returned. The error is io.EOF after
// the first line.
func (t *tail) previous() (line []byte, tooLong bool, err error) {
	for !t.done {
		end := bytes.LastIndexByte(t.unread, '\n')
		if line = t.unread[end+1:]; len(line) > maxLine {
			line, tooLong = nil, true
			t.unread = t.unread[:end+1]
		}
		if end >= 0 {
			t.unread = t.unread[:end]
			return line, tooLong, nil
		}
		if t.offset == t.floor {
			t.done = true
			if t.floor > 0 {
				break // the line's beginning is not to be read
			}
			return line, tooLong, nil
		}
		if err := t.read(); err != nil {
			return nil, false, err
		}
	}
	return nil, false, io.EOF
}

// read puts the bytes before the unread ones in front of them. It reads more for
// longer lines, so that the copies of a line cost no more than twice its length.
func (t *tail) read() error {
	n := min(max(chunk, len(t.unread)), int(t.offset-t.floor))
	data := make([]byte, n, n+len(t.unread))
	switch got, err := t.in.ReadAt(data, t.offset-int64(n)); {
	case got == n:
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF // the file has just become shorter
	default:
		return err
	}
	t.offset -= int64(n)
	t.unread = append(data, t.unread...)
	return nil
}
