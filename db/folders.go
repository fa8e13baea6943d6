package db

import "context"

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
