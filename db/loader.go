package db

import (
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// Entry is one file as it was read: a memory, or the reason why it is not one.
type Entry struct {
	File
	Memory *schemas.Memory // nil if the file is not a memory
}

// What is queued before rows are written.
const (
	flushFiles = 256
	flushBytes = 1 << 20 // of memory files
)

// Loader adds files that the index does not have yet. Close writes what it queued.
type Loader struct {
	tx       *Tx
	files    *inserter
	memories *inserter
	bodies   *inserter
	changes  *inserter
	related  *inserter
	postings []posting
	bytes    int64 // of the files of the memories that are queued
	nextID   int64
	ids      []int64 // of the memories that were added
}

var changeColumns = []string{"memory_id", "position", "date", "summary", "field", "old_value", "new_value"}

// Load starts to fill an index that has no memories yet.
func (t *Tx) Load() *Loader {
	return &Loader{
		tx:       t,
		files:    newInserter(t, "files", fileColumns...),
		memories: newInserter(t, "memories", memoryColumns...),
		bodies:   newInserter(t, "bodies", "memory_id", "body"),
		changes:  newInserter(t, "changes", changeColumns...),
		related:  newInserter(t, "related_files", "memory_id", "file"),
		nextID:   1,
	}
}

// Add queues the rows of one file.
func (l *Loader) Add(e Entry) error { return l.add(e, 0) }

// add gives a memory the next id if id is 0.
func (l *Loader) add(e Entry, id int64) error {
	if e.Memory == nil {
		l.files.queue(e.File.row(nil)...)
	} else {
		if id == 0 {
			id = l.nextID
			l.nextID++
		}
		l.files.queue(e.File.row(id)...)
		l.addMemory(id, e.Path, limited(*e.Memory))
		l.bytes += e.Size
	}
	if l.files.rows < flushFiles && l.bytes < flushBytes {
		return nil
	}
	return l.flush()
}

func (l *Loader) addMemory(id int64, path string, m schemas.Memory) {
	tags := text.Tags(m.Tags)
	l.ids = append(l.ids, id)
	l.memories.queue(memoryRow(id, path, strings.Join(tags, ","), &m)...)
	l.bodies.queue(id, bodyText(m))
	for i, c := range m.Changes {
		l.changes.queue(id, i, c.Date, c.Summary,
			nullable(c.Field), nullable(string(c.OldValue)), nullable(string(c.NewValue)))
	}
	for _, file := range slices.Compact(slices.Sorted(slices.Values(m.RelatedFiles))) {
		l.related.queue(id, file)
	}
	l.postings = append(l.postings, postingsOf(id, m.Title, tags)...)
}

// flush writes what is queued, parents before children.
func (l *Loader) flush() error {
	for _, table := range []*inserter{l.files, l.memories, l.bodies, l.changes, l.related} {
		if err := table.flush(); err != nil {
			return err
		}
	}
	err := l.tx.putPostings(l.postings)
	l.postings, l.bytes = l.postings[:0], 0
	return err
}

// Close writes what is queued, and the full text of everything that was added.
func (l *Loader) Close() error {
	if err := l.flush(); err != nil {
		return err
	}
	return l.tx.addFullText(l.ids)
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}
