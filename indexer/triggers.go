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
	TitleTrigger   = "t" // the words of a title; these lines have a file to themselves, which only edits read
)

// triggersLimit is the size at which the file starts over, in bytes: some ten thousand
// triggers. The old file is kept until the next time.
const triggersLimit = 4 << 20

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

func linesOf(list ...[]trigger) string {
	var lines strings.Builder
	for _, t := range slices.Concat(list...) {
		lines.WriteString(t.line())
	}
	return lines.String()
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

// writeTriggers writes the triggers of an index in place of those that were there.
func writeTriggers(ctx context.Context, d *db.DB, root files.Root) error {
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
	texts, err := db.Query[said](ctx, d, `
		SELECT m.path, m.title, m.category, m.title || char(10) || b.body AS text
		FROM memories m
		JOIN bodies b ON b.memory_id = m.memory_id
		WHERE m.record_status = 'active' AND m.category <> 'session_summary'`)
	if err != nil {
		return err
	}
	_, _ = files.RemoveState("triggers-" + root.Key()) // of an earlier memctl
	return errors.Join(files.WriteStateFile(triggersName(root), linesOf(list, named(root, texts))),
		files.WriteStateFile(titlesName(root), linesOf(titled(texts))))
}

// titled returns the triggers of titles. A runbook says what to do when it is asked for.
func titled(texts []said) (list []trigger) {
	for _, t := range texts {
		if words := text.Singular(t.Title); len(words) >= LeastOfTitle && t.Category != schemas.Runbook {
			list = append(list, trigger{TitleTrigger, strings.Join(words, " "), t.Path})
		}
	}
	return list
}

// LeastOfTitle is how many words of a title have to be in what a tool writes, at least.
const LeastOfTitle = 3

// addTriggers adds those of memories that were read again.
func addTriggers(root files.Root, entries []db.Entry) error {
	var list []trigger
	var texts []said
	for _, e := range entries {
		if e.Memory == nil {
			continue
		}
		texts = append(texts, said{e.Path, e.Memory.Title, e.Memory.Category, e.Memory.Title + "\n" + e.Memory.Text()})
		for _, file := range e.Memory.RelatedFiles {
			list = append(list, trigger{FileTrigger, file, e.Path})
		}
		for _, command := range e.Memory.Commands() {
			list = append(list, trigger{CommandTrigger, command, e.Path})
		}
		if check := e.Memory.Check(); check.Lines() != nil {
			list = append(list, trigger{LinesTrigger, check.ForbiddenLines, e.Path})
		}
	}
	return errors.Join(appendLines(triggersName(root), linesOf(list, named(root, texts))),
		appendLines(titlesName(root), linesOf(titled(texts))))
}

func appendLines(name, lines string) error {
	if lines == "" {
		return nil
	}
	return files.AppendState(name, []byte(lines), triggersLimit)
}

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
