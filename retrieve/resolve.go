package retrieve

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"memctl/schemas"
)

// Unresolved says that a name stands for no memory, or for several.
type Unresolved struct {
	reason string
	hint   string
}

func (u *Unresolved) Error() string { return u.reason }

// Hint says what to give instead.
func (u *Unresolved) Hint() string { return u.hint }

// Resolve finds what a person names: the path of a memory, which may be a broken
// file, or an id or the beginning of one.
func (s Source) Resolve(ctx context.Context, name string) (Ref, error) {
	below, err := s.Root.Below(name)
	if err != nil {
		return Ref{}, err
	}
	files, err := s.filesNamed(ctx, below)
	switch {
	case err != nil:
		return Ref{}, err
	case len(files) == 1:
		return files[0], nil
	case len(files) > 1:
		paths := make([]string, len(files))
		for i, file := range files {
			paths[i] = file.Path
		}
		return Ref{}, &Unresolved{fmt.Sprintf("%q stands for %d memories", name, len(paths)), "give one of " + strings.Join(paths, ", ")}
	}
	ref, err := s.Lookup(ctx, strings.TrimSuffix(filepath.Base(below), ".json"))
	if err == nil && strings.Contains(below, "/") { // only an id may be abbreviated
		err = &Unclear{Name: name, Candidates: []string{ref.ID}}
	}
	return ref, unresolved(err, name)
}

// filesNamed returns the files that a name stands for: a path below the root, or an
// id, which every category may have. The Ref of a broken file has only a path.
func (s Source) filesNamed(ctx context.Context, name string) ([]Ref, error) {
	file := strings.TrimSuffix(name, ".json") + ".json"
	paths := []string{file}
	if !strings.Contains(name, "/") {
		paths = nil
		for _, info := range schemas.Categories {
			paths = append(paths, info.Folder+"/"+file)
		}
	}
	var refs []Ref
	err := s.DB.Select(ctx, &refs, `
		SELECT
			coalesce(m.id, '') AS id,
			'memory' AS type,
			coalesce(m.category, '') AS category,
			f.path,
			coalesce(m.memory_id, 0) AS row
		FROM json_each(?) j
		CROSS JOIN files f ON f.path = j.value
		LEFT JOIN memories m ON m.path = f.path
		ORDER BY f.path`, jsonArg{paths})
	return refs, err
}

func unresolved(err error, name string) error {
	unclear := new(Unclear)
	if !errors.As(err, &unclear) {
		return err
	}
	u := &Unresolved{unclear.Error(), unclear.Hint()}
	if !unclear.Ambiguous {
		u.reason = fmt.Sprintf("there is no memory %q", name)
	}
	if u.hint == "" {
		u.hint = `run "memctl list --status all" for what there is`
	}
	return u
}
