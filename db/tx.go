package db

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"

	"github.com/jmoiron/sqlx"
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

// View runs fn on one consistent state of the index.
func (d *DB) View(ctx context.Context, fn func(*Tx) error) error {
	return d.run(ctx, &sql.TxOptions{ReadOnly: true}, fn)
}

// Update runs fn under the write lock and commits what it did, all or nothing.
func (d *DB) Update(ctx context.Context, fn func(*Tx) error) error {
	return d.run(ctx, nil, func(tx *Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return tx.countWrite()
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
