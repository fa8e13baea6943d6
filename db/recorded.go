package db

import (
	"cmp"
	"context"
	"time"

	"memctl/schemas"
)

// recordedKey is the fact of up to which commit git's log was read. Outside of git it is notInGit.
const (
	recordedKey = "recorded"
	notInGit    = "no commit"
)

// RecordedAt returns the commit up to which git's log was read, "" outside of git. known is false
// if git was not asked.
func (t *Tx) RecordedAt() (commit string, known bool, err error) {
	commit, err = t.Meta(recordedKey)
	if commit == notInGit {
		return "", true, err
	}
	return commit, commit != "", err
}

// Recorded returns what git's log says of files in a folder, nil if git was not asked. The folder
// ends in a slash.
func (d *DB) Recorded(ctx context.Context, folder string, names []string) (recorded map[string]schemas.Recorded, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	err = d.View(ctx, func(tx *Tx) error {
		if _, known, err := tx.RecordedAt(); err != nil || !known {
			return err
		}
		recorded, err = tx.recorded(`WHERE path IN (SELECT ? || value FROM json_each(?))`, folder, JSON(names))
		return err
	})
	return recorded, err
}

// AllRecorded is Recorded for every file.
func (t *Tx) AllRecorded() (map[string]schemas.Recorded, error) { return t.recorded("") }

func (t *Tx) recorded(where string, args ...any) (map[string]schemas.Recorded, error) {
	var rows []struct {
		Path    string `db:"path"`
		Blob    string `db:"blob"`
		Commit  string `db:"last_commit"`
		Changed int64  `db:"changed_unix"`
		Times   int    `db:"times"`
	}
	err := t.Select(&rows, `
		SELECT path, blob, last_commit, changed_unix, times
		FROM recorded `+where, args...)
	recorded := make(map[string]schemas.Recorded, len(rows))
	for _, row := range rows {
		r := schemas.Recorded{Blob: row.Blob, Commit: row.Commit, Times: row.Times}
		if r.Commit != "" {
			r.Changed = time.Unix(row.Changed, 0)
		}
		recorded[row.Path] = r
	}
	return recorded, err
}

// PutRecorded replaces what git's log says of the files, up to a commit, "" outside of git. The
// memories of those for which it says something else now are read again by the next comparison.
func (t *Tx) PutRecorded(commit string, recorded map[string]schemas.Recorded) error {
	before, _ := t.AllRecorded()
	_, known, _ := t.RecordedAt()
	if !known || commit == "" { // a file that git does not have counts by its own time
		t.exec("forget the stamps of files", `UPDATE files SET mtime_ns = -1`)
	}
	t.exec("replace what git recorded", `DELETE FROM recorded`)
	table := newInserter(t, "recorded", "path", "blob", "last_commit", "changed_unix", "times")
	for path, r := range recorded {
		changed := int64(0)
		if r.Commit != "" {
			changed = r.Changed.Unix()
		}
		table.queue(path, r.Blob, r.Commit, changed, r.Times)
		if b := before[path]; b.Blob != r.Blob || b.Commit != r.Commit || b.Times != r.Times {
			t.exec("forget a stamp", `UPDATE files SET mtime_ns = -1 WHERE path = ?`, path)
		}
	}
	table.flush()
	return t.PutMeta(recordedKey, cmp.Or(commit, notInGit))
}

// ForgetRecorded removes what git's log says, because the files count alone.
func (t *Tx) ForgetRecorded() error {
	t.exec("forget the stamps of files", `UPDATE files SET mtime_ns = -1`)
	t.exec("forget what git recorded", `DELETE FROM recorded`)
	return t.exec("forget what git recorded", `DELETE FROM meta WHERE key = ?`, recordedKey)
}
