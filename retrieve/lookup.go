package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
}

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

// Hint says what to give instead, "" if nothing is similar.
func (u *Unclear) Hint() string { return u.hint }

// Lookup finds what an id names. Name is the whole id of a memory or an
// observation, CATEGORY:ID where several memories share an id, or a prefix that
// only one id has. The error is ErrNotAnID for a path, an *Unclear if name does not
// name exactly one thing.
func (s Source) Lookup(ctx context.Context, name string) (Ref, error) {
	return s.lookup(ctx, name, true)
}

// LookupMemory is Lookup for what takes no observations.
func (s Source) LookupMemory(ctx context.Context, name string) (Ref, error) {
	return s.lookup(ctx, name, false)
}

func (s Source) lookup(ctx context.Context, name string, observations bool) (Ref, error) {
	switch {
	case strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".json"):
		return Ref{}, fmt.Errorf("%q: %w", name, ErrNotAnID)
	case name == "":
		return Ref{}, errors.New("the id is empty")
	}
	folder, id := "", strings.TrimSuffix(name, "…") // tables cut long ids
	if category, rest, found := strings.Cut(id, ":"); found {
		info, _ := schemas.Category(category).Info()
		folder, id = cmp.Or(info.Folder, category), rest
	}
	refs, err := s.withPrefix(ctx, folder, id, observations)
	if err != nil {
		return Ref{}, err
	}
	if len(refs) > 0 && refs[0].ID == id { // then longer ids do not count
		refs = slices.DeleteFunc(refs, func(r Ref) bool { return r.ID != id })
	}
	switch len(refs) {
	case 0:
		similar, err := s.similarIDs(ctx, id)
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

func didYouMean(ids ...string) string {
	if len(ids) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(ids, ", ") + "?"
}

// withPrefix returns the memories whose id begins with prefix, a whole id first, and the
// observations too if they count.
func (s Source) withPrefix(ctx context.Context, folder, prefix string, observations bool) ([]Ref, error) {
	return query[Ref](ctx, s.DB, `
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
}

// similarIDs returns up to five ids of memories that contain name or that name
// contains.
func (s Source) similarIDs(ctx context.Context, name string) ([]string, error) {
	return query[string](ctx, s.DB, `
		SELECT DISTINCT id
		FROM memories
		WHERE instr(id, ?1) > 0 OR instr(?1, id) > 0
		ORDER BY length(id), id
		LIMIT 5`, name)
}

// IDs returns the ids by which Lookup finds the listed memories, in their order.
func (s Source) IDs(ctx context.Context, items []Item) ([]string, error) {
	refs := make([]Ref, len(items))
	for i, m := range items {
		refs[i] = Ref{ID: m.ID, Path: m.Path}
	}
	return s.clearIDs(ctx, refs)
}

// clearIDs returns the ids of memories, with their categories where several share
// one.
func (s Source) clearIDs(ctx context.Context, refs []Ref) ([]string, error) {
	ids := make([]string, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	shared, err := query[string](ctx, s.DB, `
		SELECT id
		FROM memories
		WHERE id IN (SELECT value FROM json_each(?))
		GROUP BY id
		HAVING count(*) > 1`, jsonArg{ids})
	for i, r := range refs {
		if slices.Contains(shared, r.ID) {
			ids[i] = r.Qualified()
		}
	}
	return ids, err
}
