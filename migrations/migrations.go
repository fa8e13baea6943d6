// Package migrations holds the schemas of memctl's databases as goose migrations. A database of another
// version is rebuilt, not migrated: change its schema in place and raise db.ContentVersion.
package migrations

import "embed"

// Files are the migrations, numbered from 1.
//
//go:embed *.sql
var Files embed.FS

// The versions of the databases, which let memctl recognise a current one without goose.
// The catalogue is an index with one more migration; past sessions have none of these two.
const (
	Index     = 2
	Catalogue = 3
	Sessions  = 4
)
