package db

import (
	"context"
	"math"
	"strconv"
	"strings"
)

// File is one row of files: a *.json file of a category folder as it was when
// it was last read. Times are nanoseconds since 1970.
type File struct {
	Path    string `db:"path"` // relative to the root, with slashes
	Size    int64  `db:"size_bytes"`
	MtimeNS int64  `db:"mtime_ns"`
	ReadNS  int64  `db:"read_ns"`
	SHA256  string `db:"sha256"`
	Problem string `db:"problem"`
	// Inode is not written: the fingerprints take it in.
	Inode uint64
	// Settled says that size and mtime tell this file from what it is next.
	Settled bool
}

// fileColumns are the columns of files after path, as File.row fills them.
var fileColumns = []string{"memory_id", "size_bytes", "mtime_ns", "read_ns", "sha256", "problem"}

func (f *File) row(memoryID any) []any {
	return []any{memoryID, f.Size, f.MtimeNS, f.ReadNS, f.SHA256, nullable(f.Problem)}
}

// Stamp is what tells without reading a file whether it is the one indexed.
type Stamp struct {
	Path    string
	Size    int64
	MtimeNS int64
	ReadNS  int64
}

// Stamps lists the files of a folder, sorted by path, and the folder itself where
// it could not be read. It is one row to SQLite: a folder of 20,000 files would
// otherwise cost 20,000 steps. For a file that had long settled when it was read
// it leaves out when that was.
func (d *DB) Stamps(ctx context.Context, folder string) ([]Stamp, error) {
	var packed []string
	err := d.Select(ctx, &packed, `
		SELECT group_concat(path || '/' || size_bytes || '/' || mtime_ns || '/' || iif(read_ns - mtime_ns > 2000000000, '', read_ns), char(0))
		FROM (
			SELECT path, size_bytes, mtime_ns, read_ns
			FROM files
			WHERE path >= ?1 AND path < ?1 || '0' AND (path = ?1 OR path > ?1 || '/') -- '0' follows '/'
			ORDER BY path
		)
		HAVING count(*) > 0`, folder)
	if err != nil || len(packed) == 0 {
		return nil, err
	}
	stamps := make([]Stamp, 0, strings.Count(packed[0], "\x00")+1)
	for line := range strings.SplitSeq(packed[0], "\x00") {
		stamps = append(stamps, parseStamp(line))
	}
	return stamps, nil
}

// parseStamp reads "folder/name/size/mtime/read"; a file name holds no slash.
func parseStamp(line string) Stamp {
	settled := strings.HasSuffix(line, "/")
	var numbers [3]int64
	for i := len(numbers) - 1; i >= 0; i-- {
		cut := strings.LastIndexByte(line, '/')
		numbers[i], _ = strconv.ParseInt(line[cut+1:], 10, 64)
		line = line[:cut]
	}
	if settled {
		numbers[2] = math.MaxInt64
	}
	return Stamp{Path: line, Size: numbers[0], MtimeNS: numbers[1], ReadNS: numbers[2]}
}

// StampsOf returns the stamps of those of the files named that are indexed, in
// the order given. It asks for more than that by the statement with which Put will
// begin, which is not prepared a second time then.
func (d *DB) StampsOf(ctx context.Context, paths []string) ([]Stamp, error) {
	var stamps []Stamp
	for _, path := range paths {
		var found []document
		if err := d.Select(ctx, &found, selectDocument, path); err != nil {
			return nil, err
		}
		if len(found) > 0 {
			stamps = append(stamps, found[0].stamp(path))
		}
	}
	return stamps, nil
}

const selectStamp = `SELECT size_bytes, mtime_ns, read_ns FROM files WHERE path = ?`

type stampRow struct {
	Size    int64 `db:"size_bytes"`
	MtimeNS int64 `db:"mtime_ns"`
	ReadNS  int64 `db:"read_ns"`
}

func (r stampRow) stamp(path string) Stamp { return Stamp{path, r.Size, r.MtimeNS, r.ReadNS} }

// StampOf returns the stamp of one file; false when it is not indexed.
func (t *Tx) StampOf(path string) (Stamp, bool, error) {
	var found []stampRow
	err := t.selectPrepared(&found, selectStamp, path)
	if err != nil || len(found) == 0 {
		return Stamp{}, false, err
	}
	return found[0].stamp(path), true, nil
}

// SHA256Of returns the hash under which a file was indexed, "" for an unknown
// file.
func (t *Tx) SHA256Of(path string) (string, error) {
	var hash string
	err := t.get("read a file's hash", &hash, `SELECT coalesce((SELECT sha256 FROM files WHERE path = ?), '')`, path)
	return hash, err
}

// Touch records that a file was read again and found the same.
func (t *Tx) Touch(f File) error {
	stamp, _, err := t.StampOf(f.Path)
	if err != nil {
		return err
	}
	t.fileGoes(stamp)
	t.fileComes(f)
	return t.execPrepared("update a file's stamp", `
		UPDATE files
		SET size_bytes = ?, mtime_ns = ?, read_ns = ?
		WHERE path = ?`, f.Size, f.MtimeNS, f.ReadNS, f.Path)
}

// Problem is a file that is no memory, and why.
type Problem struct {
	Path   string `db:"path" json:"path"`
	Reason string `db:"reason" json:"reason"`
}

// Problems lists the files that could not be indexed, sorted by path.
func (t *Tx) Problems() ([]Problem, error) {
	var list []Problem
	err := t.Select(&list, `SELECT path, reason FROM problems ORDER BY path`)
	return list, err
}
