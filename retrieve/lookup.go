package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
)

// maxCandidates is how many candidates the hint for an ambiguous id lists.
const maxCandidates = 6

// Ref is the memory or the observation that an id names.
type Ref struct {
	ID       string `db:"id"`
	Type     string `db:"type"`
	Category string `db:"category"` // of an observation: the tool
	Path     string `db:"path"`     // below the root; of an observation: its session's file
	Row      int64  `db:"row"`
	// Root is where it was found.
	Root files.Root `db:"-"`
}

// Shown is the path that memctl shows.
func (r Ref) Shown() string { return r.Root.ShownPath(r.Path) }

// Qualified returns CATEGORY:ID, for an id that several memories have.
func (r Ref) Qualified() string {
	folder, _, _ := strings.Cut(r.Path, "/")
	category, _ := schemas.CategoryOfFolder(folder)
	return string(category) + ":" + r.ID
}

// ErrNotAnID says that a path was given instead of an id.
var ErrNotAnID = errors.New("expected an id, not a path")

// Unclear is the error for a name that stands for nothing, or for several things.
type Unclear struct {
	reason, hint string
	Ambiguous    bool // it stands for several things
}

func (u *Unclear) Error() string { return u.reason }

// Hint names the id to give instead, "" if nothing is similar.
func (u *Unclear) Hint() string { return u.hint }

// Lookup finds the memory or observation of an id. Name is the whole id of a memory or an observation,
// CATEGORY:ID where several memories share an id, or a prefix that only one id has. A whole
// id is that of the first source that has it; user:ID is that of the user's own root. The
// error is ErrNotAnID for a path, an *Unclear if name does not name exactly one thing.
func (s Sources) Lookup(ctx context.Context, name string) (Ref, error) {
	return s.lookup(ctx, name, true)
}

// LookupMemory is Lookup for memories only.
func (s Sources) LookupMemory(ctx context.Context, name string) (Ref, error) {
	return s.lookup(ctx, name, false)
}

func (s Sources) lookup(ctx context.Context, name string, observations bool) (Ref, error) {
	switch {
	case strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".json"):
		return Ref{}, fmt.Errorf("%q: %w", name, ErrNotAnID)
	case name == "":
		return Ref{}, errors.New("the id is empty")
	}
	sources, id := s.ofScope(strings.TrimSuffix(name, "…")) // tables cut long ids
	folder := ""
	if category, rest, found := strings.Cut(id, ":"); found {
		info, _ := schemas.Category(category).Info()
		folder, id = cmp.Or(info.Folder, category), rest
	}
	refs, err := sources.withPrefix(ctx, folder, id, observations)
	if err != nil {
		return Ref{}, err
	}
	switch len(refs) {
	case 0:
		similar, err := sources.similarIDs(ctx, id)
		if err != nil {
			return Ref{}, err
		}
		return Ref{}, &Unclear{reason: fmt.Sprintf("nothing has the id %q", name), hint: didYouMean(similar...)}
	case 1:
		return refs[0], nil
	}
	candidates, err := s.clearIDs(ctx, refs)
	if err != nil {
		return Ref{}, err
	}
	if len(candidates) > maxCandidates {
		candidates = append(candidates[:maxCandidates], "...")
	}
	return Ref{}, &Unclear{fmt.Sprintf("%q is ambiguous", name), "give one of " + strings.Join(candidates, ", "), true}
}

// ofScope returns the sources of the scope that a name begins with, and the rest of the name:
// those of the user for user:ID. If there are none it returns all sources and the name.
func (s Sources) ofScope(name string) (Sources, string) {
	scope, id, _ := strings.Cut(name, ":")
	other := func(source Source) bool {
		return source.Root.Scope == files.ProjectScope || string(source.Root.Scope) != scope
	}
	if scoped := slices.DeleteFunc(slices.Clone(s), other); len(scoped) > 0 {
		return scoped, id
	}
	return s, name
}

func didYouMean(ids ...string) string {
	if len(ids) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(ids, ", ") + "?"
}

// withPrefix returns the memories whose id begins with prefix, and the observations too
// if they count. If it is a whole id, longer ids and the sources after the first that has
// it do not count.
func (s Sources) withPrefix(ctx context.Context, folder, prefix string, observations bool) (all []Ref, err error) {
	whole := false
	err = s.each(func(source Source) error {
		refs, err := source.withPrefix(ctx, folder, prefix, observations)
		if len(refs) == 0 || whole {
			return err
		}
		if whole = refs[0].ID == prefix; whole {
			all = slices.DeleteFunc(refs, func(r Ref) bool { return r.ID != prefix })
			return err
		}
		all = append(all, refs...)
		return err
	})
	return all, err
}

// withPrefix returns a whole id first.
func (s Source) withPrefix(ctx context.Context, folder, prefix string, observations bool) ([]Ref, error) {
	refs, err := db.Query[Ref](ctx, s.DB, `
		SELECT id, type, category, path, row
		FROM (
			SELECT id, 'memory' AS type, category, path, memory_id AS row
			FROM memories
			UNION ALL
			SELECT event_id, 'observation', tool_name, path, observation_id
			FROM observations
			WHERE ?4
		)
		WHERE substr(id, 1, length(?1)) = ?1
			AND (?2 = '' OR substr(path, 1, length(?2) + 1) = ?2 || '/')
		ORDER BY id <> ?1, length(id), id, path
		LIMIT ?3`, prefix, folder, maxCandidates+1, observations)
	for i := range refs {
		refs[i].Root = s.Root
	}
	return refs, err
}

// maxSimilar is how many ids the hint for an unknown one lists.
const maxSimilar = 5

// similarIDs returns ids of memories that contain name or that name contains.
func (s Sources) similarIDs(ctx context.Context, name string) (similar []string, err error) {
	err = s.each(func(source Source) error {
		ids, err := db.Query[string](ctx, source.DB, `
			SELECT DISTINCT id
			FROM memories
			WHERE instr(id, ?1) > 0 OR instr(?1, id) > 0
			ORDER BY length(id), id
			LIMIT ?2`, name, maxSimilar)
		similar = append(similar, ids...)
		return err
	})
	return similar[:min(len(similar), maxSimilar)], err
}

// IDs returns the ids by which Lookup finds the listed memories, in their order.
func (s Sources) IDs(ctx context.Context, items []ListEntry) ([]string, error) {
	return s.clearIDs(ctx, refsOf(items))
}

// ShortIDs is IDs with the beginnings of ids that are enough.
func (s Sources) ShortIDs(ctx context.Context, items []ListEntry) ([]string, error) {
	return s.shortIDs(ctx, refsOf(items))
}

func refsOf(items []ListEntry) []Ref {
	refs := make([]Ref, len(items))
	for i, m := range items {
		refs[i] = Ref{ID: m.ID, Path: m.Path, Root: m.Root}
	}
	return refs
}

// clearIDs returns the ids by which Lookup finds memories: with their categories where
// several of a source share one, with their scope where a source before has the id.
func (s Sources) clearIDs(ctx context.Context, refs []Ref) ([]string, error) {
	ids, clear := make([]string, len(refs)), make([]string, len(refs))
	for i, r := range refs {
		ids[i], clear[i] = r.ID, r.ID
	}
	before := map[string]bool{}
	err := s.each(func(source Source) error {
		counts, err := source.countIDs(ctx, ids)
		for i, r := range refs {
			if !r.Root.Is(source.Root) {
				continue
			}
			if counts[r.ID] > 1 {
				clear[i] = r.Qualified()
			}
			if before[r.ID] {
				clear[i] = string(source.Root.Scope) + ":" + clear[i]
			}
		}
		for id := range counts {
			before[id] = true
		}
		return err
	})
	return clear, err
}

// countIDs returns how many memories have each of the ids, without those that none has.
func (s Source) countIDs(ctx context.Context, ids []string) (map[string]int, error) {
	type count struct {
		ID string `db:"id"`
		N  int    `db:"n"`
	}
	rows, err := db.Query[count](ctx, s.DB, `
		SELECT id, count(*) AS n
		FROM memories
		WHERE id IN (SELECT value FROM json_each(?))
		GROUP BY id`, db.JSON(ids))
	counts := map[string]int{}
	for _, c := range rows {
		counts[c.ID] = c.N
	}
	return counts, err
}

// Resolve finds the memory that a person names: the path of a memory, which may be a broken
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
		reason := fmt.Sprintf("%q matches %d memories", name, len(paths))
		return Ref{}, &Unclear{reason, "give one of " + strings.Join(paths, ", "), true}
	}
	ref, err := s.Lookup(ctx, strings.TrimSuffix(filepath.Base(below), ".json"))
	if err == nil && strings.Contains(below, "/") { // only an id may be abbreviated
		err = &Unclear{hint: didYouMean(ref.ID)}
	}
	if unclear := new(Unclear); errors.As(err, &unclear) && !unclear.Ambiguous {
		if broken, err := s.brokenNamed(ctx, below); err == nil && len(broken) == 1 {
			return broken[0], nil
		}
		err = &Unclear{
			reason: fmt.Sprintf("there is no memory %q", name),
			hint:   cmp.Or(unclear.hint, `run "memctl list --status all" for what there is`),
		}
	}
	return ref, err
}

// brokenNamed returns the files that cannot be read and whose name begins with a prefix.
func (s Sources) brokenNamed(ctx context.Context, prefix string) (refs []Ref, err error) {
	err = s.each(func(source Source) error {
		paths, err := db.Query[string](ctx, source.DB, `
			SELECT path
			FROM files
			WHERE problem IS NOT NULL AND substr(path, instr(path, '/') + 1, length(?1)) = ?1
			ORDER BY path
			LIMIT 2`, prefix)
		for _, path := range paths {
			refs = append(refs, Ref{Type: MemoryType, Path: path, Root: source.Root})
		}
		return err
	})
	return refs, err
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
	refs, err := db.Query[Ref](ctx, s.DB, `
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
