package db

import (
	"context"
	"encoding/json"
	"fmt"

	"memctl/migrations"
	"memctl/schemas"
)

// OpenCatalogue opens an existing catalogue for reading and writing. Rebuildable reports
// whether its error calls for a rebuild; ErrNewer does not.
func OpenCatalogue(ctx context.Context, path string) (*DB, error) {
	d, err := openFile(ctx, path, catalogue, "mode=rw&_pragma=journal_mode(wal)&_pragma=synchronous(normal)&"+sharedPragmas)
	if err != nil {
		return nil, fmt.Errorf("the catalogue %s: %w", path, err)
	}
	return d, nil
}

// CreateCatalogue makes a new, empty catalogue at path. The caller finishes it with
// Finish and then renames it into place.
func CreateCatalogue(ctx context.Context, path string) (*DB, error) {
	return create(ctx, path, catalogue)
}

// checkNewer returns ErrNewer for a catalogue of a later memctl.
func (d *DB) checkNewer(ctx context.Context) error {
	var newer []bool
	err := d.sql.SelectContext(ctx, &newer, `
		SELECT 1
		WHERE (SELECT max(version_id) FROM catalogue_db_version) > ?
			OR (SELECT max(version_id) FROM goose_db_version) > ?
			OR (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'content_version') > ?`,
		migrations.LatestCatalogue, migrations.LatestIndex, ContentVersion)
	if err == nil && len(newer) > 0 {
		return ErrNewer
	}
	return nil // what is no catalogue fails the other checks
}

// CatalogueRoot is a row of roots: a memory root that the catalogue has.
type CatalogueRoot struct {
	ID   int64  `db:"root_id"`
	Path string `db:"path"` // where it was last seen
	// Repository is the common directory of the git repository and Place the root's path
	// in a worktree. Without a repository Place is the path.
	Repository string `db:"repository"`
	Place      string `db:"place"`
	Remote     string `db:"remote"`   // of the repository, "" for none
	Complete   bool   `db:"complete"` // whether every memory is there
	NotedNS    int64  `db:"noted_ns"` // when the root's own index was read for it
}

// Prefix begins the paths of the root's files in the catalogue.
func (r CatalogueRoot) Prefix() string { return fmt.Sprintf("%d/", r.ID) }

// CatalogueRoots lists the roots of the catalogue.
func (d *DB) CatalogueRoots(ctx context.Context) ([]CatalogueRoot, error) {
	var roots []CatalogueRoot
	err := d.Select(ctx, &roots, `SELECT root_id, path, repository, place, remote, complete, noted_ns FROM roots ORDER BY path`)
	return roots, err
}

// PutCatalogueRoot writes a root in the place of the one with the same repository and
// place, and returns its id.
func (t *Tx) PutCatalogueRoot(r CatalogueRoot) (id int64, err error) {
	err = t.get("write a root", &id, `
		INSERT INTO roots (path, repository, place, remote, complete, noted_ns)
		VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (repository, place) DO UPDATE SET
			path = excluded.path,
			remote = excluded.remote,
			complete = excluded.complete,
			noted_ns = excluded.noted_ns
		RETURNING root_id`, r.Path, r.Repository, r.Place, r.Remote, r.Complete, r.NotedNS)
	return id, err
}

// RemoveCatalogueRoot deletes a root and all of its files.
func (t *Tx) RemoveCatalogueRoot(r CatalogueRoot) error {
	var paths []string
	if err := t.Select(&paths, `SELECT path FROM files WHERE path > ? AND path < ?`, r.Prefix(), pathsEnd(r.Prefix())); err != nil {
		return err
	}
	for _, path := range paths {
		if err := t.Remove(path); err != nil {
			return err
		}
	}
	return t.exec("remove a root", `DELETE FROM roots WHERE root_id = ?`, r.ID)
}

// pathsEnd is above every path that begins with prefix, which ends in a slash or is "".
func pathsEnd(prefix string) string {
	if prefix == "" {
		return "\U0010FFFF"
	}
	return prefix[:len(prefix)-1] + "0" // '0' follows '/'
}

// CountPaths returns how many files have a path that begins with prefix, as FileStates
// takes it.
func (d *DB) CountPaths(ctx context.Context, prefix string) (int, error) {
	var n []int
	err := d.Select(ctx, &n, `SELECT count(*) FROM files WHERE path > ? AND path < ?`, prefix, pathsEnd(prefix))
	return append(n, 0)[0], err
}

// FileState is what an index has of a file. Two equal states are of the same content.
type FileState struct {
	Path  string `db:"path"`
	State string `db:"state"`
}

// FileStates returns the states of the files whose paths begin with prefix and then
// follow after, sorted by path: at most limit. The paths are without the prefix, which is
// that of a root in the catalogue, or "".
func (d *DB) FileStates(ctx context.Context, prefix, after string, limit int) ([]FileState, error) {
	var states []FileState
	err := d.Select(ctx, &states, `
		SELECT substr(path, ?) AS path, sha256 || ' ' || coalesce(problem, '') AS state
		FROM files
		WHERE path > ? AND path < ?
		ORDER BY files.path
		LIMIT ?`, len(prefix)+1, prefix+after, pathsEnd(prefix), limit)
	return states, err
}

// FileStatesOf returns the states of those of the given files that are indexed, sorted by
// path, without the prefix that they have.
func (d *DB) FileStatesOf(ctx context.Context, prefix string, paths []string) ([]FileState, error) {
	list, err := json.Marshal(paths)
	if err != nil {
		return nil, err
	}
	var states []FileState
	err = d.Select(ctx, &states, `
		SELECT j.value AS path, f.sha256 || ' ' || coalesce(f.problem, '') AS state
		FROM json_each(?) j
		CROSS JOIN files f ON f.path = ? || j.value
		ORDER BY j.value`, string(list), prefix)
	return states, err
}

// ReadSince returns the states of the files that were read after a time, or could not be
// read, sorted by path: at most limit.
func (d *DB) ReadSince(ctx context.Context, ns int64, limit int) ([]FileState, error) {
	var states []FileState
	err := d.Select(ctx, &states, `
		SELECT path, sha256 || ' ' || coalesce(problem, '') AS state
		FROM files
		WHERE read_ns > ? OR read_ns = 0
		ORDER BY path
		LIMIT ?`, ns, limit)
	return states, err
}

// State is the state of a file as FileStates returns it.
func (f File) State() string { return f.SHA256 + " " + f.Problem }

// CatalogueCount is how many files of a root have a status, and their size.
type CatalogueCount struct {
	RootID int64          `db:"root_id"`
	Status schemas.Status `db:"record_status"` // "" of files that are no memories
	Files  int            `db:"files"`
	Size   int64          `db:"size_bytes"`
}

// CatalogueCounts counts the files of every root.
func (d *DB) CatalogueCounts(ctx context.Context) ([]CatalogueCount, error) {
	var counts []CatalogueCount
	err := d.Select(ctx, &counts, `
		SELECT
			CAST(f.path AS INTEGER) AS root_id,
			coalesce(m.record_status, '') AS record_status,
			count(*) AS files,
			sum(f.size_bytes) AS size_bytes
		FROM files f
		LEFT JOIN memories m ON m.memory_id = f.memory_id
		GROUP BY 1, 2`)
	return counts, err
}
