package db

import (
	"cmp"
	"context"
	"time"

	"memctl/schemas"
)

// recordedKey is the fact of up to which commit git's log was read; the prefix of a root follows it.
// Outside of git it is notInGit.
const (
	recordedKey = "recorded"
	notInGit    = "no commit"
)

// RecordedAt returns the commit up to which git's log was read of the files whose paths begin with a
// prefix, "" outside of git. known is false if git was not asked.
func (t *Tx) RecordedAt(prefix string) (commit string, known bool, err error) {
	commit, err = t.Meta(recordedKey + prefix)
	if commit == notInGit {
		return "", true, err
	}
	return commit, commit != "", err
}

// Recorded returns what git's log says of files in a folder below a prefix, nil if git was not asked.
// The folder ends in a slash.
func (d *DB) Recorded(
	ctx context.Context, prefix, folder string, names []string,
) (recorded schemas.History, err error) {
	if len(names) == 0 {
		return nil, nil
	}
	err = d.View(ctx, func(tx *Tx) error {
		if _, known, err := tx.RecordedAt(prefix); err != nil || !known {
			return err
		}
		recorded, err = tx.recorded(prefix, `path IN (SELECT ?1 || ?2 || value FROM json_each(?3))`, folder,
			JSON(names))
		return err
	})
	return recorded, err
}

// below limits a query to the paths that begin with its first argument.
const below = `path > ?1 AND path < ?1 || char(1114111)`

// distrust has files read again, also those that the catalogue knows by their bytes.
const distrust = `UPDATE files SET mtime_ns = -1, sha256 = '' WHERE `

// AllRecorded is Recorded for every file of a prefix.
func (t *Tx) AllRecorded(prefix string) (schemas.History, error) { return t.recorded(prefix, below) }

func (t *Tx) recorded(prefix, where string, args ...any) (schemas.History, error) {
	var rows []struct {
		Path    string `db:"path"`
		Blob    string `db:"blob"`
		Commit  string `db:"last_commit"`
		Changed int64  `db:"changed_unix"`
		Times   int    `db:"times"`
	}
	err := t.Select(&rows, `
		SELECT substr(path, length(?1) + 1) AS path, blob, last_commit, changed_unix, times
		FROM recorded
		WHERE `+where, append([]any{prefix}, args...)...)
	recorded := make(schemas.History, len(rows))
	for _, row := range rows {
		r := schemas.Recorded{Blob: row.Blob, Commit: row.Commit, Times: row.Times}
		if r.Commit != "" {
			r.Changed = time.Unix(row.Changed, 0)
		}
		recorded[row.Path] = r
	}
	return recorded, err
}

// PutRecorded replaces what git's log says of the files of a prefix, up to a commit, "" outside of git.
// The memories of those for which it says something else now are read again by the next comparison.
func (t *Tx) PutRecorded(prefix, commit string, recorded schemas.History) error {
	before, _ := t.AllRecorded(prefix)
	_, known, _ := t.RecordedAt(prefix)
	if !known || commit == "" { // a file that git does not have counts by its own time
		t.exec("distrust files", distrust+below, prefix)
	}
	t.exec("replace what git recorded", `DELETE FROM recorded WHERE `+below, prefix)
	table := newInserter(t, "recorded", "path", "blob", "last_commit", "changed_unix", "times")
	for path, r := range recorded {
		changed := int64(0)
		if r.Commit != "" {
			changed = r.Changed.Unix()
		}
		table.queue(prefix+path, r.Blob, r.Commit, changed, r.Times)
		if b := before[path]; b.Blob != r.Blob || b.Commit != r.Commit || b.Times != r.Times {
			t.exec("distrust a file", distrust+`path = ?`, prefix+path)
		}
	}
	table.flush()
	return t.PutMeta(recordedKey+prefix, cmp.Or(commit, notInGit))
}

// ForgetRecorded removes what git's log says, because the files count alone.
func (t *Tx) ForgetRecorded(prefix string) error {
	t.exec("distrust files", distrust+below, prefix)
	t.exec("forget what git recorded", `DELETE FROM recorded WHERE `+below, prefix)
	return t.exec("forget what git recorded", `DELETE FROM meta WHERE key = ?`, recordedKey+prefix)
}
