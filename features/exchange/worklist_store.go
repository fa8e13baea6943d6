package exchange

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"
)

const (
	// maxWorkBytes is the size of the file with a work list.
	maxWorkBytes = 64 << 20
	// proseFormat is the format of the origin of a memory that was made of an item.
	proseFormat = "prose"
)

func worklistOf(root files.Root) files.StateList[Worklist] {
	return files.StateList[Worklist]{Name: "worklist-" + root.Key() + ".json", What: "the work list",
		Limit: maxWorkBytes}
}

// ReadWorklist reads the work list of a root, which is empty if there is none.
func ReadWorklist(root files.Root) (*Worklist, error) { return worklistOf(root).Read() }

// changeWorklist changes the work list of a root, which no other process changes meanwhile.
func changeWorklist(ctx context.Context, root files.Root, change func(*Worklist) error) error {
	return worklistOf(root).Change(ctx, change)
}

// TakeWorkItem returns where an item of the work list stands, as an entry of a memory's history, and what settles the
// item once the memory is saved.
func TakeWorkItem(root files.Root, number int) (schemas.Change, func(ctx context.Context, id string) error, error) {
	list, err := ReadWorklist(root)
	if err != nil {
		return schemas.Change{}, nil, err
	}
	item, err := list.Item(number)
	if err != nil {
		return schemas.Change{}, nil, err
	}
	origin, _ := schemas.EncodeJSON(files.Origin{Format: proseFormat, Source: item.File, Hash: item.Hash}) // of strings
	entry := schemas.Change{Date: schemas.FormatTime(time.Now()), Field: "origin", NewValue: origin,
		Summary: text.Ellipsis("Made of "+item.Where(), 300)}
	settle := func(ctx context.Context, id string) error {
		return changeWorklist(ctx, root, func(list *Worklist) error {
			item, err := list.Item(number)
			if err == nil {
				item.addMemory(id)
			}
			return err
		})
	}
	return entry, settle, nil
}

// proseSource is a source that was read for a work list.
type proseSource struct {
	files    []string // their origins
	items    []WorkItem
	refused  []*Item
	privacy  privacy.Report
	redacted []string          // files that had secrets
	saved    map[string]string // paths of memories by the hash of the text that they were made of
	format   string            // of another tool, "" for prose
	sorted   int               // entries of the tool that name a category, which are no items
	older    int               // sessions that were not read, because the list has enough of newer ones
}

// readProse reads the prose of a source. Items of files that the client loads are marked unless they are asked for.
func readProse(ctx context.Context, w *writer.Writer, src *source, loadedToo bool) (p proseSource, err error) {
	loaded := map[string]bool{}
	if !loadedToo {
		for _, file := range clients.Claude.Loads(w.Root.Project, w.Root.Project) {
			loaded[realPath(file.Path)] = true
		}
	}
	r := &reader{Import: &Import{Format: proseFormat, w: w, src: src}, ctx: ctx, src: src}
	if err := r.list(proseMatch(src), entersInstructions); err != nil {
		return p, fmt.Errorf("read %s: %w", src.shown, wrapped(err))
	}
	read := textOf(func(r *reader, f *file) {
		document, _ := withoutDigest(f.text)
		isLoaded := loaded[realPath(r.src.at(f.path))] || !loadedToo && isLoadedOnDemand(f.origin)
		p.files = append(p.files, f.origin)
		for _, item := range splitProse(f.origin, document) {
			item.File = f.origin
			if isLoaded {
				item.State = Loaded
			}
			p.items = append(p.items, item)
		}
	})
	r.each(func(name string) {
		redacted := r.Privacy.SecretCount()
		if read(r, name); r.Privacy.SecretCount() > redacted {
			p.redacted = append(p.redacted, r.src.origin(name))
		}
	})
	if r.err != nil {
		return p, r.err
	}
	// Records come first: they have the most that the code does not say. The last of them may replace others.
	slices.SortStableFunc(p.items, func(a, b WorkItem) int {
		if a.Record && b.Record {
			return strings.Compare(b.File, a.File)
		}
		return cmp.Compare(pick(a.Record, 0, 1), pick(b.Record, 0, 1))
	})
	p.refused, p.privacy = r.Items, r.Privacy
	existing, err := memoriesOf(ctx, w.Root)
	p.saved = existing.texts
	for _, item := range p.items { // an earlier version may have made memories of all that a section says
		list := formerTexts(item.Text)
		isNew := func(phrase string) bool { return p.saved[hashOf(phrase)] == "" }
		if len(list) > 0 && !slices.ContainsFunc(list, isNew) {
			p.saved[item.Hash] = p.saved[hashOf(list[0])]
		}
	}
	return p, err
}

// isLoadedOnDemand reports whether Claude Code loads a file with the files of its folder, or with those that it names.
func isLoadedOnDemand(name string) bool {
	return path.Base(name) == "CLAUDE.md" || strings.Contains("/"+name, "/.claude/rules/")
}

// proseMatch chooses the files of a source: of the project's folder those with instructions, for agents or for people,
// and decision records, of any other all Markdown.
func proseMatch(src *source) func(string) bool {
	return func(name string) bool {
		switch {
		case isNotice(name):
			return false
		case src.shown != ".":
			return isInstructions(name) || isMarkdown(name) && !strings.Contains("/"+name, "/.")
		}
		return isInstructions(name) || strings.EqualFold(path.Base(name), "CONTRIBUTING.md") ||
			isMarkdown(name) && slices.ContainsFunc(strings.Split(path.Dir(name), "/"), isDecisionFolder)
	}
}
