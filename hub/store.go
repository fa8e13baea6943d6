// Package hub holds the memories of many repositories in PostgreSQL and serves them to those who may see them. The
// files in the repositories are authoritative: all but grants, tokens and the audit can be published again. The
// migrations say what each table means; package remote is the wire and the client.
//
// The service acts as the role memctl_hub, to which row security applies, and says in
// each transaction who asks. Migrating and granting need the tables' owner.
package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	"memctl/db"
	"memctl/features/hub/remote"

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
	Version          string        // of this binary, which may find other secrets than another one
	MaxConns         int32         // 0 for pgx's default
	AuditQueries     bool          // keep the text of queries in the audit
	StatementTimeout time.Duration // of what is asked; 0 for none
	WeighAll         bool          // a search weighs all memories, not candidates: answers are compared with that
	Log              *slog.Logger  // nil for none

	// In tests alone: another analyser, fewer different words of a request, and fewer candidates.
	analyser   analyser
	mostWords  int
	candidates int
}

// Store is the hub's database.
type Store struct {
	pool     *pgxpool.Pool
	options  Options
	analyser *db.Analyser // of the words of a prompt
	segments *segments
	metrics  *metrics

	background context.Context // of readers of postings, which end with the store
	stop       context.CancelFunc

	analysing chan struct{} // has an element while the terms of a repository are made again
}

// Open returns the store of a connection string. It does not connect: Ready reports whether the database can be used.
func Open(ctx context.Context, dsn string, o Options) (*Store, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	// Statements without names: a pooler in front of PostgreSQL gives each transaction another connection, and
	// what a lock holds up is parsed only once the transaction has its time limit.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	config.ConnConfig.ConnectTimeout = cmp.Or(config.ConnConfig.ConnectTimeout, connectTimeout)
	parameters := config.ConnConfig.RuntimeParams
	parameters["application_name"] = cmp.Or(parameters["application_name"], "memctl-hub")
	config.MaxConns = cmp.Or(o.MaxConns, config.MaxConns)
	o.analyser.version = cmp.Or(o.analyser.version, AnalyserVersion)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.candidates = cmp.Or(o.candidates, weighed)
	o.mostWords = cmp.Or(o.mostWords, mostWords)
	analyser, err := db.NewAnalyser(ctx)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		analyser.Close()
		return nil, err
	}
	s := &Store{pool: pool, options: o, analyser: analyser, segments: newSegments(),
		analysing: make(chan struct{}, 1)}
	s.metrics = newMetrics(s)
	s.background, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	return s, nil
}

// Close closes all connections.
func (s *Store) Close() {
	s.stop()
	s.pool.Close()
	s.analyser.Close()
}

// Ready returns an error if the database cannot be searched: it cannot be reached, its tables are those of another
// version, or it cannot be written, as a standby, where a search could not be kept in the audit. It asks what a
// search asks, for someone who sees nothing, and tries to keep it. Newer tables that answer are no error: the hubs of
// the version before go on until they are replaced.
func (s *Store) Ready(ctx context.Context) error {
	var schema int64
	if err := s.as(ctx, Principal{}, "", func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `SELECT max(version_id) FROM goose_db_version`).Scan(&schema)
		if err != nil && !isMissing(err) || schema >= newestSchema() {
			return err
		}
		return errOldSchema
	}); err != nil {
		return err
	}
	choose := s.choosing(asked{terms: []string{"ready"}, termParts: []string{topicPart}}, "", true)
	before := func(ctx context.Context, conn *pgx.Conn, b *pgx.Batch) ([]any, error) {
		b.Queue(`SELECT current_setting('transaction_read_only')::boolean`).QueryRow(func(row pgx.Row) error {
			var readOnly bool
			if err := row.Scan(&readOnly); err != nil || !readOnly {
				return err
			}
			return errReadOnly
		})
		// a lock or a right is in the way
		b.Queue(`INSERT INTO audit (person, action, results) SELECT '', '', 0 WHERE false`)
		return choose(ctx, conn, b)
	}
	_, err := answer[remote.Hit](ctx, s, Principal{}, before, nil, searchSQL, []string{"ready"}, []string{topicPart},
		[]string{}, []string{}, preferredWeight, 0.0, nil, 1)
	if isMissing(err) && schema > newestSchema() {
		return errNewSchema
	}
	return err
}

// isMissing reports whether a statement names a table, a column or a function that is not there, or is not for it.
func isMissing(err error) bool {
	return slices.Contains([]string{"42P01", "42703", "42883", "42501"}, sqlState(err))
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

// act is the first statement of a transaction of the service: it names the person and the role. To compile a question
// would take longer than to answer it. It holds for the transaction alone, so a pooler may give the next one to
// another connection.
const act = `
	SELECT
		set_config('role', 'memctl_hub', true),
		set_config('jit', 'off', true),
		set_config('memctl.principals', $1::text[]::text, true),
		set_config('memctl.publishing', $2, true),
		set_config('statement_timeout', $3, true),
		set_config('memctl.person', $4, true),
		set_config('memctl.request', $5, true)`

func actArgs(p Principal, publishing string, timeout time.Duration) []any {
	return []any{append([]string{}, p.names()...), publishing, strconv.FormatInt(timeout.Milliseconds(), 10), p.Person,
		p.Request}
}

func (s *Store) asService(
	ctx context.Context, p Principal, publishing string, timeout time.Duration, fn func(pgx.Tx) error,
) error {
	return s.transaction(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, act, actArgs(p, publishing, timeout)...); err != nil {
			return err
		}
		return fn(tx)
	})
}

// before sends what it adds to the first statements of a transaction, and returns more arguments of its question.
type before func(ctx context.Context, conn *pgx.Conn, first *pgx.Batch) ([]any, error)

// answer returns the rows of a query for what a principal may see, each by position in the fields of a
// struct. The transaction sees one state of the database. It takes one round trip beside that of before, and another
// one for the audit, whose row note makes of the answer and the metrics count; without note there is none.
func answer[T any](
	ctx context.Context, s *Store, by Principal, before before, note func([]T) entry, query string, args ...any,
) (list []T, err error) {
	var kept entry
	err = s.onConnection(ctx, func(conn *pgxpool.Conn) (err error) {
		if before != nil {
			if err := s.keepPlans(ctx, conn.Conn()); err != nil {
				return err
			}
		}
		defer func() {
			if err != nil && !conn.Conn().IsClosed() && conn.Conn().PgConn().TxStatus() != 'I' {
				_, rollback := conn.Exec(context.WithoutCancel(ctx), "ROLLBACK")
				err = errors.Join(err, rollback)
			}
		}()
		asked := &pgx.Batch{}
		asked.Queue("BEGIN ISOLATION LEVEL REPEATABLE READ")
		asked.Queue(act, actArgs(by, "", s.options.StatementTimeout)...)
		if before != nil {
			more, err := before(ctx, conn.Conn(), asked)
			if err != nil {
				return err
			}
			args, asked = append(args, more...), &pgx.Batch{}
		}
		asked.Queue(query, args...).Query(func(rows pgx.Rows) (err error) {
			list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[T])
			return err
		})
		if note == nil {
			asked.Queue("COMMIT")
		}
		if err := conn.SendBatch(ctx, asked).Close(); err != nil || note == nil {
			return err
		}
		kept = note(list)
		var last pgx.Batch
		kept.queue(&last, by.Person)
		last.Queue("COMMIT")
		return conn.SendBatch(ctx, &last).Close()
	})
	if err = cmp.Or(err, kept.missing); err != nil {
		return nil, err // what cannot be audited is not answered
	}
	if note != nil {
		s.metrics.answered(kept)
	}
	return list, nil
}

// asOwner runs fn in a transaction as the role that connects, which must own the tables, or for an administrator. Where
// row security would hide rows of another role, it fails.
func (s *Store) asOwner(ctx context.Context, fn func(pgx.Tx) error) error {
	if a, ok := ctx.Value(administrationKey{}).(administration); ok {
		return s.administer(ctx, a, fn)
	}
	return s.transaction(ctx, pgx.TxOptions{BeginQuery: "BEGIN; SET LOCAL row_security = off"}, fn)
}

// snapshot is of a transaction that sees one state of the database.
var snapshot = pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}

func (s *Store) transaction(ctx context.Context, o pgx.TxOptions, fn func(pgx.Tx) error) error {
	return s.onConnection(ctx, func(conn *pgxpool.Conn) error { return pgx.BeginTxFunc(ctx, conn, o, fn) })
}

func (s *Store) onConnection(ctx context.Context, fn func(*pgxpool.Conn) error) error {
	waiting, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	conn, err := s.pool.Acquire(waiting)
	if err != nil {
		return busy(ctx, err)
	}
	defer conn.Release()
	err = fn(conn)
	if sqlState(err) == "25006" {
		return errReadOnly
	}
	if err != nil && (conn.Conn().IsClosed() || isOverloaded(err)) {
		return busy(ctx, err)
	}
	return err
}

// collect returns the rows of a query, each by position in the fields of a struct.
func collect[T any](ctx context.Context, tx pgx.Tx, query string, args ...any) ([]T, error) {
	rows, _ := tx.Query(ctx, query, args...) // CollectRows returns its error
	return pgx.CollectRows(rows, pgx.RowToStructByPos[T])
}

// own is collect as the tables' owner.
func own[T any](ctx context.Context, s *Store, query string, args ...any) (list []T, err error) {
	err = s.asOwner(ctx, func(tx pgx.Tx) error {
		list, err = collect[T](ctx, tx, query, args...)
		return err
	})
	return list, err
}

// errReadOnly is the answer of a PostgreSQL standby to a write, if only a row of the audit.
var errReadOnly = refusal(http.StatusServiceUnavailable, "read_only",
	"the hub's database is read only, such as a standby: what cannot be kept in the audit is not answered")

// errOldSchema and errNewSchema are answers of Ready.
var (
	errOldSchema = refusal(http.StatusServiceUnavailable, "other_schema",
		"the hub's tables are those of an older version: run \"memctl-hub migrate\" of this one")
	errNewSchema = refusal(http.StatusServiceUnavailable, "other_schema",
		"the hub's tables are those of a newer version: replace this program with that one")
)

// busy returns err as a *remote.Error, unless the request itself was given up.
func busy(ctx context.Context, err error) error {
	if errors.As(err, new(*remote.Error)) || errors.Is(ctx.Err(), context.Canceled) {
		return err
	}
	e := refusal(http.StatusServiceUnavailable, "busy",
		"the hub's database is not available or too slow: try again later")
	if sqlState(err) == "57014" { // --statement-timeout
		e.Code = "too_slow"
	}
	return fmt.Errorf("%w: %w", e, err)
}

// sqlState returns the code of an error of PostgreSQL, "" for another error.
func sqlState(err error) string {
	if e := new(pgconn.PgError); errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// isOverloaded reports whether PostgreSQL gave up what could work later.
// https://www.postgresql.org/docs/current/errcodes-appendix.html
func isOverloaded(err error) bool {
	code := sqlState(err)
	if code == "" {
		return errors.Is(err, context.DeadlineExceeded)
	}
	// Connection exceptions; serialization failures and deadlocks; insufficient resources; what was cancelled, also
	// because the server shuts down; and a lock that is not available.
	return slices.Contains([]string{"08", "40", "53", "57"}, code[:2]) || code == "55P03"
}
