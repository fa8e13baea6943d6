// Package migrations holds the schemas as goose migrations, a folder for each database.
// An index or catalogue of another version is rebuilt, not migrated: change its schema in
// place and raise db.ContentVersion.
package migrations

import "embed"

// The migrations of each database, numbered from 1. The catalogue is an index with
// further tables, so it gets those of the index first.
var (
	//go:embed index/*.sql
	Index embed.FS
	//go:embed catalogue/*.sql
	Catalogue embed.FS
)

// The versions of the newest migrations, which a test compares with the files. They let
// memctl recognise a current database without goose.
const (
	LatestIndex     = 1
	LatestCatalogue = 1
)
