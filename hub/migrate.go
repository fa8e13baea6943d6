package hub

import (
	"context"
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
// Migrate does not change the terms of memories: if Ready then reports another analyser,
// Reanalyse makes them again.
func Migrate(ctx context.Context, dsn string) error {
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
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	// One process migrates; others look again every second.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, database, files,
		goose.WithDisableGlobalRegistry(true), goose.WithSessionLocker(locker))
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("create tables: %w", err)
	}
	_, err = database.ExecContext(ctx, `
		INSERT INTO hub (analyser_version)
		VALUES ($1)
		ON CONFLICT DO NOTHING`, AnalyserVersion)
	return err
}
