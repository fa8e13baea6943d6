package db

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"memctl/files/gate"
	"memctl/migrations"
	"memctl/text"

	"github.com/pressly/goose/v3"
)

// applicationID marks the databases that memctl makes: "mctl" in ASCII. It is at
// applicationOffset of the file's header (https://sqlite.org/fileformat2.html#the_database_header).
const (
	applicationID     = 0x6d63746c
	applicationOffset = 68
	headerSize        = 100
	headerStart       = "SQLite format 3\x00"
)

// ErrForeign means that another program's database is in the place of the index. No rebuild
// replaces it.
var ErrForeign = fmt.Errorf("%w: another program's database is in its place; move it away", ErrReadOnly)

// IsOwn reports whether the file at a path may be deleted to make room for an index: it is
// memctl's own, it is empty, or it is no file at all. It returns ErrForeign for the database of
// another program, and ErrReadOnly for a file that it cannot read.
func IsOwn(ctx context.Context, path string) (bool, error) {
	if info, err := gate.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return true, nil
	}
	file, size, err := gate.OpenRegular(path)
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	defer file.Close()
	if size == 0 {
		return true, nil
	}
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(file, header); err != nil || !strings.HasPrefix(string(header), headerStart) {
		return false, nil
	}
	switch binary.BigEndian.Uint32(header[applicationOffset:]) {
	case applicationID:
		return true, nil
	case 0:
		if hasOlderTables(ctx, path) {
			return true, nil
		}
	}
	return false, ErrForeign
}

// hasOlderTables recognises an index of the versions that did not mark theirs, and a database
// without tables.
func hasOlderTables(ctx context.Context, path string) bool {
	d, err := connect(dsn(path, "mode=ro&immutable=1&"+sharedPragmas), index)
	if err != nil {
		return false
	}
	defer d.Close()
	var found bool
	err = d.sql.GetContext(ctx, &found, `
		SELECT count(*) = 0 OR sum(name IN ('goose_db_version', 'meta', 'memories', 'tokens')) = 4
		FROM sqlite_master`)
	return err == nil && found
}

// layout describes the tables of a kind of database.
type layout struct {
	mode    fs.FileMode
	version int64    // of its last migration
	without []int64  // migrations before that are another's
	kinds   []string // of its texts that have vectors
	content int      // raised whenever the same files would give other rows or tables
	// digest is the SHA-256 of the schema that the migrations make. A test compares
	// the two: a change of a migration changes the digest.
	digest string
	// query asks the full text, which quick_check leaves out.
	query string
	// keepNewer refuses a database of a later memctl, instead of rebuilding it.
	keepNewer bool
}

const askMemories = `SELECT count(*) FROM memories_fts WHERE memories_fts MATCH 'a OR b'`

var (
	index = layout{
		mode:    0o644,
		version: migrations.Index,
		without: []int64{migrations.Roots, migrations.Sessions},
		kinds:   []string{MemoryVectors, ObservationVectors},
		content: ContentVersion,
		digest:  "75bc1a08080e7537998a348dd70c769c79933fbad387f8b2c9f4112217389e06",
		query:   askMemories,
	}
	catalogue = layout{
		mode:    0o600,
		version: migrations.Catalogue,
		without: []int64{migrations.Sessions},
		kinds:   []string{MemoryVectors},
		content: ContentVersion,
		digest:  "088e5fa45494f45a80ea75d5093605931bd89372de1a0d889bc8a6c2f786b3d2",
		query:   askMemories,
		// If each of two versions rebuilt it for the other, neither would find it complete.
		keepNewer: true,
	}
	pastSessions = layout{
		mode:      0o600,
		version:   migrations.Sessions,
		without:   []int64{migrations.Tables, migrations.Roots},
		kinds:     []string{PassageVectors},
		content:   SessionsVersion,
		digest:    "da6c52ede9e8ceb0ffa36776d4bf2998776972ed265ce9d9597ec6cb55cfc576",
		query:     `SELECT count(*) FROM passages_fts WHERE passages_fts MATCH 'a OR b'`,
		keepNewer: true,
	}
)

// migrate brings an empty database to the newest schema. Only a new one goes through
// goose: an existing one of another version is rebuilt.
func (d *DB) migrate(ctx context.Context) error {
	provider, err := goose.NewProvider(goose.DialectSQLite3, d.sql.DB, migrations.Files,
		goose.WithDisableGlobalRegistry(true), goose.WithExcludeVersions(d.layout.without))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	_, err = provider.UpTo(ctx, d.layout.version)
	return wrap("create tables", err)
}

// selectSchema reads the schema without evaluating any of it: to SQLite, sqlite_schema
// is a table like any other.
const selectSchema = `
	SELECT coalesce(group_concat(
		type || char(10) || name || char(10) || tbl_name || char(10) || coalesce(sql, ''), char(10)), '')
	FROM (SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name)`

// checkSchema compares the whole schema with the one that the migrations make. An index
// may come with a cloned project, and a view in a table's place or a trigger would run
// in every later statement.
func (d *DB) checkSchema(ctx context.Context) error {
	digest, err := d.schemaDigest(ctx)
	if err == nil && digest != d.layout.digest {
		err = fmt.Errorf("open index: %w: its tables are not this version's", ErrVersion)
	}
	return err
}

func (d *DB) schemaDigest(ctx context.Context) (string, error) {
	var schema string
	if err := d.sql.GetContext(ctx, &schema, selectSchema); err != nil {
		return "", wrap("read the index's schema", err)
	}
	return text.Hash(schema, sha256.Size), nil
}
