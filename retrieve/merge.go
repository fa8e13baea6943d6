package retrieve

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memctl/db"
	"memctl/files"
	"memctl/indexer"
	"memctl/schemas"
	"memctl/text"

	"golang.org/x/text/unicode/norm"
)

// spare is how many more memories than it may give another root is asked for, in case
// others stand in their place.
const spare = 10

// freshAttempts is how often Fresh ranks while files keep changing.
const freshAttempts = 3

// Fresh asks each source for q by itself, and puts the strongest results first. It leaves
// out memories for which others stand, and those over q.UserShare. Then it compares each
// result with its own file: if a file was edited since it was indexed, Fresh updates the
// index and ranks again.
func (s Sources) Fresh(ctx context.Context, q Query) ([]Result, error) {
	return s.fresh(ctx, q, s.choose)
}

// fresh is Fresh with another choice of the ranked memories.
func (s Sources) fresh(
	ctx context.Context, q Query, choose func(context.Context, Query, []Result) ([]Result, error),
) ([]Result, error) {
	for attempt := 1; ; attempt++ {
		results, err := s.rank(ctx, q)
		if err == nil {
			results, err = choose(ctx, q, results)
		}
		if err != nil || attempt == freshAttempts {
			return results, err
		}
		if changed, err := s.refresh(ctx, results); err != nil || !changed {
			return results, err
		}
	}
}

// refresh updates the rows of results whose files have changed, and reports whether any
// have.
func (s Sources) refresh(ctx context.Context, results []Result) (changed bool, err error) {
	err = s.each(func(source Source) error {
		var stamps []db.Stamp
		for _, r := range results {
			if r.Root.Is(source.Root) {
				stamps = append(stamps, r.Stamp())
			}
		}
		stale := indexer.Stale(source.Root, stamps)
		if len(stale) == 0 {
			return nil
		}
		refreshed, err := indexer.Refresh(ctx, source.DB, source.Root, stale)
		changed = changed || refreshed
		return err
	})
	return changed, err
}

// Rank returns the memories of an index that match q, best first.
func Rank(ctx context.Context, d *db.DB, q Query) ([]Result, error) {
	return Sources{{DB: d}}.rank(ctx, q)
}

// RankAlone ranks a memory that is the only one of an index, because the rules stand only in
// rank.sql.
func RankAlone(ctx context.Context, m *schemas.Memory, q Query) ([]Result, error) {
	d, err := db.CreateInMemory(ctx)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	e := db.Entry{File: db.File{Path: "decisions/alone.json"}, Memory: m}
	if err := d.Update(ctx, func(tx *db.Tx) error { return tx.Put(e) }); err != nil {
		return nil, err
	}
	return Rank(ctx, d, q)
}

// rank returns the memories of all sources that match q, best first: at most q.Limit of the
// first source, and as many as may be left out more of the others.
func (s Sources) rank(ctx context.Context, q Query) ([]Result, error) {
	if q.Empty() && q.Last == "" || q.Limit < 1 {
		return nil, nil
	}
	q.start()
	var all []Result
	limit := q.Limit
	if q.reranks() {
		q.Limit = max(q.Limit, reranked)
	}
	err := s.each(func(source Source) error {
		q := q
		if q.Current {
			q.place = q.placeIn(source.Root)
		}
		if !s.first(source.Root) {
			q.Limit = min(q.Limit, cmp.Or(q.UserShare, q.Limit)) + spare
		}
		results, err := rank(ctx, source.DB, q)
		for _, r := range results {
			r.Root = source.Root
			all = append(all, r)
		}
		return err
	})
	slices.SortStableFunc(all, stronger)
	if err != nil {
		return all, err
	}
	if q.Meaning != nil && q.Strategy == schemas.Hybrid {
		all = q.fuse(all)
	}
	if q.reranks() {
		q.rerank(ctx, all[:min(len(all), reranked)])
		q.Limit = limit
	}
	if len(s) == 1 {
		all = all[:min(len(all), limit)]
	}
	return s.succeed(ctx, q, all)
}

// reranked is how many memories the user's reranker orders.
const reranked = 12

// rerank has the first results ordered by the user's reranker, if it answers in time.
func (q Query) rerank(ctx context.Context, first []Result) {
	texts := make([]string, len(first))
	for i, r := range first {
		texts[i] = r.Title + "\n" + r.Sentence
	}
	scores := q.Meaning.Rerank(ctx, texts)
	if scores == nil {
		return
	}
	byPath := map[string]float64{}
	for i, r := range first {
		byPath[r.Root.ShownPath(r.Path)] = scores[i]
	}
	slices.SortStableFunc(first, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place),
			cmp.Compare(byPath[b.Root.ShownPath(b.Path)], byPath[a.Root.ShownPath(a.Path)]))
	})
}

// stronger orders results of several sources by the numbers that each source gives. A stable
// sort keeps the order of each, and puts equal results of the first source first. Score does
// not depend on other memories. Strength is in units of a word that no memory of the source
// has, so it is not greater because a source is large. A strategy has one of the two. Order is that of Query.fuse.
func stronger(a, b Result) int {
	return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(b.Score, a.Score), cmp.Compare(b.Order, a.Order),
		cmp.Compare(b.Rounded, a.Rounded))
}

// overridden says for which results another memory stands.
func (s Sources) overridden(ctx context.Context, _ Query, results []Result) (_ []Result, err error) {
	for i := range results {
		if results[i].Overridden != "" {
			continue
		}
		if results[i].Overridden, err = s.standsFor(ctx, results[i], results); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// choose takes the results of an answer from those of all sources.
func (s Sources) choose(ctx context.Context, q Query, results []Result) (choice []Result, err error) {
	results = slices.DeleteFunc(results, func(r Result) bool { return r.Overridden != "" })
	if len(s) == 1 {
		return results, nil
	}
	shared := 0
	for _, r := range results {
		if len(choice) == q.Limit {
			break
		}
		if !s.first(r.Root) {
			if q.UserShare > 0 && shared == q.UserShare && s.shares(r) {
				continue
			}
			if r.Overridden, err = s.standsFor(ctx, r, results); err != nil {
				return nil, err
			}
			if r.Overridden != "" {
				continue
			}
			if s.shares(r) {
				shared++
			}
		}
		choice = append(choice, r)
	}
	return choice, nil
}

// maxTopical is how many preferences that mention a topic are compared.
const maxTopical = 50

// shares reports whether a result counts for retrieval.user_share. A note is about the project.
func (s Sources) shares(r Result) bool {
	return !s.first(r.Root) && r.Root.Scope != files.NotesScope
}

// standsFor returns the path of the memory of a source before that stands in place of r,
// "" if there is none: an active memory of the same category and id, or an active
// preference for the same topic. For a note it is the memory that was adopted from it,
// whatever its status, or one among the results that has its title.
func (s Sources) standsFor(ctx context.Context, r Result, results []Result) (path string, err error) {
	if s.first(r.Root) {
		return "", nil
	}
	topic, adopted, isNote := "", r.Path, r.Root.Scope == files.NotesScope
	if isNote {
		adopted = AdoptedPath(r.Path)
		for _, other := range results {
			if other.Root.Scope != files.NotesScope && other.Status == schemas.Active &&
				text.Lower(other.Title) == text.Lower(r.Title) {
				return other.Root.ShownPath(other.Path), nil
			}
		}
	} else if r.Category == schemas.Preference {
		topic = topicOf(r.Root, r.Path)
	}
	for _, source := range s {
		if path != "" || err != nil || source.Root.Is(r.Root) {
			break
		}
		if path, err = source.standing(ctx, adopted, topic, isNote); path != "" {
			path = source.Root.ShownPath(path)
		}
		if err != nil {
			err = &sourceError{source.Root, err}
		}
	}
	return path, err
}

// AdoptedPath returns the path of the memory that is adopted from the note at a path.
func AdoptedPath(path string) string {
	folder, name, _ := strings.Cut(path, "/")
	return folder + "/" + text.Slug(strings.TrimSuffix(name, ".json")) + ".json"
}

// standing returns the path of the memory that has a path, which is active unless any counts,
// or of an active preference for a topic.
func (s Source) standing(ctx context.Context, path, topic string, anyStatus bool) (string, error) {
	same, err := db.QueryRow[string](ctx, s.DB, `
		SELECT m.path
		FROM files f
		JOIN memories m ON m.memory_id = f.memory_id
		WHERE f.path = ?
			AND (m.record_status = 'active' OR ?)`, path, anyStatus)
	if err != nil || same != "" || topic == "" {
		return same, err
	}
	mentioned, err := db.Query[string](ctx, s.DB, `
		SELECT m.path
		FROM memories_fts f
		JOIN memories m ON m.memory_id = f.rowid
		WHERE memories_fts MATCH ?
			AND m.category = 'preference'
			AND m.record_status = 'active'
		ORDER BY m.path
		LIMIT ?`, "body : "+db.Quote(beginning(topic)), maxTopical)
	for _, path := range mentioned {
		if topicOf(s.Root, path) == topic {
			return path, err
		}
	}
	return "", err
}

// beginning returns the first words of a topic, which the full text of a preference has
// side by side.
func beginning(topic string) string {
	words := strings.Fields(topic)
	return strings.Join(words[:min(len(words), maxWords)], " ")
}

// topicOf returns the topic of a preference in the form in which topics are compared, ""
// if it has none.
func topicOf(root files.Root, path string) string {
	data, err := root.ReadFile(path)
	if err != nil {
		return ""
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return ""
	}
	topic, _ := m.ContentValues()["topic"].(string)
	return text.Lower(norm.NFC.String(strings.TrimSpace(topic)))
}
