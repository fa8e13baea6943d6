package db

import (
	"fmt"
	"strings"

	"memctl/schemas"
)

// Entry is one file as it was read: a memory, or the reason why it is not one.
type Entry struct {
	File
	Memory *schemas.Memory // nil if the file is not a memory, or Prepare has made its rows
	rows   *memoryRows
}

// Prepare makes the rows of a memory, and forgets the memory. It needs no index: another goroutine may do it ahead of
// the loader.
func (e *Entry) Prepare() {
	if e.Memory != nil {
		e.rows, e.Memory = rowsOf(e.Path, Limited(*e.Memory)), nil
	}
}

// Body returns the text of the content that the index has of a memory whose rows are made.
func (e *Entry) Body() string { return e.rows.body }

// The limits of the queue before rows are written.
const (
	flushFiles = 100
	flushBytes = 1 << 20 // of memory files
)

// Loader adds files that the index does not have yet. Close writes the queue.
type Loader struct {
	tx       *Tx
	files    *inserter
	tables   []*inserter // of memories, parents before children
	postings []posting
	tokens   map[string]int64 // ids of recently used tokens
	texts    []fullText
	bytes    int64 // of the files of the memories that are queued
	nextID   int64
	dropped  []string // statements that make indexes
}

// Load starts to fill an index that has no memories yet.
func (t *Tx) Load() *Loader {
	l := &Loader{tx: t, files: newInserter(t, "files", fileColumns...), nextID: 1,
		tokens: map[string]int64{}}
	for _, table := range memoryTables {
		l.tables = append(l.tables, newInserter(t, table.name, append([]string{"memory_id"}, table.columns...)...))
	}
	return l
}

// Add queues the rows of one file.
func (l *Loader) Add(e Entry) error {
	if l.nextID > flushFiles && l.dropped == nil {
		l.dropIndexes()
	}
	if err := l.add(e, 0); err != nil || l.files.rows > 0 {
		return err
	}
	return l.putFullText()
}

// add gives a memory the next id if id is 0.
func (l *Loader) add(e Entry, id int64) error {
	if e.Prepare(); e.rows == nil {
		l.files.queue(e.File.row(nil)...)
	} else {
		if id == 0 {
			id = l.nextID
			l.nextID++
		}
		l.files.queue(e.File.row(id)...)
		l.queue(id, e.rows)
		l.bytes += e.Size
	}
	if l.files.rows < flushFiles && l.bytes < flushBytes {
		return nil
	}
	return l.flush()
}

func (l *Loader) queue(id int64, m *memoryRows) {
	for _, table := range l.tables {
		for _, row := range m.tables[table.table] {
			table.args = append(append(table.args, id), row...)
			table.rows++
		}
	}
	for _, p := range m.postings {
		p.memoryID = id
		l.postings = append(l.postings, p)
	}
	row := m.text
	row.memoryID = id
	l.texts = append(l.texts, row)
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

// flush writes the queue except for the full text.
func (l *Loader) flush() error {
	l.files.flush()
	for _, table := range l.tables {
		table.flush()
	}
	err := l.putPostings()
	l.postings, l.bytes = l.postings[:0], 0
	return err
}

// Close writes the queue and makes the dropped indexes again.
func (l *Loader) Close() error {
	l.flush()
	err := l.putFullText()
	for _, statement := range l.dropped {
		err = l.tx.exec("create an index", statement)
	}
	return err
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
	perStatement int    // rows
	statement    string // for perStatement rows
	rows         int
	args         []any
}

func newInserter(tx *Tx, table string, columns ...string) *inserter {
	rows := max(1, batchParams/len(columns))
	return &inserter{tx: tx, table: table, columns: columns, perStatement: rows,
		statement: insertStatement(table, columns, rows)}
}

func (in *inserter) queue(row ...any) {
	in.args = append(in.args, row...)
	in.rows++
}

func (in *inserter) flush() error {
	args := in.args
	for in.rows > 0 {
		n, statement := in.perStatement, in.statement
		if in.rows < n {
			n, statement = in.rows, insertStatement(in.table, in.columns, in.rows)
		}
		size := n * len(in.columns)
		in.tx.execShort("write the index", statement, args[:size]...)
		args = args[size:]
		in.rows -= n
	}
	in.args = in.args[:0]
	return in.tx.err
}

// insertStatement uses OR FAIL: for a plain INSERT of several rows SQLite begins a savepoint, which makes FTS5 write a
// segment. Rows before a failure do not matter, since the transaction is rolled back.
func insertStatement(table string, columns []string, rows int) string {
	row := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	all := strings.Repeat(row+", ", rows-1) + row
	return fmt.Sprintf("INSERT OR FAIL INTO %s (%s) VALUES %s", table, strings.Join(columns, ", "), all)
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
