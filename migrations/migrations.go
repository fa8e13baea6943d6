// Package migrations holds the index's schema as goose migrations. An index of another
// version is rebuilt, not migrated: change the schema in place and raise
// db.ContentVersion.
package migrations

import "embed"

// Files are the migrations, numbered from 1.
//
//go:embed *.sql
var Files embed.FS

