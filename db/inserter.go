package db

import (
	"fmt"
	"strings"
)

// batchParams is how many values one statement writes: a statement costs more
// than a row, but the driver's binding is quadratic in the number of parameters.
const batchParams = 48

// inserter queues rows of one table and writes them many at a time.
type inserter struct {
	tx      *Tx
	table   string
	columns []string
	perStmt int    // rows of one statement
	full    string // the statement of that many rows
	rows    int
	args    []any
}

func newInserter(tx *Tx, table string, columns ...string) *inserter {
	in := &inserter{
		tx:      tx,
		table:   table,
		columns: columns,
	}
	in.perStmt = max(1, batchParams/len(columns))
	in.full = insertStatement(table, columns, in.perStmt)
	return in
}

func (in *inserter) queue(row ...any) {
	in.args = append(in.args, row...)
	in.rows++
}

func (in *inserter) flush() error {
	args := in.args
	for in.rows > 0 {
		n, query := in.perStmt, in.full
		if in.rows < n {
			n, query = in.rows, insertStatement(in.table, in.columns, in.rows)
		}
		if err := in.tx.execPrepared("write the index", query, args[:n*len(in.columns)]...); err != nil {
			return err
		}
		args = args[n*len(in.columns):]
		in.rows -= n
	}
	in.args = in.args[:0]
	return nil
}

func insertStatement(table string, columns []string, rows int) string {
	row := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES %s%s", table, strings.Join(columns, ", "), strings.Repeat(row+", ", rows-1), row)
}
