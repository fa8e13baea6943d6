package indexer

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// The hook before a tool runs before every edit and every command, so it opens no index. It
// reads a file of the user's state folder with a line for each file, each command and each
// expression for lines that an active memory is about: the kind, the trigger and the memory's path, parted by tabs.
// Lines of memories that have changed since may be there too: who reads the file compares
// each with the memory.

// The kinds of triggers.
const (
	FileTrigger    = "f" // a file or a folder
	GlobTrigger    = "g" // a pattern of files
	CommandTrigger = "c"
	LinesTrigger   = "l" // an expression for lines that a memory forbids
	NameTrigger    = "n" // a file that a memory's text names, maybe without its folder
	namedFolder    = ""  // a folder that a memory's text names; a FileTrigger if the project has it
	TitleTrigger   = "t" // the words of a title; these lines have a file to themselves, which only edits read
)

// triggersLimit is the size at which the file starts over, in bytes: some ten thousand
// triggers. The old file is kept until the next time.
const triggersLimit = 4 << 20

// maxLines bounds all lines of a store, in bytes: ReadState refuses a file of more than three times triggersLimit.
const maxLines = 3 * triggersLimit

func triggersName(root files.Root) string { return "acts-" + root.Key() }
func titlesName(root files.Root) string   { return "titles-" + root.Key() }

// Triggers returns the lines but for those of titles, each after a line feed.
func Triggers(root files.Root) []byte { return readLines(triggersName(root)) }

// Titles returns the lines of titles, each after a line feed.
func Titles(root files.Root) []byte { return readLines(titlesName(root)) }

func readLines(name string) []byte {
	data, _ := files.ReadState(name, triggersLimit) // without it there are no triggers
	return slices.Insert(data, 0, '\n')             // which copies nothing: there is room for more
}

// trigger is one line.
type trigger struct {
	Kind    string `db:"kind"`
	Trigger string `db:"trigger"`
	Path    string `db:"path"`
}

func (t trigger) line() string {
	if t.Kind == FileTrigger {
		t.Trigger = strings.TrimPrefix(strings.TrimSpace(t.Trigger), "./")
		if strings.ContainsAny(t.Trigger, "*?[{") {
			t.Kind = GlobTrigger
		}
	}
	if t.Trigger == "" || strings.ContainsAny(t.Trigger+t.Path, "\t\n") {
		return ""
	}
	return t.Kind + "\t" + t.Trigger + "\t" + t.Path + "\n"
}

// triggersOf returns the triggers of a memory that is limited as in the index, which has the body of its text.
func triggersOf(path string, m *schemas.Memory, body string) (list []trigger) {
	if m.RecordStatus != schemas.Active {
		return nil
	}
	for _, file := range m.RelatedFiles {
		list = append(list, trigger{FileTrigger, file, path})
	}
	commands := m.Commands()
	for _, command := range commands[:min(len(commands), db.MaxList)] {
		list = append(list, trigger{CommandTrigger, text.Truncate(command, db.MaxTitle), path})
	}
	if check := m.Check(); check.Lines() != nil {
		list = append(list, trigger{LinesTrigger, check.ForbiddenLines, path})
	}
	said := memoryText{Path: path, Title: m.Title, Category: m.Category, Text: m.Title + "\n" + body}
	return append(list, said.triggers()...)
}

// triggerLines collects the lines of a root's triggers.
type triggerLines struct {
	root          files.Root
	lines, titles strings.Builder
	bare          []trigger // of names without a folder
	size          int       // of all triggers, in bytes
}

// add adds the lines of triggers. A person's own memories are about no project.
func (a *triggerLines) add(list ...trigger) {
	inProject := a.root.Scope != files.UserScope && a.root.Project != ""
	for _, t := range list {
		a.size += len(t.line())
		switch {
		case a.size > maxLines:
		case t.Kind == TitleTrigger:
			a.titles.WriteString(t.line())
		case t.Kind == namedFolder:
			if inProject && isFolder(a.root.Project, t.Trigger) {
				a.lines.WriteString(trigger{FileTrigger, t.Trigger, t.Path}.line())
			}
		case t.Kind == NameTrigger && !inProject:
		case t.Kind == NameTrigger && !strings.Contains(t.Trigger, "/"):
			t.Trigger = strings.Clone(t.Trigger) // a part of a text, which may be long
			a.bare = append(a.bare, t)
		default:
			a.lines.WriteString(t.line())
		}
	}
}

// put passes the lines of each file to write.
func (a *triggerLines) put(write func(name, lines string) error) error {
	a.addBare()
	return errors.Join(write(triggersName(a.root), a.lines.String()), write(titlesName(a.root), a.titles.String()))
}

// replace writes the lines in place of those that were there.
func (a *triggerLines) replace() error {
	_, _ = files.RemoveState("triggers-" + a.root.Key()) // of an earlier memctl
	return a.put(files.WriteStateFile)
}

// append adds the lines to those that are there. If it fails, hooks only miss an answer before a tool.
func (a *triggerLines) append() {
	_ = a.put(func(name, lines string) error {
		if lines == "" {
			return nil
		}
		return files.AppendState(name, []byte(lines), triggersLimit)
	})
}

// writeTriggers writes the triggers of an index in place of those that were there.
func writeTriggers(ctx context.Context, d *db.DB, root files.Root) error {
	a := &triggerLines{root: root}
	list, err := db.Query[trigger](ctx, d, `
		SELECT 'f' AS kind, r.file AS trigger, m.path
		FROM related_files r
		JOIN memories m ON m.memory_id = r.memory_id
		WHERE m.record_status = 'active'
		UNION ALL
		SELECT 'c', c.command, m.path
		FROM commands c
		JOIN memories m ON m.memory_id = c.memory_id
		WHERE m.record_status = 'active'
		UNION ALL
		SELECT 'l', l.expression, m.path
		FROM forbidden_lines l
		JOIN memories m ON m.memory_id = l.memory_id
		WHERE m.record_status = 'active'`)
	if err != nil {
		return err
	}
	a.add(list...)
	for last := int64(0); ; {
		texts, err := db.Query[memoryText](ctx, d, `
			SELECT m.memory_id, m.path, m.title, m.category, m.title || char(10) || b.body AS text
			FROM memories m
			JOIN bodies b ON b.memory_id = m.memory_id
			WHERE m.record_status = 'active' AND m.memory_id > ?
			ORDER BY m.memory_id
			LIMIT ?`, last, textsAtOnce)
		if err != nil {
			return err
		}
		if len(texts) == 0 {
			return a.replace()
		}
		for _, s := range texts {
			a.add(s.triggers()...)
			last = s.ID
		}
	}
}

// textsAtOnce is how many texts are read from an index at once: each may have db.MaxBody code points.
const textsAtOnce = 20

// completeTriggers writes the triggers if there are none, as after a loss of the state
// folder.
func completeTriggers(ctx context.Context, ix *Index) {
	_ = files.InState(func(state *files.Staged) error { // without it there are no triggers
		if !state.Written(triggersName(ix.root)).IsZero() {
			return nil
		}
		return writeTriggers(ctx, ix.DB, ix.root)
	})
}
