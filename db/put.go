package db

import (
	"fmt"
	"slices"
	"strings"

	"memctl/text"
)

// document is what a file's rows say now.
type document struct {
	Size     int64  `db:"size_bytes"`
	MtimeNS  int64  `db:"mtime_ns"`
	ReadNS   int64  `db:"read_ns"`
	MemoryID int64  `db:"memory_id"` // 0 where the file is no memory
	Title    string `db:"title"`
	Tags     string `db:"tags"`
	Body     string `db:"body"`
	Listed   bool   `db:"listed"` // has rows in changes or related_files
}

const selectDocument = `
	SELECT
		f.size_bytes,
		f.mtime_ns,
		f.read_ns,
		coalesce(f.memory_id, 0) AS memory_id,
		coalesce(m.title, '') AS title,
		coalesce(m.tags, '') AS tags,
		coalesce(b.body, '') AS body,
		EXISTS (SELECT 1 FROM changes c WHERE c.memory_id = f.memory_id)
			OR EXISTS (SELECT 1 FROM related_files r WHERE r.memory_id = f.memory_id) AS listed
	FROM files f
	LEFT JOIN memories m ON m.memory_id = f.memory_id
	LEFT JOIN bodies b ON b.memory_id = f.memory_id
	WHERE f.path = ?`

func (o *document) stamp(path string) Stamp { return Stamp{path, o.Size, o.MtimeNS, o.ReadNS} }

// documentOf returns nil for a file that is not indexed.
func (t *Tx) documentOf(path string) (*document, error) {
	var found []document
	err := t.selectPrepared(&found, selectDocument, path)
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
	there := old != nil
	if there {
		t.fileGoes(old.stamp(e.Path))
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
	return t.putRow("files", "path", there, append([]string{"path"}, fileColumns...),
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
	if err := t.putRow("memories", "memory_id", !fresh, append([]string{"memory_id"}, memoryColumns...), append([]any{id}, m.row...)); err != nil {
		return 0, err
	}
	if fresh || old.Body != m.body {
		if err := t.putRow("bodies", "memory_id", !fresh, []string{"memory_id", "body"}, []any{id, m.body}); err != nil {
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

// putRow writes a row, over the one of the same key where there is one: SQLite
// prepares an update in less time than an insert that may turn into one.
func (t *Tx) putRow(table, key string, there bool, columns []string, row []any) error {
	query := insertStatement(table, columns, 1)
	if there {
		at := slices.Index(columns, key)
		columns, row = slices.Delete(slices.Clone(columns), at, at+1), append(slices.Delete(slices.Clone(row), at, at+1), row[at])
		query = fmt.Sprintf("UPDATE %s SET %s = ? WHERE %s = ?", table, strings.Join(columns, " = ?, "), key)
	}
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
		t.fileGoes(old.stamp(path))
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
	if err := t.removeFullText(old.MemoryID, old.fullText()); err != nil {
		return err
	}
	return t.execPrepared("remove a memory", `DELETE FROM memories WHERE memory_id = ?`, old.MemoryID)
}
