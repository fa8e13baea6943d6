// Package migrations holds the index's schema as goose migrations. An index of another
// version is rebuilt, not migrated: change the schema in place and raise
// db.ContentVersion.
package migrations

import "embed"

// Files are the migrations, numbered from 1.
//
//go:embed *.sql
var Files embed.FS

// Latest is the version of the newest migration, which a test compares with the files.
// It lets a prompt recognise a current index without goose.
const Latest = 1
