package db

import (
	"fmt"
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

// The limits of the queue before rows are written.
const (
	flushFiles = 500
	flushBytes = 1 << 20 // of memory files
)

// Loader adds files that the index does not have yet. Close writes the queue.
type Loader struct {
	tx       *Tx
	files    *inserter
	memories *inserter
	bodies   *inserter
	changes  *inserter
	related  *inserter
	commands *inserter
	lines    *inserter
	succeed  *inserter
	postings []posting
	bytes    int64 // of the files of the memories that are queued
	nextID   int64
	ids      []int64  // of the memories that were added
	dropped  []string // statements that make indexes
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
		commands: newInserter(t, "commands", "memory_id", "command"),
		lines:    newInserter(t, "forbidden_lines", "memory_id", "expression"),
		succeed:  newInserter(t, "successions", "memory_id", "name", "supersedes"),
		nextID:   1,
	}
}

// Add queues the rows of one file.
func (l *Loader) Add(e Entry) error {
	if l.nextID > flushFiles && l.dropped == nil {
		l.dropIndexes()
	}
	return l.add(e, 0)
}

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
	for _, command := range limitedList(m.Commands(), MaxList, MaxTitle) {
		l.commands.queue(id, command)
	}
	if check := m.Check(); check.Lines() != nil {
		l.lines.queue(id, check.ForbiddenLines)
	}
	for name, supersedes := range successionsOf(&m) {
		l.succeed.queue(id, name, supersedes)
	}
	l.postings = append(l.postings, postingsOf(id, m.Title, tags)...)
}

// dropIndexes drops the indexes of the tables until Close: sorting all their rows costs less than
// finding the place of each.
func (l *Loader) dropIndexes() {
	indexes, _ := queryTx[struct{ Name, SQL string }](l.tx,
		`SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`)
	for _, index := range indexes {
		l.tx.exec("drop an index", "DROP INDEX "+index.Name)
		l.dropped = append(l.dropped, index.SQL)
	}
}

// flush writes the queue, parents before children.
func (l *Loader) flush() error {
	for _, table := range []*inserter{l.files, l.memories, l.bodies, l.changes, l.related, l.commands, l.lines,
		l.succeed} {
		table.flush()
	}
	err := l.tx.putPostings(l.postings)
	l.postings, l.bytes = l.postings[:0], 0
	return err
}

// Close writes the queue, the indexes and the full text of everything that was added.
func (l *Loader) Close() error {
	l.flush()
	for _, statement := range l.dropped {
		l.tx.exec("create an index", statement)
	}
	return l.tx.addFullText(l.ids)
}

func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// batchParams is how many values one statement writes: a statement costs more than a
// row, but the driver's binding is quadratic in the number of parameters.
const batchParams = 48

// inserter queues rows of one table and writes several with each statement.
type inserter struct {
	tx           *Tx
	table        string
	columns      []string
	perStatement int // rows
	rows         int
	args         []any
}

func newInserter(tx *Tx, table string, columns ...string) *inserter {
	return &inserter{tx: tx, table: table, columns: columns, perStatement: max(1, batchParams/len(columns))}
}

func (in *inserter) queue(row ...any) {
	in.args = append(in.args, row...)
	in.rows++
}

func (in *inserter) flush() error {
	args := in.args
	for in.rows > 0 {
		n := min(in.rows, in.perStatement)
		size := n * len(in.columns)
		in.tx.exec("write the index", insertStatement(in.table, in.columns, n), args[:size]...)
		args = args[size:]
		in.rows -= n
	}
	in.args = in.args[:0]
	return in.tx.err
}

func insertStatement(table string, columns []string, rows int) string {
	row := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	all := strings.Repeat(row+", ", rows-1) + row
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES %s", table, strings.Join(columns, ", "), all)
}

// Put writes the rows of files in place of those that they had. A memory keeps its
// memory_id.
func (t *Tx) Put(entries ...Entry) error {
	loader := t.Load()
	t.get("find the next id", &loader.nextID, `SELECT coalesce(max(memory_id), 0) + 1 FROM memories`)
	for _, e := range entries {
		ids, _ := queryTx[int64](t, `SELECT coalesce(memory_id, 0) FROM files WHERE path = ?`, e.Path)
		if len(ids) > 0 {
			t.Remove(e.Path)
		}
		if err := loader.add(e, append(ids, 0)[0]); err != nil {
			return err
		}
	}
	return loader.Close()
}

// Remove deletes every row of files. Foreign keys delete those of their memories in the
// other tables. A path may be no UTF-8, so none goes through JSON.
func (t *Tx) Remove(paths ...string) error {
	const id = `(SELECT memory_id FROM files WHERE path = ?)`
	for _, path := range paths {
		// FTS5 wants the values that were added.
		t.exec("remove full text", `
			INSERT INTO memories_fts (memories_fts, rowid, title, tags, body, rest)
			SELECT 'delete', memory_id, full_text(title), full_text(tags), full_text(body), full_text(rest)
			FROM memory_documents
			WHERE memory_id = `+id, path)
		t.exec("remove a memory", `DELETE FROM memories WHERE memory_id = `+id, path)
		t.exec("remove a file", `DELETE FROM files WHERE path = ?`, path)
		t.removed.Memories++
	}
	return t.err
}
