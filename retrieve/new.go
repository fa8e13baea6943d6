package retrieve

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

// A memory that the user has not seen is marked by who wrote it. Source.NewBy decides that by its content.

// contentDigits is how many digits of a file's SHA-256 name its content.
const contentDigits = 32

// Contents returns the files of active memories that were read since a time in Unix nanoseconds, or that have one of
// some paths.
func Contents[File any](ctx context.Context, s Source, since int64, paths []string) ([]File, error) {
	return db.Query[File](ctx, s.DB, `
		SELECT f.path, substr(f.sha256, 1, ?) AS content, f.mtime_ns
		FROM files f
		JOIN memories m ON m.memory_id = f.memory_id
		WHERE (f.read_ns >= ? OR f.path IN (SELECT value FROM json_each(?)))
			AND m.record_status = 'active'
		ORDER BY f.path`, contentDigits, since, db.JSON(notNil(paths)))
}

// markNew says who wrote those memories of a root that are new. Each entry has its path below the root.
func (s Source) markNew(ctx context.Context, entries []*Entry) error {
	if s.NewBy == nil || len(entries) == 0 {
		return nil
	}
	paths := make([]string, len(entries))
	for i, e := range entries {
		paths[i] = e.Path
	}
	type file struct {
		Path    string `db:"path"`
		Content string `db:"content"`
	}
	files, err := db.Query[file](ctx, s.DB, `
		SELECT path, substr(sha256, 1, ?) AS content
		FROM files
		WHERE path IN (SELECT value FROM json_each(?))`, contentDigits, db.JSON(paths))
	by := make(map[string]string, len(files))
	for _, f := range files {
		by[f.Path] = s.NewBy(f.Content)
	}
	for _, e := range entries {
		e.NewBy = by[e.Path]
	}
	return err
}

// markNew is Source.markNew for entries of several roots.
func (s Sources) markNew(ctx context.Context, n int, at func(i int) (*Entry, files.Root)) error {
	for _, source := range s {
		var own []*Entry
		for i := range n {
			if e, root := at(i); root.Is(source.Root) {
				own = append(own, e)
			}
		}
		if err := source.markNew(ctx, own); err != nil {
			return &sourceError{source.Root, err}
		}
	}
	return nil
}

// markConflicts marks the memories in conflict.
func (s Sources) markConflicts(n int, at func(i int) (*Entry, files.Root)) {
	for _, source := range s {
		paths := source.Root.InConflict()
		for i := range n {
			if e, root := at(i); root.Is(source.Root) && slices.Contains(paths, e.Path) {
				e.InConflict = true
			}
		}
	}
}

// markEvents marks the events of memories that are new. An event has no path, but the id and the category give it.
func (s Source) markEvents(ctx context.Context, events []Event) error {
	entries := make([]Entry, len(events))
	list := make([]*Entry, len(events))
	for i, e := range events {
		info, _ := schemas.Category(e.Category).Info()
		entries[i].Path = path.Join(info.Folder, e.ID+".json")
		list[i] = &entries[i]
	}
	err := s.markNew(ctx, list)
	for i := range events {
		if events[i].Type == MemoryType {
			events[i].NewBy = entries[i].NewBy
		}
	}
	return err
}

// NewBy is Entry.NewBy of a memory, given its file.
func (s Sources) NewBy(r Ref, data []byte) string {
	if source := s.of(r.Root); r.Type == MemoryType && source.NewBy != nil {
		return source.NewBy(text.Hash(data, contentDigits/2))
	}
	return ""
}

// NewMark begins the line of a memory that is new, "" for one that is not.
func NewMark(by string) string {
	if by == "" {
		return ""
	}
	return "[new, by " + text.Printable(by) + "] "
}

// newLine comes before the memories of a block that are new.
func newLine(results []Result) string {
	var names []string
	for _, r := range results {
		if r.NewBy != "" && !slices.Contains(names, r.NewBy) {
			names = append(names, r.NewBy)
		}
	}
	return "New, by " + text.Line(Names(names)) + "; the user has not seen these yet:\n"
}

// maxNames is how many names stand in a line.
const maxNames = 2

// Names lists a few names.
func Names(names []string) string {
	switch n := len(names); {
	case n > maxNames:
		return fmt.Sprintf("%s and %s", strings.Join(names[:maxNames], ", "), text.Plural(n-maxNames, "other",
			"others"))
	default:
		return strings.Join(names, " and ")
	}
}

// seenFirst puts new results after the others.
func seenFirst[T any](list []T, newBy func(T) string) (sorted []T) {
	sorted = make([]T, 0, len(list))
	for _, isNew := range []bool{false, true} {
		for _, m := range list {
			if (newBy(m) != "") == isNew {
				sorted = append(sorted, m)
			}
		}
	}
	return sorted
}
