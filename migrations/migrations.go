// Package migrations holds the schema of an index as goose migrations. An index of another
// version is rebuilt, not migrated: change its schema in place and raise db.ContentVersion.
package migrations

import "embed"

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
