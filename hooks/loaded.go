package hooks

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// Loaded is a file that a client puts into every request by itself, such as CLAUDE.md.
type Loaded struct {
	Path string // absolute
	Text string
}

// leastWords is how many words a text has that says something by itself, leastCharacters how many
// code points in a script without spaces.
const (
	leastWords      = 3
	leastCharacters = 10
)

// withoutLoaded leaves out the results that repeat what the client loads by itself: those that
// were imported from such a file, and those whose words stand in one. It reads the files each
// time: they are few, and edited at any time.
func (c *Call) withoutLoaded(cfg schemas.Config, results []retrieve.Result) []retrieve.Result {
	if cfg.Retrieval.RepeatLoaded || len(results) == 0 {
		return results
	}
	project := c.root.Project
	if c.rootErr != nil || c.root.Shown != memdir.RootPath {
		project = cmp.Or(os.Getenv("CLAUDE_PROJECT_DIR"), c.Event.Cwd)
	}
	if project == "" {
		return results
	}
	return slices.DeleteFunc(results, Repeats(c.client.Loads(project, c.Event.Cwd)))
}

// Repeats returns what reports whether a result repeats one of the files that a client loads.
func Repeats(files []Loaded) func(retrieve.Result) bool {
	texts := make([]string, len(files))
	for i, file := range files {
		texts[i] = plainWords(file.Text)
	}
	return func(r retrieve.Result) bool { return len(files) > 0 && (repeats(r, texts) || importedFrom(r, files)) }
}

// repeats reports whether what a prompt would receive of a result stands in one of the texts:
// the sentence that carries the memory, or the title where there is none.
func repeats(r retrieve.Result, texts []string) bool {
	title, sentence := plainWords(r.Title), plainWords(r.Sentence)
	return slices.ContainsFunc(texts, func(t string) bool {
		if saysSomething(sentence) {
			return strings.Contains(t, sentence)
		}
		return saysSomething(title) && strings.Contains(t, title) && strings.Contains(t, sentence)
	})
}

func saysSomething(words string) bool {
	return strings.Count(words, " ") > leastWords || // one more than words
		len(words) > 2*utf8.RuneCountInString(words) && utf8.RuneCountInString(words) >= leastCharacters
}

// plainWords returns the letters and digits of a text in lower case, with a space before, between and
// after its words. Marks of Markdown and line breaks do not count.
func plainWords(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte(' ')
	inWord := false
	for _, r := range s {
		switch {
		case 'a' <= r && r <= 'z':
			b.WriteByte(byte(r))
			inWord = true
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			b.WriteRune(unicode.ToLower(r))
			inWord = true
		case inWord:
			b.WriteByte(' ')
			inWord = false
		}
	}
	if inWord {
		b.WriteByte(' ')
	}
	return b.String()
}

// importedFrom reports whether the history of a result names one of the files as its source.
func importedFrom(r retrieve.Result, files []Loaded) bool {
	data, err := r.Root.ReadFile(r.Path)
	if err != nil || !bytes.Contains(data, []byte(`"origin"`)) {
		return false
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return false
	}
	for _, change := range m.Changes {
		var origin struct{ Source string }
		if change.Field != "origin" || json.Unmarshal(change.NewValue, &origin) != nil {
			continue
		}
		path := memdir.SourcePath(r.Root, origin.Source)
		if slices.ContainsFunc(files, func(f Loaded) bool { return f.Path == path }) {
			return true
		}
	}
	return false
}

// contextID names what the agent has in mind: a subagent starts with nothing of what the
// session has got.
func (c *Call) contextID() string {
	if c.Event.AgentID != "" && c.Event.SessionID != "" {
		return c.Event.SessionID + "-" + c.Event.AgentID
	}
	return c.Event.SessionID
}

// withoutGiven leaves out the results that the agent has got already, at other moments than some.
func (c *Call) withoutGiven(results []retrieve.Result, moments ...string) []retrieve.Result {
	had := observe.ReadGiven(c.contextID(), moments...)
	return slices.DeleteFunc(results, func(r retrieve.Result) bool { return had[r.Given()] })
}

// noteGiven notes what the agent gets at a moment.
func (c *Call) noteGiven(ctx context.Context, moment string, given []retrieve.Result) {
	if ctx.Err() != nil {
		return
	}
	list := make([]memdir.Version, len(given))
	for i, r := range given {
		list[i] = r.Given()
	}
	if err := observe.NoteGiven(c.contextID(), moment, list); err != nil {
		c.note("warning: the session may get a memory twice: %s", text.Printable(err.Error()))
	}
}
