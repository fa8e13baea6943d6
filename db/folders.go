package db

import (
	"context"
	"strings"
)

// Folder is one category folder as it stood when its files were compared. A
// folder that does not exist has an mtime of 0.
type Folder struct {
	Folder   string `db:"folder"`
	MtimeNS  int64  `db:"mtime_ns"`
	ListedNS int64  `db:"listed_ns"`
	// Known are the fingerprints, where they were asked for.
	Known Fingerprints `db:"-"`
}

// Folders returns what is recorded of each folder, with the fingerprints of those
// named, and whether the index knows no more than limit files: all that a prompt
// asks first, at once.
func (d *DB) Folders(ctx context.Context, limit int, named ...string) (map[string]Folder, bool, error) {
	var rows []struct {
		Folder
		Files  int    `db:"files"`
		Packed []byte `db:"packed"`
	}
	err := d.Select(ctx, &rows, `
		SELECT
			folder,
			mtime_ns,
			listed_ns,
			(SELECT count(*) FROM (SELECT 1 FROM files LIMIT ?)) AS files,
			(SELECT packed FROM fingerprints p WHERE p.folder = f.folder AND instr(?, '/' || p.folder || '/') > 0) AS packed
		FROM folders f`, limit+1, "/"+strings.Join(named, "/")+"/")
	folders := make(map[string]Folder, len(rows))
	few := true
	for _, row := range rows {
		row.Known = unpackFingerprints(row.Packed)
		folders[row.Folder.Folder] = row.Folder
		few = row.Files <= limit
	}
	return folders, few, err
}

// PutFolder records a folder.
func (t *Tx) PutFolder(f Folder) error {
	return t.exec("write a folder", `
		INSERT INTO folders (folder, mtime_ns, listed_ns)
		VALUES (?, ?, ?)
		ON CONFLICT (folder) DO UPDATE SET mtime_ns = excluded.mtime_ns, listed_ns = excluded.listed_ns`,
		f.Folder, f.MtimeNS, f.ListedNS)
}
