package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"memctl/files/gate"

	"github.com/jmoiron/sqlx"
	_ "modernc.org/sqlite" // the driver, without cgo
)

// ContentVersion must be raised whenever the same files would give other rows or
// tables: a new analyser, another column. An index of another version is rebuilt.
const ContentVersion = 24

// memoryPage is the page size of an index in memory, in bytes: SQLite for Go takes twice
// the memory for small pages.
const memoryPage = 64 << 10

// emptyBytes is more than the size of an index without memories.
const emptyBytes = 256 << 10

// DB is an open index, or the catalogue.
type DB struct {
	sql *sqlx.DB
	// Path is the file, "" for an index in memory.
	Path   string
	layout layout
}

// Pragmas are in the DSN, so that every pooled connection has them. Writers take the
// lock at BEGIN, where waiting is safe.
const (
	// SQLite merges the log often, because a new process reads all of it.
	sharedPragmas = "_txlock=immediate&_pragma=wal_autocheckpoint(256)&_pragma=busy_timeout(1000)" +
		"&_pragma=foreign_keys(1)&_pragma=temp_store(memory)&_pragma=secure_delete(1)&_pragma=trusted_schema(0)"
	writePragmas = "mode=rw&_pragma=journal_mode(wal)&_pragma=synchronous(normal)&"
	// No other process opens a file that is being built, and any error discards it. What SQLite
	// sorts for the indexes of a very large store goes to a temporary file.
	buildPragmas = "_pragma=journal_mode(off)&_pragma=synchronous(off)&_pragma=locking_mode(exclusive)"
)

// Open opens an existing index for reading and writing. Rebuildable reports whether
// its error calls for a rebuild.
func Open(ctx context.Context, path string) (*DB, error) {
	return openFile(ctx, path, index, writePragmas+sharedPragmas)
}

// OpenReadOnly opens an index in a folder that cannot be written. No other process
// writes there either, so it needs no lock files.
func OpenReadOnly(ctx context.Context, path string) (*DB, error) {
	if info, err := gate.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		return nil, fmt.Errorf("open index: %w: its write-ahead log was not merged", ErrDamaged)
	}
	return openFile(ctx, path, index, "mode=ro&immutable=1&"+sharedPragmas)
}

// OpenForeign opens another program's database, which it does not change.
func OpenForeign(path string) (*DB, error) {
	if file, _, err := gate.OpenRegular(path); err != nil {
		return nil, err
	} else if err := file.Close(); err != nil {
		return nil, err
	}
	return connect(dsn(path, "mode=ro&_pragma=query_only(1)&_pragma=busy_timeout(1000)&_pragma=trusted_schema(0)"),
		layout{})
}

func openFile(ctx context.Context, path string, l layout, query string) (*DB, error) {
	info, err := gate.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("open index: %w", ErrMissing)
	case err != nil:
		return nil, fmt.Errorf("open index: %w: %w", ErrReadOnly, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("open index: %w: %s is not a regular file", ErrDamaged, path)
	}
	// To open another program's database would change it.
	if own, err := IsOwn(ctx, path); err != nil || !own {
		return nil, fmt.Errorf("open index: %w", cmp.Or(err, ErrDamaged))
	}
	d, err := connect(dsn(path, query), l)
	if err != nil {
		return nil, err
	}
	d.Path = path
	if err := d.check(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// check refuses what is not an index of this version. The schema comes first: an index may
// come with a cloned project. The catalogue does not, and may be newer.
func (d *DB) check(ctx context.Context) error {
	schema := d.checkSchema(ctx)
	if schema != nil && !d.layout.keepNewer {
		return schema
	}
	if err := d.checkVersion(ctx); err != nil {
		return err
	}
	return schema
}

// Create makes a new, empty index at path for a bulk load. The caller finishes it with
// Finish and then renames it into place.
func Create(ctx context.Context, path string) (*DB, error) { return create(ctx, path, index) }

// create closes the new index if it fails.
func create(ctx context.Context, path string, l layout) (*DB, error) {
	if err := checkRoom(path, l.mode); err != nil {
		return nil, fmt.Errorf("create index: %w: %w", ErrReadOnly, err)
	}
	return empty(ctx, dsn(path, "mode=rwc&"+buildPragmas), path, l)
}

// empty connects to a new database, makes its tables, and closes it if it fails.
func empty(ctx context.Context, dsn, path string, l layout) (*DB, error) {
	d, err := connect(dsn, l)
	if err != nil {
		return nil, err
	}
	d.Path = path
	d.sql.SetMaxOpenConns(1) // each connection would open another database in memory
	if err := d.migrate(ctx); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// createFile makes a file of a layout with the first rows that put adds.
func createFile(ctx context.Context, path string, l layout, put func(*Tx) error) error {
	d, err := create(ctx, path, l)
	if err != nil {
		return err
	}
	if err := d.Update(ctx, put); err != nil {
		d.Close()
		return err
	}
	return d.Finish(ctx)
}

// checkRoom makes the file and writes more than an empty index takes: on a full disk,
// goose would try again for three seconds.
func checkRoom(path string, mode fs.FileMode) error {
	file, err := gate.Create(path, mode)
	if err != nil {
		return err
	}
	_, err = file.Write(make([]byte, emptyBytes))
	return errors.Join(err, file.Truncate(0), file.Close())
}

// CreateInMemory makes a new, empty index that lives as long as it is open.
func CreateInMemory(ctx context.Context) (*DB, error) {
	pragmas := fmt.Sprintf("_pragma=page_size(%d)&_pragma=foreign_keys(1)&_pragma=temp_store(memory)&",
		memoryPage) + buildPragmas
	return empty(ctx, "file::memory:?"+pragmas, "", index)
}

// Limit bounds the size of the index, in bytes. A write beyond it fails with
// ErrReadOnly.
func (d *DB) Limit(ctx context.Context, bytes int) error {
	_, err := d.sql.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", bytes/memoryPage))
	return wrap("limit the index", err)
}

// Finish turns a bulk-loaded file into one that many processes can share, and
// closes it.
func (d *DB) Finish(ctx context.Context) error {
	if err := d.putGeneration(ctx); err != nil {
		return err
	}
	for _, pragma := range []string{"synchronous = FULL", "journal_mode = WAL", "locking_mode = NORMAL"} {
		if _, err := d.sql.ExecContext(ctx, "PRAGMA "+pragma); err != nil {
			return wrap("finish index", err)
		}
	}
	return wrap("finish index", d.Close())
}

// Close closes the index. The last process to close it merges the write-ahead
// log, which waits for the disk.
func (d *DB) Close() error { return d.sql.Close() }

func connect(dsn string, l layout) (*DB, error) {
	registerFullText()
	sql, err := sqlx.Open("sqlite", dsn)
	if err != nil {
		return nil, wrap("open index", err)
	}
	return &DB{sql: sql, layout: l}, nil
}

// dsn renders path as a file: URI, which may hold any character.
func dsn(path, query string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows drive
	}
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: query}).String()
}

// checkVersion compares the index's versions with this program's, and its log with the
// index.
func (d *DB) checkVersion(ctx context.Context) error {
	var recorded struct {
		Schema     int64
		Content    string
		Generation int64
	}
	err := d.sql.GetContext(ctx, &recorded, `
		SELECT
			coalesce((SELECT max(version_id) FROM goose_db_version), 0) AS schema,
			coalesce((SELECT value FROM meta WHERE key = 'content_version'), '') AS content,
			coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'generation'), 0) AS generation`)
	if err != nil {
		return wrap("read the index version", err)
	}
	content, _ := strconv.Atoi(recorded.Content)
	if d.layout.keepNewer && (recorded.Schema > d.layout.version || content > d.layout.content) {
		return ErrNewer
	}
	if recorded.Schema != d.layout.version || content != d.layout.content {
		return fmt.Errorf("open index: %w: schema %d, content %q", ErrVersion, recorded.Schema, recorded.Content)
	}
	return d.checkLog(recorded.Generation)
}

// QuickCheck reads every page of the index and queries the full-text table. It returns
// ErrDamaged if either finds a fault. Its time grows with the index
// (https://sqlite.org/pragma.html#pragma_quick_check).
func (d *DB) QuickCheck(ctx context.Context) error {
	problems, err := Query[string](ctx, d, `PRAGMA quick_check(3)`)
	if err != nil {
		return err
	}
	if answer := strings.Join(problems, "; "); answer != "ok" {
		return fmt.Errorf("check the index: %w: %s", ErrDamaged, answer)
	}
	_, err = Query[int](ctx, d, d.layout.query)
	return err
}
