package db

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"

	"memctl/migrations"

	"github.com/pressly/goose/v3"
)

// layout is what a kind of database looks like.
type layout struct {
	mode    fs.FileMode
	version int64 // of its last migration
	// digest is the SHA-256 of the schema that the migrations make. A test compares
	// the two: a change of a migration changes the digest.
	digest string
	// keepNewer refuses a database of a later memctl, instead of rebuilding it.
	keepNewer bool
}

var (
	index = layout{
		mode:    0o644,
		version: migrations.Index,
		digest:  "e12f1f9b223f4c8de1ee8d64981fc6ba9952a7d33e2af03eeb13bdd2d9af101f",
	}
	catalogue = layout{
		mode:    0o600,
		version: migrations.Catalogue,
		digest:  "73b8ad58a99ca012e3e7ef0baf0999efaa611357c5ce50ff58f1abc454d35225",
		// If each of two versions rebuilt it for the other, neither would find it complete.
		keepNewer: true,
	}
)

// migrate brings an empty database to the newest schema. Only a new one goes through
// goose: an existing one of another version is rebuilt.
func (d *DB) migrate(ctx context.Context) error {
	provider, err := goose.NewProvider(goose.DialectSQLite3, d.sql.DB, migrations.Files,
		goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	_, err = provider.UpTo(ctx, d.layout.version)
	return wrap("create tables", err)
}

// selectSchema reads the schema without evaluating any of it: to SQLite, sqlite_schema
// is a table like any other.
const selectSchema = `
	SELECT coalesce(group_concat(type || char(10) || name || char(10) || tbl_name || char(10) || coalesce(sql, ''), char(10)), '')
	FROM (SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name)`

// checkSchema compares the whole schema with the one that the migrations make. An index
// may come with a cloned project, and a view in a table's place or a trigger would run
// in every later statement.
func (d *DB) checkSchema(ctx context.Context) error {
	found, err := d.schemaDigest(ctx)
	if err == nil && found != d.layout.digest {
		err = fmt.Errorf("open index: %w: its tables are not this version's", ErrVersion)
	}
	return err
}

func (d *DB) schemaDigest(ctx context.Context) (string, error) {
	var schema string
	if err := d.sql.GetContext(ctx, &schema, selectSchema); err != nil {
		return "", wrap("read the index's schema", err)
	}
	sum := sha256.Sum256([]byte(schema))
	return hex.EncodeToString(sum[:]), nil
}
