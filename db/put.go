package db

import (
	"encoding/json"
	"slices"
	"strings"

	"memctl/text"
)

// document is what a file's rows say now.
type document struct {
	Size     int64  `db:"size_bytes"`
	MtimeNS  int64  `db:"mtime_ns"`
	MemoryID int64  `db:"memory_id"` // 0 where the file is no memory
	Title    string `db:"title"`
	Tags     string `db:"tags"`
	Body     string `db:"body"`
	Listed   bool   `db:"listed"` // has rows in changes or related_files
}

// documentOf returns nil for a file that is not indexed.
func (t *Tx) documentOf(path string) (*document, error) {
	var found []document
	err := t.selectPrepared(&found, `
		SELECT
			f.size_bytes,
			f.mtime_ns,
			coalesce(f.memory_id, 0) AS memory_id,
			coalesce(m.title, '') AS title,
			coalesce(m.tags, '') AS tags,
			coalesce(b.body, '') AS body,
			EXISTS (SELECT 1 FROM changes c WHERE c.memory_id = f.memory_id)
				OR EXISTS (SELECT 1 FROM related_files r WHERE r.memory_id = f.memory_id) AS listed
		FROM files f
		LEFT JOIN memories m ON m.memory_id = f.memory_id
		LEFT JOIN bodies b ON b.memory_id = f.memory_id
		WHERE f.path = ?`, path)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Put writes the rows of one file over those it had. A prompt may be waiting for
// it, so what is the same is not written again.
func (t *Tx) Put(e Entry) error {
	old, err := t.documentOf(e.Path)
	if err != nil {
		return err
	}
	if old != nil {
		t.fileGoes(Stamp{Path: e.Path, Size: old.Size, MtimeNS: old.MtimeNS})
	} else {
		old = &document{}
	}
	t.fileComes(e.File)
	var id any
	switch {
	case e.memory != nil:
		if id, err = t.putMemory(old, e.memory); err != nil {
			return err
		}
	case old.MemoryID != 0:
		if err := t.removeMemory(old); err != nil {
			return err
		}
	}
	return t.putRow("files", "path", append([]string{"path"}, fileColumns...),
		append([]any{e.Path}, e.row(id)...))
}

// putMemory returns the memory's id: the one it had, or a new one.
func (t *Tx) putMemory(old *document, m *memoryRows) (int64, error) {
	id := old.MemoryID
	fresh := id == 0
	if fresh {
		if err := t.get("find the next id", &id, `SELECT coalesce(max(memory_id), 0) + 1 FROM memories`); err != nil {
			return 0, err
		}
	}
	if err := t.putRow("memories", "memory_id", append([]string{"memory_id"}, memoryColumns...), append([]any{id}, m.row...)); err != nil {
		return 0, err
	}
	if fresh || old.Body != m.body {
		if err := t.putRow("bodies", "memory_id", []string{"memory_id", "body"}, []any{id, m.body}); err != nil {
			return 0, err
		}
	}
	if fresh || old.Title != m.title || old.Tags != m.joined || old.Body != m.body {
		if err := t.putFullText(id, fresh, old, m); err != nil {
			return 0, err
		}
	}
	if err := t.putPostings(id, old, m.postings); err != nil {
		return 0, err
	}
	return id, t.putLists(id, old.Listed, m)
}

func (t *Tx) putFullText(id int64, fresh bool, old *document, m *memoryRows) error {
	if !fresh {
		if err := t.removeFullText(id, old); err != nil {
			return err
		}
	}
	return t.addFullText(id, m)
}

// putPostings writes the tokens that came and removes those that went.
func (t *Tx) putPostings(id int64, old *document, postings []posting) error {
	was := old.postings()
	var gone, come []posting
	for _, p := range was {
		if !slices.Contains(postings, p) {
			gone = append(gone, p)
		}
	}
	for _, p := range postings {
		if !slices.Contains(was, p) {
			come = append(come, p)
		}
	}
	if err := t.removePostings(id, gone); err != nil {
		return err
	}
	return t.addPostings(id, come)
}

func (o *document) postings() []posting {
	if o.MemoryID == 0 {
		return nil
	}
	return postingsOf(o.Title, text.Tags([]string{o.Tags}))
}

// putLists writes what a memory has many of, and before had perhaps.
func (t *Tx) putLists(id int64, had bool, m *memoryRows) error {
	changes := newInserter(t, "changes", changeColumns...)
	related := newInserter(t, "related_files", relatedColumns...)
	m.queueLists(id, changes, related)
	for _, table := range []struct {
		in     *inserter
		remove string
	}{
		{changes, `DELETE FROM changes WHERE memory_id = ?`},
		{related, `DELETE FROM related_files WHERE memory_id = ?`},
	} {
		if had {
			if err := t.execPrepared("remove old rows", table.remove, id); err != nil {
				return err
			}
		}
		if err := table.in.flush(); err != nil {
			return err
		}
	}
	return nil
}

// putRow writes a row over the one of the same key.
func (t *Tx) putRow(table, key string, columns []string, row []any) error {
	var set []string
	for _, column := range columns {
		if column != key {
			set = append(set, column+" = excluded."+column)
		}
	}
	query := insertStatement(table, columns, 1) + " ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(set, ", ")
	return t.execPrepared("write a row of "+table, query, row...)
}

// Remove deletes every row of the files named.
func (t *Tx) Remove(paths []string) error {
	for _, path := range paths {
		old, err := t.documentOf(path)
		if err != nil {
			return err
		}
		if old == nil {
			continue
		}
		t.fileGoes(Stamp{Path: path, Size: old.Size, MtimeNS: old.MtimeNS})
		if old.MemoryID != 0 {
			if err := t.removeMemory(old); err != nil {
				return err
			}
		}
		if err := t.execPrepared("remove a file", `DELETE FROM files WHERE path = ?`, path); err != nil {
			return err
		}
	}
	return nil
}

// removeMemory deletes a memory's postings and full text, then the memory; the
// other tables follow by their foreign keys.
func (t *Tx) removeMemory(old *document) error {
	if err := t.removePostings(old.MemoryID, old.postings()); err != nil {
		return err
	}
	if err := t.removeFullText(old.MemoryID, old); err != nil {
		return err
	}
	return t.execPrepared("remove a memory", `DELETE FROM memories WHERE memory_id = ?`, old.MemoryID)
}

// addPostings writes postings of one memory, giving ids to new tokens.
func (t *Tx) addPostings(id int64, postings []posting) error {
	if len(postings) == 0 {
		return nil
	}
	list, err := json.Marshal(rowsOf(postings))
	if err != nil {
		return err
	}
	if err := t.execPrepared("write tokens", `
		INSERT INTO tokens (token)
		SELECT value ->> 0 FROM json_each(?) WHERE true
		ON CONFLICT (token) DO NOTHING`, string(list)); err != nil {
		return err
	}
	return t.execPrepared("write postings", `
		INSERT INTO postings (token_id, memory_id, in_title, in_tags)
		SELECT t.token_id, ?, j.value ->> 1, j.value ->> 2
		FROM json_each(?) j
		CROSS JOIN tokens t ON t.token = j.value ->> 0`, id, string(list))
}

func rowsOf(postings []posting) [][3]any {
	rows := make([][3]any, len(postings))
	for i, p := range postings {
		rows[i] = [3]any{p.token, number(p.inTitle), number(p.inTags)}
	}
	return rows
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}
