package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"memctl/db"
	"memctl/schemas"
)

// Resolve finds what a person names: the path of a memory, which may be a broken
// file, or an id or the beginning of one.
func (s Sources) Resolve(ctx context.Context, name string) (Ref, error) {
	below, files, err := s.filesNamed(ctx, name)
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
		return Ref{}, &Unclear{fmt.Sprintf("%q stands for %d memories", name, len(paths)), "give one of " + strings.Join(paths, ", "), true}
	}
	ref, err := s.Lookup(ctx, strings.TrimSuffix(filepath.Base(below), ".json"))
	if err == nil && strings.Contains(below, "/") { // only an id may be abbreviated
		err = &Unclear{hint: didYouMean(ref.ID)}
	}
	if unclear := new(Unclear); errors.As(err, &unclear) && !unclear.Ambiguous {
		err = &Unclear{
			reason: fmt.Sprintf("there is no memory %q", name),
			hint:   cmp.Or(unclear.hint, `run "memctl list --status all" for what there is`),
		}
	}
	return ref, err
}

// filesNamed returns the files that a name stands for in the first source that has any,
// and the name below that root. A path has to lie in one of the roots.
func (s Sources) filesNamed(ctx context.Context, name string) (below string, files []Ref, err error) {
	var outside error
	inside := false
	err = s.each(func(source Source) error {
		path, err := source.Root.Below(name)
		if err != nil {
			outside = cmp.Or(outside, err)
			return nil
		}
		inside = true
		if below = cmp.Or(below, path); len(files) == 0 {
			files, err = source.filesNamed(ctx, path)
		}
		return err
	})
	if err == nil && !inside {
		err = outside
	}
	return below, files, err
}

// filesNamed returns the files that a path below the root stands for, or an id, which
// every category may have. The Ref of a broken file has only a path.
func (s Source) filesNamed(ctx context.Context, name string) ([]Ref, error) {
	file := strings.TrimSuffix(name, ".json") + ".json"
	paths := []string{file}
	if !strings.Contains(name, "/") {
		paths = nil
		for _, info := range schemas.Categories {
			paths = append(paths, info.Folder+"/"+file)
		}
	}
	refs, err := query[Ref](ctx, s.DB, `
		SELECT
			coalesce(m.id, '') AS id,
			'memory' AS type,
			coalesce(m.category, '') AS category,
			f.path,
			coalesce(m.memory_id, 0) AS row
		FROM json_each(?) j
		CROSS JOIN files f ON f.path = j.value
		LEFT JOIN memories m ON m.path = f.path
		ORDER BY f.path`, db.JSON(paths))
	for i := range refs {
		refs[i].Root = s.Root
	}
	return refs, err
}
