package db

import (
	"context"
	"fmt"
	"io/fs"

	"memctl/migrations"

	"github.com/pressly/goose/v3"
)

// layout is what a kind of database looks like.
type layout struct {
	mode fs.FileMode
	// digest is the SHA-256 of the schema that the migrations make. A test compares
	// the two: a change of a migration changes the digest.
	digest string
	parts  []part
	// keepNewer refuses a database of a later memctl, instead of rebuilding it.
	keepNewer bool
}

// part is a folder of migrations, with the table in which goose records their version.
type part struct {
	files    fs.FS
	folder   string
	versions string
}

var (
	index = layout{
		mode:   0o644,
		digest: "4a4a6a672cfd25c8d48b21d7acb8cb536127b31049f2e9b766db83d23ff70a56",
		parts:  []part{{migrations.Index, "index", "goose_db_version"}},
	}
	catalogue = layout{
		mode:   0o600,
		digest: "9cfe64cf92b1ff17553a350063c2abae5e6248b86f8768d9197fc9382df3a6a8",
		parts:  []part{index.parts[0], {migrations.Catalogue, "catalogue", "catalogue_db_version"}},
		// If each of two versions rebuilt it for the other, neither would find it complete.
		keepNewer: true,
	}
)

// migrate brings an empty database to the newest schema. Only a new one goes through
// goose: an existing one of another version is rebuilt.
func (d *DB) migrate(ctx context.Context) error {
	for _, p := range d.layout.parts {
		files, err := fs.Sub(p.files, p.folder)
		if err != nil {
			return fmt.Errorf("read migrations: %w", err)
		}
		provider, err := goose.NewProvider(goose.DialectSQLite3, d.sql.DB, files, goose.WithDisableGlobalRegistry(true), goose.WithTableName(p.versions))
		if err != nil {
			return fmt.Errorf("read migrations: %w", err)
		}
		if _, err := provider.Up(ctx); err != nil {
			return wrap("create tables", err)
		}
	}
	return nil
}
