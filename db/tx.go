package db

import (
	"context"
	"database/sql"

	"github.com/jmoiron/sqlx"
)

// Tx is one transaction. The per-table files hang their methods on it.
type Tx struct {
	ctx      context.Context
	db       *DB
	tx       *sqlx.Tx
	prepared map[string]*sqlx.Stmt
	// fingerprints is what changed of them so far, by folder.
	fingerprints map[string]*fingerprintChanges
}

// Select runs one query, which needs no transaction of its own. Preparing a
// statement takes longer than running it, so it is kept for the next time.
func (d *DB) Select(ctx context.Context, into any, query string, args ...any) error {
	stmt, err := d.prepare(ctx, query)
	if err != nil {
		return wrap("query the index", err)
	}
	return wrap("query the index", stmt.SelectContext(ctx, into, args...))
}

func (d *DB) prepare(ctx context.Context, query string) (*sqlx.Stmt, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if stmt, ok := d.prepared[query]; ok {
		return stmt, nil
	}
	stmt, err := d.sql.PreparexContext(ctx, query)
	if err != nil {
		return nil, err
	}
	if d.prepared == nil {
		d.prepared = map[string]*sqlx.Stmt{}
	}
	d.prepared[query] = stmt
	return stmt, nil
}

func (d *DB) preparedBefore(query string) *sqlx.Stmt {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.prepared[query]
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
		if err := tx.putFingerprints(); err != nil {
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
	if err := fn(&Tx{ctx: ctx, db: d, tx: tx}); err != nil {
		return err
	}
	return wrap("commit", tx.Commit())
}

// Select runs a query into a slice of structs, or of scalars for one column.
func (t *Tx) Select(into any, query string, args ...any) error {
	return wrap("query the index", t.tx.SelectContext(t.ctx, into, query, args...))
}

func (t *Tx) get(doing string, into any, query string, args ...any) error {
	return wrap(doing, t.tx.GetContext(t.ctx, into, query, args...))
}

func (t *Tx) exec(doing, query string, args ...any) error {
	_, err := t.tx.ExecContext(t.ctx, query, args...)
	return wrap(doing, err)
}

// execPrepared and selectPrepared are for statements that come many times in a
// transaction.
func (t *Tx) execPrepared(doing, query string, args ...any) error {
	stmt, err := t.prepare(query)
	if err == nil {
		_, err = stmt.ExecContext(t.ctx, args...)
	}
	return wrap(doing, err)
}

func (t *Tx) selectPrepared(into any, query string, args ...any) error {
	stmt, err := t.prepare(query)
	if err == nil {
		err = stmt.SelectContext(t.ctx, into, args...)
	}
	return wrap("query the index", err)
}

func (t *Tx) prepare(query string) (*sqlx.Stmt, error) {
	if stmt, ok := t.prepared[query]; ok {
		return stmt, nil
	}
	stmt, err := t.newStatement(query)
	if err != nil {
		return nil, err
	}
	if t.prepared == nil {
		t.prepared = map[string]*sqlx.Stmt{}
	}
	t.prepared[query] = stmt
	return stmt, nil
}

// newStatement takes the one that was prepared for use outside, if there is one.
func (t *Tx) newStatement(query string) (*sqlx.Stmt, error) {
	if stmt := t.db.preparedBefore(query); stmt != nil {
		return t.tx.StmtxContext(t.ctx, stmt), nil
	}
	return t.tx.PreparexContext(t.ctx, query)
}
