package sessions

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/db"
	"memctl/files"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"
)

// Bounds of what is kept of a session, in bytes.
const (
	maxSide   = 32 << 10 // of one side of a turn
	maxTools  = 8 << 10  // of what tools were given and printed in a turn
	maxFiles  = 200      // files of a session
	maxPrompt = 200      // code points of the first prompt in a list
)

// reading reads the turns of a transcript from its beginning, or from that of a turn.
type reading struct {
	filter filters
	head   clients.Head
	use    func(turn) error
	stop   func() error // says why reading is to stop, nil if it is not

	current  turn
	messages []triage.Message
	asked    bool // what is said answers memctl's own question
	lines    int  // that hold anything
	talked   bool // some line was a part of a conversation
	tooLong  []int
	line     int
}

// turn is a prompt with all that followed it.
type turn struct {
	db.Passage
	at    int64  // where its first line begins
	mark  string // a hash of that line
	files []string
}

// read reads a transcript from where in begins, at an offset. Turns are numbered from first on.
func (r *reading) read(c *clients.Client, in io.Reader, offset int64, first int) (err error) {
	r.current.Turn = first - 1
	_, err = c.ReadLines(in, func(l clients.Line) error {
		if err := r.stop(); err != nil {
			return err
		}
		r.line++
		if l.Data == nil {
			r.tooLong = append(r.tooLong, r.line)
			return nil
		}
		if len(l.Data) > 0 {
			r.lines++
		}
		if !r.head.Complete() {
			r.head.Add(l.Data)
		}
		for _, m := range l.Messages {
			r.talked = r.talked || m.Exchange || len(m.Tools) > 0
			if err := r.add(m, offset+l.At, l.Data); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = r.end()
	}
	return err
}

func (r *reading) add(m triage.Message, at int64, line []byte) error {
	if m.FromUser {
		if r.asked = triage.IsAsk(m.Text[0]); !r.asked {
			if err := r.end(); err != nil {
				return err
			}
			r.current = turn{Passage: db.Passage{Turn: r.current.Turn + 1, At: timeOf(m.Timestamp)}, at: at,
				mark: markOf(line)}
		}
	}
	if !r.asked {
		r.messages = append(r.messages, m)
	}
	return nil
}

// end completes the current turn and passes it on, unless nothing was said in it.
func (r *reading) end() error {
	t := &r.current
	messages := triage.Latest(r.messages)
	r.messages = r.messages[:0]
	var prompt, answer, tools []string
	for _, m := range messages {
		switch {
		case m.FromUser:
			prompt = append(prompt, m.Text...)
		case m.FromAssistant:
			answer = append(answer, m.Text...)
		}
		for _, u := range m.Uses {
			// Filtered before its lines are joined or cut: a secret may be broken over lines.
			tools = append(tools, strings.Join(strings.Fields(r.filter.lines(u.Tool+" "+u.File+" "+u.Command)), " "))
			if u.File != "" && len(t.files) < maxFiles {
				t.files = append(t.files, r.shown(u.File))
			}
		}
		for _, printed := range m.Printed {
			tools = append(tools, ends(r.filter.lines(printed)))
		}
	}
	if t.Turn == 0 && len(prompt) == 0 {
		if len(answer) == 0 {
			return nil
		}
		t.Turn = 1 // the beginning is missing
	}
	t.Prompt = excerpt(r.filter.prompt(strings.Join(prompt, "\n")), maxSide)
	t.Answer = excerpt(r.filter.lines(strings.Join(answer, "\n\n")), maxSide)
	t.Tools = excerpt(r.filter.lines(strings.Join(tools, "\n")), maxTools)
	if t.Prompt+t.Answer+t.Tools == "" {
		return nil
	}
	t.Hash = text.Hash(t.Prompt+"\x00"+t.Answer+"\x00"+t.Tools, 16)
	return r.use(*t)
}

// timeOf returns a time as a client writes it, "" for anything else.
func timeOf(stamp string) string {
	if _, ok := schemas.ParseTime(stamp); !ok {
		return ""
	}
	return stamp
}

// excerpt cuts a text. It was filtered before, for a private section must not lose its end.
func excerpt(s string, most int) string {
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most*3/4], "") + "\n…\n" + strings.ToValidUTF8(s[len(s)-most/4:], "")
	}
	return strings.TrimSpace(s)
}

// shown names a file relative to where the session ran.
func (r *reading) shown(file string) string {
	if rel, err := filepath.Rel(r.head.Folder, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	return text.OneLine(r.filter.lines(filepath.ToSlash(file)), maxPrompt)
}

// ends returns the first and the last lines of what a tool printed.
func ends(printed string) string {
	const first, last, long = 3, 3, 300 // lines, and code points of one
	lines := slices.DeleteFunc(strings.Split(printed, "\n"), func(line string) bool {
		return strings.TrimSpace(line) == ""
	})
	if len(lines) > first+last {
		lines = append(append(slices.Clone(lines[:first]), "…"), lines[len(lines)-last:]...)
	}
	for i := range lines {
		lines[i] = text.Truncate(lines[i], long)
	}
	return strings.Join(lines, "\n")
}

// markOf returns what tells a line from another one at its place.
func markOf(line []byte) string { return text.Hash(line, 8) }

// filtersOf returns the filters for what was said in a folder: the user's, then that of the
// memory root there, whose patterns may be a company's.
func filtersOf(user *privacy.Filter, folder string) filters {
	list := filters{user}
	if root, err := files.Find(files.Places{Cwd: folder}); folder != "" && err == nil {
		if cfg, _, err := root.Config(); err == nil {
			list = append(list, cfg.Privacy.Filter())
		}
	}
	return list
}

// filters are applied one after the other.
type filters []*privacy.Filter

func (list filters) lines(s string) string {
	for _, f := range list {
		s, _ = f.Lines(s)
	}
	return s
}

// prompt is lines for what a person typed.
func (list filters) prompt(s string) string {
	for _, f := range list {
		s, _ = f.Prompt().Lines(s)
	}
	return s
}
