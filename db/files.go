package db

import (
	"cmp"
	"context"

	"memctl/schemas"
	"memctl/text"
)

// File is one row of files: a *.json file of a category folder as it was when
// memctl last read it. Times are nanoseconds since 1970.
type File struct {
	Path    string // relative to the root, with slashes
	Size    int64
	MtimeNS int64
	ReadNS  int64
	SHA256  string
	Problem string // why the file is not a memory; "" if it is one
}

// fileColumns are in the order of File.row.
var fileColumns = []string{"path", "memory_id", "size_bytes", "mtime_ns", "read_ns", "sha256", "problem"}

func (f *File) row(memoryID any) []any {
	return []any{f.Path, memoryID, f.Size, f.MtimeNS, f.ReadNS, f.SHA256, nullable(f.Problem)}
}

// Stamp identifies the version of a file that is indexed, without its content.
type Stamp struct {
	Path    string `db:"path"`
	Size    int64  `db:"size_bytes"`
	MtimeNS int64  `db:"mtime_ns"`
	ReadNS  int64  `db:"read_ns"`
}

// Stamps returns the stamps of the files in a folder that follow a path ("" for the
// first), sorted by path, at most limit. The folder ends in a slash.
func (d *DB) Stamps(ctx context.Context, folder, after string, limit int) ([]Stamp, error) {
	rows, err := d.sql.QueryContext(ctx, `
		SELECT path, size_bytes, mtime_ns, read_ns
		FROM files
		WHERE path > max(?1, ?2) AND path < ?1 || char(1114111)
		ORDER BY path
		LIMIT ?3`, folder, after, limit)
	if err != nil {
		return nil, wrap("list the files of the index", err)
	}
	defer rows.Close()
	var stamps []Stamp
	for rows.Next() { // a prompt may wait for thousands of rows, and sqlx takes as long as SQLite
		var s Stamp
		if err := rows.Scan(&s.Path, &s.Size, &s.MtimeNS, &s.ReadNS); err != nil {
			return nil, wrap("list the files of the index", err)
		}
		stamps = append(stamps, s)
	}
	return stamps, wrap("list the files of the index", rows.Err())
}

// CountFiles returns how many files of a folder are indexed.
func (d *DB) CountFiles(ctx context.Context, folder string) (int, error) {
	return QueryRow[int](ctx, d, `SELECT count(*) FROM files WHERE path > ?1 AND path < ?1 || char(1114111)`, folder)
}

// StampsOf returns the stamps of those of the given files that are indexed, sorted
// by path.
func (d *DB) StampsOf(ctx context.Context, paths []string) ([]Stamp, error) {
	return Query[Stamp](ctx, d, `
		SELECT path, size_bytes, mtime_ns, read_ns
		FROM files
		WHERE path IN (SELECT value FROM json_each(?))
		ORDER BY path`, JSON(paths))
}

// SHA256sOf returns the hashes under which files of a folder were indexed, by path.
func (d *DB) SHA256sOf(ctx context.Context, folder string, names []string) (map[string]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var files []struct {
		Path   string `db:"path"`
		SHA256 string `db:"sha256"`
	}
	err := d.Select(ctx, &files, `
		SELECT path, sha256
		FROM files
		WHERE path IN (SELECT ? || value FROM json_each(?))`, folder, JSON(names))
	hashes := make(map[string]string, len(files))
	for _, f := range files {
		hashes[f.Path] = f.SHA256
	}
	return hashes, err
}

// Paths returns the paths of all files, sorted.
func (t *Tx) Paths() ([]string, error) {
	return queryTx[string](t, `SELECT path FROM files ORDER BY path`)
}

// Touch records that memctl read a file again and found the same content.
func (t *Tx) Touch(f File) error {
	return t.exec("update a file's stamp", `
		UPDATE files
		SET size_bytes = ?, mtime_ns = ?, read_ns = ?
		WHERE path = ?`, f.Size, f.MtimeNS, f.ReadNS, f.Path)
}

// maxReason is the longest reason, in code points.
const maxReason = 300

// Reason is the text of an error that the index keeps as the reason of a problem: one line, never empty.
func Reason(err error) string {
	return cmp.Or(text.Ellipsis(text.Printable(err.Error()), maxReason), "unreadable")
}

// Problems lists the files that could not be indexed, sorted by path: at most limit, or all if
// limit is negative.
func (t *Tx) Problems(limit int) ([]schemas.Problem, error) {
	return queryTx[schemas.Problem](t, `SELECT path, reason FROM problems ORDER BY path LIMIT ?`, limit)
}

// CountProblems returns how many files and folders could not be indexed.
func (t *Tx) CountProblems() (int, error) {
	var n int
	err := t.get("count problems", &n, `SELECT count(*) FROM problems`)
	return n, err
}

// Folder is one category folder as it was when its files were last compared. A
// folder that does not exist has an mtime of 0.
type Folder struct {
	Folder   string `db:"folder"`
	MtimeNS  int64  `db:"mtime_ns"`
	ListedNS int64  `db:"listed_ns"`
	Problem  string `db:"problem"` // why it cannot be read; "" normally
}

// Folders returns the recorded folders whose names begin with a prefix, by name, and
// whether the index has more than n files. To count them costs the same in an index of
// any size.
func (d *DB) Folders(ctx context.Context, prefix string, n int) (folders map[string]Folder, more bool, err error) {
	var rows []struct {
		Folder
		More bool `db:"more"`
	}
	err = d.Select(ctx, &rows, `
		SELECT folder, mtime_ns, listed_ns, coalesce(problem, '') AS problem,
			(SELECT count(*) > ?1 FROM (SELECT 1 FROM files LIMIT ?1 + 1)) AS more
		FROM folders
		WHERE folder > ?2 AND folder < ?2 || char(1114111)`, n, prefix)
	folders = make(map[string]Folder, len(rows))
	for _, row := range rows {
		folders[row.Folder.Folder], more = row.Folder, row.More
	}
	return folders, more, err
}

// PutFolder records a folder.
func (t *Tx) PutFolder(f Folder) error {
	return t.exec("write a folder", `
		REPLACE INTO folders (folder, mtime_ns, listed_ns, problem)
		VALUES (?, ?, ?, ?)`, f.Folder, f.MtimeNS, f.ListedNS, nullable(f.Problem))
}
