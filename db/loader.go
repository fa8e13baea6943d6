package db

import (
	"encoding/json"
	"maps"
)

// flushFiles is how many files are queued before their rows are written.
const flushFiles = 64

// Loader writes the rows of many files in one transaction. Parents are written
// before children; postings last and in key order, which keeps their b-tree
// sequential.
type Loader struct {
	tx       *Tx
	nextID   int64
	fresh    bool        // the index was empty: full text is indexed at the end, at once
	tables   []*inserter // in writing order
	files    *inserter
	memories *inserter
	bodies   *inserter
	changes  *inserter
	related  *inserter
	fts      *inserter
	postings map[string][]posting // by token; of one token in order of memory_id
	pending  int
}

// Load starts writing entries. Rows of the same paths must have been removed.
func (t *Tx) Load() (*Loader, error) {
	l := &Loader{tx: t, postings: map[string][]posting{}}
	if err := t.get("find the next id", &l.nextID, `SELECT coalesce(max(memory_id), 0) + 1 FROM memories`); err != nil {
		return nil, err
	}
	l.fresh = l.nextID == 1
	l.files = newInserter(t, "files", "path", "memory_id", "size_bytes", "mtime_ns", "read_ns", "sha256", "problem")
	l.memories = newInserter(t, "memories", append([]string{"memory_id"}, memoryColumns...)...)
	l.bodies = newInserter(t, "bodies", "memory_id", "body")
	l.changes = newInserter(t, "changes", "memory_id", "position", "date", "summary", "field", "old_value", "new_value")
	l.related = newInserter(t, "related_files", "memory_id", "file")
	l.fts = newInserter(t, "memories_fts", "rowid", "title", "tags", "body")
	l.fts.rowsPerStatement(1) // a statement of many rows makes FTS5 write out its buffer each time
	l.tables = []*inserter{l.files, l.memories, l.bodies, l.changes, l.related, l.fts}
	return l, nil
}

// Add queues the rows of one file.
func (l *Loader) Add(e Entry) error {
	var id any
	if e.memory != nil {
		id = l.nextID
		l.addMemory(l.nextID, e.memory)
		l.nextID++
	}
	l.files.queue(e.Path, id, e.Size, e.MtimeNS, e.ReadNS, e.SHA256, nullable(e.Problem))
	l.pending++
	if l.pending < flushFiles {
		return nil
	}
	return l.flush()
}

func (l *Loader) addMemory(id int64, m *memoryRows) {
	l.memories.queue(append([]any{id}, m.row...)...)
	l.bodies.queue(id, m.body)
	if !l.fresh {
		l.fts.queue(id, m.title, m.joined, m.body)
	}
	for i, c := range m.changes {
		l.changes.queue(id, i, c.Date, c.Summary, nullable(c.Field), jsonValue(c.OldValue), jsonValue(c.NewValue))
	}
	for _, file := range m.files {
		l.related.queue(id, file)
	}
	for _, p := range m.postings {
		p.memoryID = id
		l.postings[p.token] = append(l.postings[p.token], p)
	}
}

func (l *Loader) flush() error {
	l.pending = 0
	for _, table := range l.tables {
		if err := table.flush(); err != nil {
			return err
		}
	}
	return nil
}

// Close writes what is queued.
func (l *Loader) Close() error {
	if err := l.flush(); err != nil {
		return err
	}
	if err := l.closePostings(); err != nil {
		return err
	}
	if l.fresh {
		return l.tx.rebuildFullText()
	}
	return nil
}

func (l *Loader) closePostings() error {
	tokens, err := l.tx.tokenIDs(maps.Keys(l.postings))
	if err != nil {
		return err
	}
	table := newInserter(l.tx, "postings", "token_id", "memory_id", "in_title", "in_tags")
	for _, t := range tokens {
		for _, p := range l.postings[t.Token] {
			table.queue(t.ID, p.memoryID, p.inTitle, p.inTags)
		}
		if table.rows < table.perStmt {
			continue
		}
		if err := table.flush(); err != nil {
			return err
		}
	}
	return table.flush()
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func jsonValue(raw json.RawMessage) any { return nullable(string(raw)) }
