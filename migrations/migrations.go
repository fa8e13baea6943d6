// Package migrations holds the schemas of memctl's databases as goose migrations. A database of another
// version is rebuilt, not migrated: change its schema in place and raise db.ContentVersion.
package migrations

import "embed"

// Files are the migrations, numbered from 1.
//
//go:embed *.sql
var Files embed.FS

// The versions of the databases, which let memctl recognise a current one without goose.
// The catalogue is an index with one more migration, Roots; past sessions have one of their own.
const (
	Tables    = 2
	Roots     = 3
	Sessions  = 4
	Index     = 5
	Catalogue = 5
)
