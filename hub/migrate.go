package hub

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// migrations are those of the hub's database, numbered from 1. A hub is migrated, not made
// again: add a file.
//
//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the schema of a database to the newest version. The role that connects
// becomes the owner of the tables, and a member of memctl_hub.
//
// It does not make the terms of memories: if this program's analyser is new to the database, Ready then reports that,
// and Analyse makes them.
func Migrate(ctx context.Context, dsn string) error { return migrate(ctx, dsn, AnalyserVersion) }

func migrate(ctx context.Context, dsn string, version int) error {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return err
	}
	database := stdlib.OpenDB(*config)
	defer database.Close()
	var encoding string
	if err := database.QueryRowContext(ctx, `SHOW server_encoding`).Scan(&encoding); err != nil {
		return err
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the database has the encoding %s: create one with UTF8", encoding)
	}
	provider, err := migrator(database)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("create tables: %w", err)
	}
	_, err = database.ExecContext(ctx, `SELECT add_analyser($1), keep_audit(0)`, version)
	return err
}

func migrator(database *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	// One process migrates; others look again every second.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, database, files,
		goose.WithDisableGlobalRegistry(true), goose.WithSessionLocker(locker))
}

// storedMemories reads the documents of a repository, and their hashes.
func storedMemories(ctx context.Context, tx pgx.Tx, repo int32) ([]*version, error) {
	return readVersions(ctx, tx, `
		SELECT memory_id, path, hash, document
		FROM memories
		WHERE repo_id = $1
		ORDER BY path`, repo)
}

func readVersions(ctx context.Context, tx pgx.Tx, query string, args ...any) ([]*version, error) {
	rows, _ := tx.Query(ctx, query, args...) // CollectRows returns its error
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (*version, error) {
		var v version
		err := row.Scan(&v.id, &v.path, &v.hash, &v.document)
		return &v, err
	})
}

func (v *vocabulary) positionsByID(list []*version) (ids []int64, positions []string) {
	for _, m := range list {
		ids, positions = append(ids, m.id), append(positions, v.positions(m.analysis))
	}
	return ids, positions
}
