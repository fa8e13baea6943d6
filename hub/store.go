// Package hub holds the memories of many repositories in PostgreSQL and serves them to
// those who may see them. The files in the repositories are authoritative: all but
// grants, tokens and the audit can be published again. The migrations say what each
// table means; package remote is the wire and the client.
//
// The service acts as the role memctl_hub, to which row security applies, and says in
// each transaction who asks. Migrating, granting and checking need the tables' owner.
package hub

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"memctl/db"
	"memctl/remote"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// maxWait is how long a request waits for a free connection.
	maxWait = 5 * time.Second
	// writeTimeout is how long one statement that writes may take.
	writeTimeout = 2 * time.Minute
	// connectTimeout is how long connecting may take.
	connectTimeout = 5 * time.Second
)

// Options are the settings of a Store. The zero value has the defaults.
type Options struct {
	MaxConns         int32         // 0 for pgx's default
	StatementTimeout time.Duration // of what is asked; 0 for none
	Postings         int           // that a search reads to find candidates; 0 for the default
	Log              *slog.Logger  // nil for none
}

// Store is the hub's database.
type Store struct {
	pool     *pgxpool.Pool
	options  Options
	log      *slog.Logger
	analyser *db.Analyser // of the words of a prompt
}

// Open returns the store of a connection string. It does not connect: Ready reports
// whether the database can be used.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	if o.MaxConns > 0 {
		config.MaxConns = o.MaxConns
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "memctl-hub"
	}
	analyser, err := db.NewAnalyser(ctx)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		analyser.Close()
		return nil, err
	}
	s := &Store{pool: pool, options: o, log: o.Log, analyser: analyser}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s, nil
}

// Close closes all connections.
func (s *Store) Close() {
	s.pool.Close()
	s.analyser.Close()
}

// Ready returns an error if the database cannot be used, or if another analyser made its
// terms.
func (s *Store) Ready(ctx context.Context) error {
	return s.as(ctx, Principal{}, "", func(tx pgx.Tx) error { return checkAnalyser(ctx, tx) })
}

// as runs fn in a transaction in which row security shows what p may see. If publishing
// is a repository, its rows can be written too: the caller has checked that p may.
func (s *Store) as(ctx context.Context, p Principal, publishing string, fn func(pgx.Tx) error) error {
	timeout := s.options.StatementTimeout
	if publishing != "" {
		timeout = writeTimeout
	}
	return s.asService(ctx, p, publishing, timeout, fn)
}

func (s *Store) asService(
	ctx context.Context, p Principal, publishing string, timeout time.Duration, fn func(pgx.Tx) error,
) error {
	return s.transaction(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `
			SELECT
				set_config('role', 'memctl_hub', true),
				set_config('memctl.principals', $1::text[]::text, true),
				set_config('memctl.publishing', $2, true),
				set_config('statement_timeout', $3, true)`,
			append([]string{}, p.names()...), publishing, strconv.FormatInt(timeout.Milliseconds(), 10))
		if err != nil {
			return err
		}
		return fn(tx)
	})
}

// asOwner runs fn in a transaction as the role that connects, which must own the tables.
func (s *Store) asOwner(ctx context.Context, fn func(pgx.Tx) error) error {
	return s.transaction(ctx, pgx.TxOptions{}, fn)
}

// inspect is asOwner for reading one state of the database.
func (s *Store) inspect(ctx context.Context, fn func(pgx.Tx) error) error {
	return s.transaction(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, fn)
}

func (s *Store) transaction(ctx context.Context, o pgx.TxOptions, fn func(pgx.Tx) error) error {
	waiting, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	conn, err := s.pool.Acquire(waiting)
	if err != nil {
		return busy(ctx, err)
	}
	defer conn.Release()
	err = pgx.BeginTxFunc(ctx, conn, o, fn)
	if err != nil && (conn.Conn().IsClosed() || isOverloaded(err)) {
		return busy(ctx, err)
	}
	return err
}

// collect returns the rows of a query, each by position in the fields of a struct.
func collect[T any](ctx context.Context, tx pgx.Tx, query string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}

// column returns the rows of a query for one column.
func column[T any](ctx context.Context, tx pgx.Tx, query string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[T])
}

// read is collect of what a principal may see.
func read[T any](ctx context.Context, s *Store, by Principal, query string, args ...any) (list []T, err error) {
	err = s.as(ctx, by, "", func(tx pgx.Tx) error {
		list, err = collect[T](ctx, tx, query, args...)
		return err
	})
	return list, err
}

// own is collect as the tables' owner.
func own[T any](ctx context.Context, s *Store, query string, args ...any) (list []T, err error) {
	err = s.asOwner(ctx, func(tx pgx.Tx) error {
		list, err = collect[T](ctx, tx, query, args...)
		return err
	})
	return list, err
}

// busy returns err as a *remote.Error, unless the request itself was given up.
func busy(ctx context.Context, err error) error {
	if errors.As(err, new(*remote.Error)) || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	e := refusal(http.StatusServiceUnavailable, "busy",
		"the hub's database is not available or too slow: try again later")
	return fmt.Errorf("%w: %w", e, err)
}

// isOverloaded reports whether PostgreSQL gave up what could work later.
// https://www.postgresql.org/docs/current/errcodes-appendix.html
func isOverloaded(err error) bool {
	var e *pgconn.PgError
	if !errors.As(err, &e) {
		return errors.Is(err, context.DeadlineExceeded)
	}
	switch e.Code[:2] {
	case "08", // connection exceptions
		"40", // serialization failures and deadlocks
		"53", // insufficient resources
		"57": // cancelled, or the server shuts down
		return true
	}
	return e.Code == "55P03" // a lock is not available
}
