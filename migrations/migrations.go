// Package migrations holds the schema of an index as goose migrations. An index of another
// version is rebuilt, not migrated: change its schema in place and raise db.ContentVersion.
package migrations

import (
	"embed"
	"io/fs"
)

// Files are the migrations, numbered from 1.
//
//go:embed *.sql
var Files embed.FS

// The versions of the databases, which let memctl recognise a current one without goose.
// The catalogue is an index with one more migration.
const (
	Index     = 1
	Catalogue = 2
)

//go:embed sessions/*.sql
var sessions embed.FS

// Sessions are the migrations of the database of past sessions.
func Sessions() fs.FS {
	files, _ := fs.Sub(sessions, "sessions") // of a fixed name: cannot fail
	return files
}
