package db

import (
	"encoding/json"
	"maps"
)

// flushFiles is how many files are queued before their rows are written.
const flushFiles = 64

// Loader fills an empty index in one transaction. Parents are written before
// children; postings last and in key order, which keeps their b-tree sequential;
// then the full text, in one go.
type Loader struct {
	tx       *Tx
	nextID   int64
	tables   []*inserter // in writing order
	files    *inserter
	memories *inserter
	bodies   *inserter
	changes  *inserter
	related  *inserter
	postings map[string][]posting // by token; of one token in order of memory_id
	pending  int
}

// Load starts filling an index that has no memories yet.
func (t *Tx) Load() *Loader {
	l := &Loader{tx: t, nextID: 1, postings: map[string][]posting{}}
	l.files = newInserter(t, "files", append([]string{"path"}, fileColumns...)...)
	l.memories = newInserter(t, "memories", append([]string{"memory_id"}, memoryColumns...)...)
	l.bodies = newInserter(t, "bodies", "memory_id", "body")
	l.changes = newInserter(t, "changes", changeColumns...)
	l.related = newInserter(t, "related_files", relatedColumns...)
	l.tables = []*inserter{l.files, l.memories, l.bodies, l.changes, l.related}
	return l
}

// Add queues the rows of one file.
func (l *Loader) Add(e Entry) error {
	var id any
	if e.memory != nil {
		id = l.nextID
		l.addMemory(l.nextID, e.memory)
		l.nextID++
	}
	l.files.queue(append([]any{e.Path}, e.row(id)...)...)
	l.tx.fileComes(e.File)
	l.pending++
	if l.pending < flushFiles {
		return nil
	}
	return l.flush()
}

func (l *Loader) addMemory(id int64, m *memoryRows) {
	l.memories.queue(append([]any{id}, m.row...)...)
	l.bodies.queue(id, m.body)
	m.queueLists(id, l.changes, l.related)
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
	return l.tx.fillFullText()
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

var (
	changeColumns  = []string{"memory_id", "position", "date", "summary", "field", "old_value", "new_value"}
	relatedColumns = []string{"memory_id", "file"}
)

func (m *memoryRows) queueLists(id int64, changes, related *inserter) {
	for i, c := range m.changes {
		changes.queue(id, i, c.Date, c.Summary, nullable(c.Field), jsonValue(c.OldValue), jsonValue(c.NewValue))
	}
	for _, file := range m.files {
		related.queue(id, file)
	}
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func jsonValue(raw json.RawMessage) any { return nullable(string(raw)) }
