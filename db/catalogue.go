package db

import (
	"context"
	"fmt"

	"memctl/schemas"
)

// OpenCatalogue opens an existing catalogue for reading and writing. Rebuildable reports
// whether its error calls for a rebuild; ErrNewer does not.
func OpenCatalogue(ctx context.Context, path string) (*DB, error) {
	d, err := openFile(ctx, path, catalogue, writePragmas+sharedPragmas)
	if err != nil {
		return nil, fmt.Errorf("the catalogue %s: %w", path, err)
	}
	return d, nil
}

// CreateCatalogue makes a new, empty catalogue at path, where there is no file.
func CreateCatalogue(ctx context.Context, path string) error {
	return createFile(ctx, path, catalogue, (*Tx).PutConstants)
}

// CatalogueRoot is a row of roots: a memory root that the catalogue has.
type CatalogueRoot struct {
	ID   int64  `db:"root_id"`
	Path string `db:"path"` // where it was last seen
	// Repository is the common directory of the git repository and Place the root's path
	// in a worktree. Without a repository Place is the path.
	Repository string `db:"repository"`
	Place      string `db:"place"`
	Remote     string `db:"remote"` // of the repository, "" for none
	// State is that of the root's folders when the catalogue was made equal to them, ""
	// before.
	State string `db:"state"`
}

// Prefix begins the paths of the root's files in the catalogue.
func (r CatalogueRoot) Prefix() string { return fmt.Sprintf("%d/", r.ID) }

// CatalogueRoots lists the roots of the catalogue.
func (d *DB) CatalogueRoots(ctx context.Context) ([]CatalogueRoot, error) {
	return Query[CatalogueRoot](ctx, d,
		`SELECT root_id, path, repository, place, remote, state FROM roots ORDER BY path`)
}

// PutCatalogueRoot writes a root in the place of the one with the same repository and
// place, and returns its id.
func (t *Tx) PutCatalogueRoot(r CatalogueRoot) (id int64, err error) {
	err = t.get("write a root", &id, `
		INSERT INTO roots (path, repository, place, remote, state)
		VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (repository, place) DO UPDATE SET
			path = excluded.path,
			remote = excluded.remote,
			state = excluded.state
		RETURNING root_id`, r.Path, r.Repository, r.Place, r.Remote, r.State)
	return id, err
}

// RemoveCatalogueRoot deletes a root and all of its files.
func (t *Tx) RemoveCatalogueRoot(r CatalogueRoot) error {
	paths, _ := queryTx[string](t, `SELECT path FROM files WHERE `+below, r.Prefix())
	t.Remove(paths...)
	t.exec("remove folders", `
		DELETE FROM folders
		WHERE folder > ?1 AND folder < ?1 || char(1114111)`, r.Prefix())
	t.ForgetRecorded(r.Prefix())
	return t.exec("remove a root", `DELETE FROM roots WHERE root_id = ?`, r.ID)
}

// DistrustFiles has every file of a root read again, because another worktree may have
// others of the same size and time.
func (t *Tx) DistrustFiles(r CatalogueRoot) error {
	return t.exec("distrust files", `UPDATE files SET read_ns = 0 WHERE path > ?1 || '/' AND path < ?1 || '0'`, r.ID)
}

// SharedFiles counts the files of a root, and how many of them each other root has at the same place and
// with the same bytes, by its id.
func (d *DB) SharedFiles(ctx context.Context, r CatalogueRoot) (shared map[int64]int, all int, err error) {
	var counts []struct {
		RootID int64 `db:"root_id"`
		Files  int   `db:"files"`
	}
	err = d.Select(ctx, &counts, `
		WITH own AS MATERIALIZED (
			SELECT sha256, substr(path, length(?1) + 1) AS below
			FROM files
			WHERE path > ?1 AND path < ?1 || char(1114111)
		)
		SELECT CAST(f.path AS INTEGER) AS root_id, count(*) AS files
		FROM files f
		JOIN own ON own.sha256 = f.sha256 AND own.below = substr(f.path, instr(f.path, '/') + 1)
		GROUP BY 1`, r.Prefix())
	shared = map[int64]int{}
	for _, n := range counts {
		shared[n.RootID] = n.Files
	}
	return shared, shared[r.ID], err
}

// CatalogueCount is how many files of a root have a status, and their size.
type CatalogueCount struct {
	RootID int64          `db:"root_id"`
	Status schemas.Status `db:"record_status"` // "" of files that are no memories
	Files  int            `db:"files"`
	Size   int64          `db:"size_bytes"`
}

// CatalogueCounts counts the files of every root, by its id.
func (d *DB) CatalogueCounts(ctx context.Context) (map[int64][]CatalogueCount, error) {
	counts, err := Query[CatalogueCount](ctx, d, `
		SELECT
			CAST(f.path AS INTEGER) AS root_id,
			coalesce(m.record_status, '') AS record_status,
			count(*) AS files,
			sum(f.size_bytes) AS size_bytes
		FROM files f
		LEFT JOIN memories m ON m.memory_id = f.memory_id
		GROUP BY 1, 2`)
	byRoot := map[int64][]CatalogueCount{}
	for _, n := range counts {
		byRoot[n.RootID] = append(byRoot[n.RootID], n)
	}
	return byRoot, err
}
