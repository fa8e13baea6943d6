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

// migrations are those of the hub's database, numbered from 1. A hub is migrated, not made again: add a file.
//
//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the schema of a database to the newest version. The role that connects
// becomes the owner of the tables, and a member of memctl_hub.
//
// It does not make the terms of memories: Analyse does.
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
	provider, err := migrator(database)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("create tables: %w", err)
	}
	_, err = database.ExecContext(ctx, `SELECT keep_audit(0)`)
	return err
}

// newestSchema is the number of the newest migration.
func newestSchema() int64 {
	files, _ := migrations.ReadDir("migrations") // they are embedded, and sorted
	number, _ := goose.NumericComponent(files[len(files)-1].Name())
	return number
}

func migrator(database *sql.DB) (*goose.Provider, error) {
	files, _ := fs.Sub(migrations, "migrations") // it is there
	// One process migrates; others look again every second.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, database, files,
		goose.WithDisableGlobalRegistry(true), goose.WithSessionLocker(locker))
}
