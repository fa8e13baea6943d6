package db

import (
	"fmt"
	"strings"
)

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
		if err := in.tx.exec("write the index", insertStatement(in.table, in.columns, n), args[:size]...); err != nil {
			return err
		}
		args = args[size:]
		in.rows -= n
	}
	in.args = in.args[:0]
	return nil
}

func insertStatement(table string, columns []string, rows int) string {
	row := "(" + strings.Repeat("?, ", len(columns)-1) + "?)"
	all := strings.Repeat(row+", ", rows-1) + row
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES %s", table, strings.Join(columns, ", "), all)
}
