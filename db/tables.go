package db

import "encoding/json"

// tables queues the rows of files and their memories, but for their postings and
// full text.
type tables struct {
	files    *inserter
	memories *inserter
	bodies   *inserter
	changes  *inserter
	related  *inserter
}

func newTables(t *Tx) *tables {
	return &tables{
		files:    newInserter(t, "files", fileColumns...),
		memories: newInserter(t, "memories", memoryColumns...),
		bodies:   newInserter(t, "bodies", "memory_id", "body"),
		changes:  newInserter(t, "changes", "memory_id", "position", "date", "summary", "field", "old_value", "new_value"),
		related:  newInserter(t, "related_files", "memory_id", "file"),
	}
}

// queueFile queues a file. memoryID is nil if the file is not a memory.
func (w *tables) queueFile(f *File, memoryID any) { w.files.queue(f.row(memoryID)...) }

func (w *tables) queueMemory(id int64, m *memoryRows) {
	w.memories.queue(append([]any{id}, m.row...)...)
	w.bodies.queue(id, m.body)
	for i, c := range m.changes {
		w.changes.queue(id, i, c.Date, c.Summary, nullable(c.Field), jsonValue(c.OldValue), jsonValue(c.NewValue))
	}
	for _, file := range m.files {
		w.related.queue(id, file)
	}
}

// flush writes what is queued, parents before children.
func (w *tables) flush() error {
	for _, table := range []*inserter{w.files, w.memories, w.bodies, w.changes, w.related} {
		if err := table.flush(); err != nil {
			return err
		}
	}
	return nil
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func jsonValue(raw json.RawMessage) any { return nullable(string(raw)) }
