// Package migrations holds the index's schema as goose migrations. The index is
// derived: a migration that cannot keep the rows right says so by raising
// db.ContentVersion, and the index is rebuilt.
package migrations

import "embed"

// Files are the migrations, numbered from 1.
//
//go:embed *.sql
var Files embed.FS

// Latest is the version of the newest migration. A test holds it equal to the
// files, so that the prompt hook can tell a current index without goose.
const Latest = 1
