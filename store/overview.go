package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/gate"
	"memctl/indexer"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// Overview describes what a memory root holds and the state of its index.
type Overview struct {
	Root string `json:"root"`
	// Memories counts memories. Every category and status is there, also with 0.
	Memories map[schemas.Category]map[schemas.Status]int `json:"memories"`
	Index    IndexState                                  `json:"index"`
	Problems []schemas.Problem                           `json:"problems"`
	// Twins are files that some system takes for another one.
	Twins []schemas.Problem `json:"twins,omitempty"`
}

// IndexState is the state of the index when it was opened.
type IndexState struct {
	Path      string `json:"path"`
	SizeBytes int64  `json:"size_bytes"`
	BuiltAt   string `json:"built_at"` // RFC 3339
	State     string `json:"state"`    // a sentence, such as "up to date"
	// Trouble says what is wrong with the index, "" for nothing.
	Trouble string `json:"-"`
	// Damaged reports whether the index was damaged and has been rebuilt.
	Damaged bool `json:"-"`
}

// Inspect brings the index of a root up to date, describes both, and runs more on the same
// index.
func Inspect(ctx context.Context, root files.Root, more func(retrieve.Source) error) (Overview, error) {
	o := Overview{Root: root.Path, Problems: []schemas.Problem{}}
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		if err := o.read(ctx, root, ix); err != nil {
			return err
		}
		return more(retrieve.Source{DB: ix.DB, Root: root})
	})
	if info, err := gate.Stat(root.Join(files.IndexName)); err == nil {
		o.Index.SizeBytes = info.Size()
	}
	return o, err
}

func (o *Overview) read(ctx context.Context, root files.Root, ix *indexer.Index) error {
	type count struct {
		Category schemas.Category `db:"category"`
		Status   schemas.Status   `db:"record_status"`
		N        int              `db:"n"`
	}
	var counts []count
	err := ix.Select(ctx, &counts, `
		SELECT category, record_status, count(*) AS n
		FROM memories
		GROUP BY category, record_status`)
	if err != nil {
		return err
	}
	o.Memories = map[schemas.Category]map[schemas.Status]int{}
	for _, info := range schemas.Categories {
		o.Memories[info.Category] = map[schemas.Status]int{schemas.Active: 0, schemas.Retired: 0, schemas.Archived: 0}
	}
	for _, c := range counts {
		if o.Memories[c.Category] == nil {
			o.Memories[c.Category] = map[schemas.Status]int{}
		}
		o.Memories[c.Category][c.Status] = c.N
	}
	o.Index = describe(ix)
	o.Index.Path = root.Join(files.IndexName)
	return ix.View(ctx, func(tx *db.Tx) (err error) {
		if o.Index.BuiltAt, err = tx.Meta("built_at"); err != nil {
			return err
		}
		problems, err := tx.Problems(-1)
		o.Problems = append([]schemas.Problem{}, problems...)
		if err == nil {
			o.Twins, err = indexer.Collisions(tx)
		}
		return err
	})
}

// Total returns the number of memories of a status.
func (o Overview) Total(status schemas.Status) int {
	n := 0
	for _, counts := range o.Memories {
		n += counts[status]
	}
	return n
}

// describe says how the index was when it was opened.
func describe(ix *indexer.Index) IndexState {
	s := IndexState{State: "up to date", Damaged: ix.Rebuilt != nil && errors.Is(ix.Rebuilt.Reason, db.ErrDamaged)}
	switch {
	case ix.InMemory != nil:
		s.State = fmt.Sprintf("not usable, answered from memory: %v", ix.InMemory)
		s.Trouble = fmt.Sprintf("the index cannot be used, so every answer takes longer: %v", ix.InMemory)
	case ix.Rebuilt != nil:
		s.State = "rebuilt just now: " + ix.Rebuilt.Why()
		if s.Damaged {
			s.Trouble = "the index was damaged and has been rebuilt; nothing is lost"
		}
	case ix.Changed > 0:
		s.State = fmt.Sprintf("up to date, after reading %s", text.Plural(ix.Changed, "changed file", "changed files"))
	}
	return s
}

// IndexCheck lists the differences between the index of a root and its files.
type IndexCheck struct {
	// Missing, OtherVersion and Damaged say why nothing can be compared: the next use of the
	// index makes it again.
	Missing, OtherVersion, Damaged bool
	Differences                    []indexer.Discrepancy
}

// CheckIndex compares the index of a root with its files and changes neither.
func CheckIndex(ctx context.Context, root files.Root) (c IndexCheck, err error) {
	c.Differences, err = indexer.Check(ctx, root)
	c.Missing, c.OtherVersion = errors.Is(err, db.ErrMissing), errors.Is(err, db.ErrVersion)
	c.Damaged = errors.Is(err, db.ErrDamaged)
	if c.Missing || c.OtherVersion || c.Damaged {
		err = nil
	}
	return c, err
}

// CheckFile returns every violation of a file in a category's folder: of its schema,
// and of the name and folder that its id and category require. Where git.history is true, too many tags
// are for review to report.
func CheckFile(root files.Root, folder *files.Folder, name string, category schemas.Category) []schemas.Violation {
	return checkAs(root, folder, name, name, category)
}

// checkAs checks the file called current as if it were called name.
func checkAs(
	root files.Root, folder *files.Folder, current, name string, category schemas.Category,
) []schemas.Violation {
	data, _, err := folder.Read(current)
	if err != nil {
		return []schemas.Violation{Unreadable(err)}
	}
	found := schemas.ValidateAs(name, category, data)
	if len(found) == 0 {
		return nil
	}
	if cfg, _, err := root.Config(); err == nil && cfg.Git.History {
		return schemas.Merged(found)
	}
	return found
}

// CheckPath is CheckFile for any path below the root.
func CheckPath(root files.Root, at string) []schemas.Violation { return checkAside(root, at, at) }

// checkAside is CheckPath for a file of that path that was renamed within its folder.
func checkAside(root files.Root, aside, at string) []schemas.Violation {
	category, ok := schemas.CategoryOfPath(at)
	if !ok {
		folders := strings.Join(schemas.Folders(), "/, ") + "/"
		return []schemas.Violation{{Rule: "folder", Expected: "a file directly in one of " + folders, Got: at}}
	}
	folder, err := root.OpenFolder(path.Dir(at))
	if err != nil {
		return []schemas.Violation{Unreadable(err)}
	}
	if folder == nil {
		return nil // the folder was removed meanwhile
	}
	defer folder.Close()
	return checkAs(root, folder, path.Base(aside), path.Base(at), category)
}

// Unreadable returns the violation of a file that cannot be read.
func Unreadable(err error) schemas.Violation {
	return schemas.Violation{Rule: "file", Expected: "a readable memory file", Got: text.Printable(err.Error())}
}

// SetAside checks a file that something else has written. It renames an invalid one, so that
// memctl does not read it, and returns the new path and what is wrong. There are no violations
// if the file is valid or gone, or if a valid one has taken its place meanwhile. A memory in
// conflict stays, with ErrConflict: git and memctl resolve look for it there.
func SetAside(
	ctx context.Context, root files.Root, at string,
) (aside string, violations []schemas.Violation, err error) {
	if violations = CheckPath(root, at); len(violations) == 0 {
		return "", nil, nil
	}
	if slices.ContainsFunc(violations, func(v schemas.Violation) bool { return v.Rule == schemas.ConflictRule }) {
		return "", violations, ErrConflict
	}
	return setAside(ctx, root, at, violations)
}

// ErrConflict is the error for a memory that a merge left in conflict.
var ErrConflict = errors.New("it has an unresolved merge conflict")

func setAside(
	ctx context.Context, root files.Root, at string, violations []schemas.Violation,
) (string, []schemas.Violation, error) {
	aside, err := root.Quarantine(ctx, at, time.Now(), func(aside string) bool {
		now := checkAside(root, aside, at)
		if len(now) > 0 {
			violations = now
		}
		return len(now) == 0
	})
	if aside == "" && err == nil || errors.Is(err, fs.ErrNotExist) {
		return "", nil, nil
	}
	return aside, violations, err
}
