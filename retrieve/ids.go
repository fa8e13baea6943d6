package retrieve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memctl/schemas"
)

// maxCandidates is how many ids an ambiguous one is shown to stand for.
const maxCandidates = 6

// Ref is the memory or the observation that an id stands for.
type Ref struct {
	ID       string `db:"id"`
	Type     string `db:"type"`
	Category string `db:"category"` // of an observation: the tool
	Path     string `db:"path"`     // below the root; of an observation: its session's file
	Row      int64  `db:"row"`
}

// Qualified is the id with the category of its folder, for an id that several
// memories have.
func (r Ref) Qualified() string { return qualified(r.ID, r.Path) }

func qualified(id, path string) string {
	folder, _, _ := strings.Cut(path, "/")
	category, _ := schemas.CategoryOfFolder(folder)
	return string(category) + ":" + id
}

// ErrNotAnID says that a path was given for an id.
var ErrNotAnID = errors.New("expected an id, not a path")

// Unclear says that an id stands for nothing, or for several.
type Unclear struct {
	Name       string
	Candidates []string // what it stands for, or some that look like it
	Ambiguous  bool
	More       bool // there are more candidates
}

func (u *Unclear) Error() string {
	if u.Ambiguous {
		return fmt.Sprintf("%q is ambiguous", u.Name)
	}
	return fmt.Sprintf("nothing has the id %q", u.Name)
}

// Hint says what to give instead, "" for nothing.
func (u *Unclear) Hint() string {
	list := strings.Join(u.Candidates, ", ")
	switch {
	case list == "":
		return ""
	case u.More:
		return "give one of " + list + ", ..."
	case u.Ambiguous:
		return "give one of " + list
	}
	return "did you mean " + list + "?"
}

// Lookup finds what an id stands for: the whole id of a memory or an observation,
// CATEGORY:ID where several memories share one, or the beginning of an id that
// begins no other.
func (s Source) Lookup(ctx context.Context, name string) (Ref, error) {
	switch {
	case strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".json"):
		return Ref{}, fmt.Errorf("%q: %w", name, ErrNotAnID)
	case name == "":
		return Ref{}, errors.New("the id is empty")
	}
	folder, id := "", name
	if category, rest, found := strings.Cut(name, ":"); found {
		info, _ := schemas.Category(category).Info()
		folder, id = cmp.Or(info.Folder, category), rest
	}
	refs, err := s.beginning(ctx, folder, id)
	if err != nil {
		return Ref{}, err
	}
	whole := 0 // refs of this very id: they come first
	for whole < len(refs) && refs[whole].ID == id {
		whole++
	}
	switch {
	case whole == 1 || whole == 0 && len(refs) == 1:
		return refs[0], nil
	case whole > 1:
		return Ref{}, ambiguous(name, refs[:whole], Ref.Qualified)
	case len(refs) > 1 && sameID(refs):
		return Ref{}, ambiguous(name, refs, Ref.Qualified)
	case len(refs) > 1:
		return Ref{}, ambiguous(name, refs, func(r Ref) string { return r.ID })
	}
	similar, err := Similar(ctx, s.DB, id)
	if err != nil {
		return Ref{}, err
	}
	return Ref{}, &Unclear{Name: name, Candidates: similar}
}

func sameID(refs []Ref) bool {
	return !slices.ContainsFunc(refs, func(r Ref) bool { return r.ID != refs[0].ID })
}

func ambiguous(name string, refs []Ref, shown func(Ref) string) *Unclear {
	u := &Unclear{Name: name, Ambiguous: true, More: len(refs) > maxCandidates}
	for _, r := range refs[:min(len(refs), maxCandidates)] {
		u.Candidates = append(u.Candidates, shown(r))
	}
	return u
}

// beginning returns what has an id that begins so, whole ids first.
func (s Source) beginning(ctx context.Context, folder, id string) ([]Ref, error) {
	var refs []Ref
	err := s.DB.Select(ctx, &refs, `
		SELECT id, type, category, path, row
		FROM (
			SELECT id, 'memory' AS type, category, path, memory_id AS row
			FROM memories
			UNION ALL
			SELECT event_id, 'observation', tool_name, path, observation_id
			FROM observations
		)
		WHERE substr(id, 1, length(?1)) = ?1
			AND (?2 = '' OR substr(path, 1, length(?2) + 1) = ?2 || '/')
		ORDER BY id <> ?1, length(id), id, path
		LIMIT ?3`, id, folder, maxCandidates+1)
	return refs, err
}

// shared tells which of some ids several memories have.
func (s Source) shared(ctx context.Context, ids []string) (map[string]bool, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	var several []string
	err = s.DB.Select(ctx, &several, `
		SELECT id
		FROM memories
		WHERE id IN (SELECT value FROM json_each(?))
		GROUP BY id
		HAVING count(*) > 1`, string(list))
	found := make(map[string]bool, len(several))
	for _, id := range several {
		found[id] = true
	}
	return found, err
}

// IDs are the ids by which listed memories are asked for again.
func (s Source) IDs(ctx context.Context, items []Item) ([]string, error) {
	ids := make([]string, len(items))
	for i, m := range items {
		ids[i] = m.ID
	}
	shared, err := s.shared(ctx, ids)
	for i, m := range items {
		ids[i] = rowID(m.ID, m.Path, shared)
	}
	return ids, err
}

// rowID is the id by which a result is asked for again.
func rowID(id, path string, shared map[string]bool) string {
	if shared[id] {
		return qualified(id, path)
	}
	return id
}

// At returns the memory of a file below the root, none for a broken file.
func (s Source) At(ctx context.Context, path string) ([]Ref, error) {
	var refs []Ref
	err := s.DB.Select(ctx, &refs, `
		SELECT id, 'memory' AS type, category, path, memory_id AS row
		FROM memories
		WHERE path = ?`, path)
	return refs, err
}
