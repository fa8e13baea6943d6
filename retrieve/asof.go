package retrieve

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
)

// past is a memory as it was at a time.
type past struct {
	memory *schemas.Memory
	fate   string // what became of it since, "" if it is still so
}

// rowsAsOf is Rows for what held at a time. It makes an index of that time from the files, in memory, so it finds the
// words that a memory had then.
func (s Searcher) rowsAsOf(ctx context.Context, sources Sources, words string, f Filter) ([]Row, error) {
	var then Sources
	held := map[string]past{} // by shown path
	for _, source := range sources {
		d, err := db.CreateInMemory(ctx)
		if err != nil {
			return nil, err
		}
		defer d.Close()
		then = append(then, Source{DB: d, Root: source.Root})
		if err := source.fillAsOf(ctx, d, f.AsOf, held); err != nil {
			return nil, &sourceError{source.Root, err}
		}
	}
	s.Model = nil // it knows no texts of that time
	most := f.Limit
	f.Limit += spare // for those that were superseded
	q, results, err := s.ask(words, f, func(q Query) ([]Result, error) {
		q.Now = f.AsOf
		return then.rank(ctx, q)
	})
	if q.Now = f.AsOf; err == nil {
		results, err = then.choose(ctx, q, results)
	}
	if err != nil {
		return nil, err
	}
	results = slices.DeleteFunc(results, func(r Result) bool { return r.Successor != "" })
	rows, err := then.memoryRows(ctx, q, results[:min(len(results), most)])
	for i := range rows {
		r := &rows[i].memory
		was := held[r.Root.ShownPath(r.Path)]
		r.Outdated = was.fate
		rows[i].Outdated, rows[i].Summary = was.fate, summaryOf(was.memory)
	}
	return rows, err
}

// fillAsOf puts the memories of a source that held at a time into an index.
func (s Source) fillAsOf(ctx context.Context, d *db.DB, at time.Time, held map[string]past) error {
	type current struct {
		Path      string `db:"path"`
		UpdatedAt string `db:"updated_at"`
		Successor string `db:"successor"`
	}
	list, err := db.Query[current](ctx, s.DB, `
		SELECT
			m.path,
			m.updated_at,
			coalesce((SELECT n.path FROM successors n WHERE n.memory_id = m.memory_id LIMIT 1), '') AS successor
		FROM memories m
		ORDER BY m.path`)
	if err != nil {
		return err
	}
	var entries []db.Entry
	for _, now := range list {
		r, m, ok := readMemory(s.Root, now.Path)
		if !ok {
			continue
		}
		then := m.AsOf(at)
		if then == nil {
			continue
		}
		entries = append(entries, db.Entry{File: db.File{Path: now.Path, Size: r.Size}, Memory: then})
		held[s.Root.ShownPath(now.Path)] = past{then, fateOf(&m, at, now.UpdatedAt, now.Successor)}
	}
	return d.Update(ctx, func(tx *db.Tx) error { return tx.Put(entries...) })
}

// fateOf says what became of a memory after a time.
func fateOf(m *schemas.Memory, at time.Time, updated, successor string) string {
	var fate []string
	switch {
	case m.RecordStatus == schemas.Retired:
		fate = append(fate, "retired on "+day(m.RetiredAt))
	case m.RecordStatus == schemas.Archived:
		fate = append(fate, "archived on "+day(m.ArchivedAt))
	case successor != "":
		fate = append(fate, "now superseded by "+strings.TrimSuffix(path.Base(successor), ".json"))
	}
	changed, known := m.ChangedSince(at)
	last, isTime := schemas.ParseTime(updated)
	isMove := updated == m.RetiredAt || updated == m.ArchivedAt
	switch {
	case changed && known:
		fate = append(fate, "changed since")
	case changed, isTime && last.After(at) && !isMove && !m.RecordedSince(at):
		fate = append(fate, "changed since; this may be its text of today")
	}
	return text.Printable(strings.Join(fate, "; "))
}
