package db

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Tx is one transaction. The per-table files hang their methods on it. It prepares
// each statement once, because a bulk load runs a few of them thousands of times.
//
// After an error every statement fails with it, and nothing is committed. So only the last
// of several statements need be checked.
type Tx struct {
	ctx      context.Context
	tx       *sqlx.Tx
	err      error                 // the first one
	prepared map[string]*sqlx.Stmt // by query
	removed  removals
}

// Select runs one query, outside of any transaction, into a slice of structs, or of
// scalars for one column.
func (d *DB) Select(ctx context.Context, into any, query string, args ...any) error {
	return wrap("query the index", d.sql.SelectContext(ctx, into, query, args...))
}

// Query runs a statement and returns a value for each row: a struct, or the column if
// there is only one.
func Query[T any](ctx context.Context, d *DB, statement string, args ...any) (rows []T, err error) {
	err = d.Select(ctx, &rows, statement, args...)
	return rows, err
}

// QueryRow runs a statement and returns its first row, the zero value if there is none.
func QueryRow[T any](ctx context.Context, d *DB, statement string, args ...any) (row T, err error) {
	rows, err := Query[T](ctx, d, statement, args...)
	return append(rows, row)[0], err
}

// queryTx is Query in a transaction.
func queryTx[T any](t *Tx, statement string, args ...any) (rows []T, err error) {
	err = t.Select(&rows, statement, args...)
	return rows, err
}

// View runs fn on one consistent state of the index.
func (d *DB) View(ctx context.Context, fn func(*Tx) error) error {
	return d.run(ctx, &sql.TxOptions{ReadOnly: true}, fn)
}

// Update runs fn under the write lock and commits its changes, all or nothing.
func (d *DB) Update(ctx context.Context, fn func(*Tx) error) error {
	return d.update(ctx, "writes", fn)
}

// UpdateObservations is Update for rows of observations. The state of the index (Noted) stays the same.
func (d *DB) UpdateObservations(ctx context.Context, fn func(*Tx) error) error {
	return d.update(ctx, "observation_writes", fn)
}

func (d *DB) update(ctx context.Context, counter string, fn func(*Tx) error) error {
	return d.run(ctx, nil, func(tx *Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return tx.countWrite(counter)
	})
}

func (d *DB) run(ctx context.Context, opts *sql.TxOptions, fn func(*Tx) error) error {
	tx, err := d.sql.BeginTxx(ctx, opts)
	if err != nil {
		return wrap("begin", err)
	}
	defer tx.Rollback()
	t := &Tx{ctx: ctx, tx: tx, prepared: map[string]*sqlx.Stmt{}}
	if err := fn(t); err != nil || t.err != nil {
		return cmp.Or(err, t.err)
	}
	return wrap("commit", tx.Commit())
}

// Select runs a query into a slice, as DB.Select does.
func (t *Tx) Select(into any, query string, args ...any) error {
	stmt, err := t.prepare(query)
	if err == nil {
		err = stmt.SelectContext(t.ctx, into, args...)
	}
	return t.fail("query the index", err)
}

func (t *Tx) get(doing string, into any, query string, args ...any) error {
	stmt, err := t.prepare(query)
	if err == nil {
		err = stmt.GetContext(t.ctx, into, args...)
	}
	return t.fail(doing, err)
}

func (t *Tx) exec(doing, query string, args ...any) error {
	stmt, err := t.prepare(query)
	if err == nil {
		_, err = stmt.ExecContext(t.ctx, args...)
	}
	return t.fail(doing, err)
}

// execShort is exec for one of many short statements. To interrupt each, the driver would start a goroutine for it.
func (t *Tx) execShort(doing, query string, args ...any) error {
	stmt, err := t.prepare(query)
	if err == nil {
		err = t.ctx.Err()
	}
	if err == nil {
		_, err = stmt.Exec(args...)
	}
	return t.fail(doing, err)
}

// fail returns the first error of the transaction.
func (t *Tx) fail(doing string, err error) error {
	if t.err == nil {
		t.err = wrap(doing, err)
	}
	return t.err
}

func (t *Tx) prepare(query string) (*sqlx.Stmt, error) {
	if stmt, ok := t.prepared[query]; ok || t.err != nil {
		return stmt, t.err
	}
	stmt, err := t.tx.PreparexContext(t.ctx, query)
	if err == nil {
		t.prepared[query] = stmt
	}
	return stmt, err
}

// JSON returns a parameter that SQL reads as JSON text.
func JSON(value any) driver.Valuer { return jsonText{value} }

type jsonText struct{ value any }

// Value implements driver.Valuer.
func (j jsonText) Value() (driver.Value, error) {
	data, err := json.Marshal(j.value)
	return string(data), err
}

// The causes that callers branch on. Errors of this package wrap them.
var (
	// ErrMissing means that there is no index file.
	ErrMissing = errors.New("no index")
	// ErrDamaged means that the file is not an index or that SQLite finds it corrupt.
	ErrDamaged = errors.New("the index is damaged")
	// ErrVersion means that another version of memctl made the index.
	ErrVersion = errors.New("the index has another version")
	// ErrNewer means that a later version of memctl made the catalogue.
	ErrNewer = errors.New("a later version of memctl made the catalogue")
	// ErrBusy means that another process held the write lock for too long.
	ErrBusy = errors.New("the index is busy")
	// ErrReadOnly means that the index or its folder cannot be written.
	ErrReadOnly = errors.New("the index cannot be written")
)

// Rebuildable reports whether a new index would fix err.
func Rebuildable(err error) bool {
	return errors.Is(err, ErrMissing) || errors.Is(err, ErrDamaged) || errors.Is(err, ErrVersion)
}

// Unwritable reports whether err prevents writing only.
func Unwritable(err error) bool {
	return errors.Is(err, ErrBusy) || errors.Is(err, ErrReadOnly)
}

// wrap adds the failed step and the sentinel that SQLite's code maps to.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	if sentinel := sentinelOf(err); sentinel != nil {
		return fmt.Errorf("%s: %w: %w", doing, sentinel, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// sentinelOf maps primary result codes (https://sqlite.org/rescode.html). Every
// statement is fixed, so a plain SQLITE_ERROR can only mean that a table or column is
// missing: another program made the file.
func sentinelOf(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_ERROR,
		sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_MISMATCH:
		return ErrDamaged
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return ErrBusy
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM:
		return ErrReadOnly
	}
	return nil
}
