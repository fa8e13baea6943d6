package db

import (
	"context"
	"fmt"

	"memctl/migrations"

	"github.com/pressly/goose/v3"
)

// migrate brings an empty database to the newest schema. Only a new index goes through
// goose: an existing one of another version is rebuilt.
func (d *DB) migrate(ctx context.Context) error {
	provider, err := goose.NewProvider(goose.DialectSQLite3, d.sql.DB, migrations.Files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return wrap("create index tables", err)
	}
	return nil
}
