package indexer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/files/systemtest"
	"memctl/schemas"
)

// No test writes to the person's state.
func TestMain(m *testing.M) {
	state, err := os.MkdirTemp("", "memctl-state")
	if err = errors.Join(err, os.Setenv("XDG_STATE_HOME", state)); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(state)
	os.Exit(code)
}

// endsAfter is a context that ends at a number of looks at it, and has a deadline as a hook's does.
type endsAfter struct {
	context.Context
	looks int
	done  chan struct{}
}

func (c *endsAfter) Deadline() (time.Time, bool) { return time.Now().Add(time.Hour), true }
func (c *endsAfter) Done() <-chan struct{}       { return c.done }
func (c *endsAfter) Err() error {
	if c.looks--; c.looks == 0 {
		close(c.done)
	}
	if c.looks <= 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// endTimeAtOnce has each hook add no more than it adds in any case.
func endTimeAtOnce(t *testing.T) {
	before := isOver
	isOver = func(time.Time) bool { return true }
	t.Cleanup(func() { isOver = before })
}

// Each hook goes on with the build of the one before, wherever that ended, and no reader takes it for the index.
func TestHooksBuildInParts(t *testing.T) {
	root := files.Root{Path: systemtest.LeftOpen(t)}
	const count = 3*buildFiles + 7
	folder := filepath.Join(root.Path, "decisions")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range count {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%d.json", i)), []byte(`{"title": "Kafka"}`), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lock, err := root.LockExclusive(t.Context(), buildLock, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	endTimeAtOnce(t)
	before := 0
	for tries := 1; ; tries++ {
		_, err := rebuildInParts(&endsAfter{t.Context(), 1 << 30, make(chan struct{})}, root)
		_, indexErr := os.Stat(root.Join(files.IndexName))
		if err == nil {
			if indexErr != nil || tries != 4 {
				t.Fatalf("it ended after %d tries: %v", tries, indexErr)
			}
			break
		}
		if !errors.Is(err, errUnfinished) || indexErr == nil {
			t.Fatalf("%v; the index: %v", err, indexErr)
		}
		d, err := openBuild(t.Context(), root, root.Join(files.BuildName))
		if err != nil {
			t.Fatal(err)
		}
		n, err := d.CountFiles(t.Context(), "decisions/")
		if err = errors.Join(err, d.Close()); err != nil || n <= before {
			t.Fatalf("try %d: %d files after %d, error %v", tries, n, before, err)
		}
		if before == 0 { // a file goes that is in the build
			check(t, os.Remove(filepath.Join(folder, "0.json")))
		}
		before = n
	}
	lock.Unlock()
	err = Use(t.Context(), root, Full, func(ix *Index) error {
		if n, err := ix.CountFiles(t.Context(), "decisions/"); n != count-1 || err != nil || ix.Changed != 0 {
			t.Errorf("%d files, %d changed, error %v", n, ix.Changed, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(root.Join(files.BuildName)); err == nil {
		t.Error("the build is still there")
	}
}

// A large build is left to a session's start.
func TestPromptsLeaveALargeBuild(t *testing.T) {
	root := files.Root{Path: systemtest.LeftOpen(t)}
	if err := os.MkdirAll(filepath.Join(root.Path, schemas.Folders()[0]), 0o755); err != nil {
		t.Fatal(err)
	}
	build := root.Join(files.BuildName)
	if err := errors.Join(os.WriteFile(build, nil, 0o644), os.Truncate(build, maxInPrompt+1)); err != nil {
		t.Fatal(err)
	}
	hook := &endsAfter{t.Context(), 1 << 30, make(chan struct{})}
	if err := Use(hook, root, Quick, func(*Index) error { return nil }); !errors.Is(err, errLate) {
		t.Errorf("a prompt: %v", err)
	}
	if _, err := os.Stat(build); err != nil {
		t.Error(err)
	}
	if err := Use(hook, root, Full, func(*Index) error { return nil }); err != nil {
		t.Errorf("a start: %v", err)
	}
}

// soonOver is a context whose deadline is near, as a prompt's.
type soonOver struct{ context.Context }

func (soonOver) Deadline() (time.Time, bool) { return time.Now(), true }

// A prompt stops in time to keep what it has added.
func TestAHookBuildsForAPartOfItsTime(t *testing.T) {
	root := files.Root{Path: systemtest.LeftOpen(t)}
	check(t, os.Mkdir(root.Join("decisions"), 0o755))
	for i := range buildFiles + 10 {
		check(t, os.WriteFile(root.Join(fmt.Sprintf("decisions/%03d.json", i)), []byte(`{"title": "Kafka"}`), 0o644))
	}
	if _, err := rebuildInParts(soonOver{t.Context()}, root); !errors.Is(err, errUnfinished) {
		t.Fatal(err)
	}
	ix, err := openUnfinished(t.Context(), root)
	check(t, err)
	defer ix.Close()
	if ix.Unfinished != buildFiles {
		t.Errorf("it has added %d files", ix.Unfinished)
	}
}

// While a large build goes on, a prompt answers from what there is of it.
func TestPromptsReadAnUnfinishedBuild(t *testing.T) {
	root := files.Root{Path: systemtest.LeftOpen(t)}
	check(t, os.Mkdir(root.Join("decisions"), 0o755))
	for i := range buildFiles + 10 {
		body := fmt.Sprintf(`{"title": "Kafka", "content": {"context": %q}}`, strings.Repeat("long ", 5000))
		check(t, os.WriteFile(root.Join(fmt.Sprintf("decisions/%03d.json", i)), []byte(body), 0o644))
	}
	endTimeAtOnce(t)
	hook := &endsAfter{t.Context(), 1 << 30, make(chan struct{})}
	for _, depth := range []Depth{Full, Quick} {
		check(t, Use(hook, root, depth, func(ix *Index) error {
			n, err := db.QueryRow[int](t.Context(), ix.DB, "SELECT count(*) FROM memories")
			if err != nil || n != buildFiles || !ix.Late || ix.Unfinished != n {
				t.Errorf("depth %d: %d of %d memories, late: %t, %v", depth, n, ix.Unfinished, ix.Late, err)
			}
			return nil
		}))
	}
	check(t, Use(hook, root, Full, func(ix *Index) error {
		if n, err := ix.CountFiles(t.Context(), ""); err != nil || n != buildFiles+10 || ix.Late {
			t.Errorf("the next start: %d files, late: %t, error %v", n, ix.Late, err)
		}
		return nil
	}))
}

// Files may be few and long: a hook writes some of them all the same. A command, which has time, completes the build.
func TestACommandCompletesABuildOfLongMemories(t *testing.T) {
	root := files.Root{Path: systemtest.LeftOpen(t)}
	check(t, os.Mkdir(root.Join("decisions"), 0o755))
	const count = batchBytes/db.MaxBody + 10
	for i := range count {
		body := fmt.Sprintf(`{"title": "Kafka", "content": {"context": %q}}`, strings.Repeat("x", db.MaxBody))
		check(t, os.WriteFile(root.Join(fmt.Sprintf("decisions/%d.json", i)), []byte(body), 0o644))
	}
	endTimeAtOnce(t)
	hook := &endsAfter{t.Context(), 1 << 30, make(chan struct{})}
	begun := 0
	check(t, Use(hook, root, Full, func(ix *Index) error {
		begun = ix.Unfinished
		return nil
	}))
	if begun == 0 || begun == count {
		t.Errorf("a hook adds %d of %d files", begun, count)
	}
	before, err := os.Stat(root.Join(files.BuildName))
	check(t, err)
	check(t, Use(t.Context(), root, Quick, func(ix *Index) error {
		n, err := ix.CountFiles(t.Context(), "")
		after, statErr := os.Stat(root.Join(files.IndexName))
		if err != nil || statErr != nil || n != count || !os.SameFile(before, after) {
			t.Errorf("a command: %d files, %v, %v; the same: %t", n, err, statErr, os.SameFile(before, after))
		}
		return nil
	}))
}

// A build with false rows may come with a project, with any token and the exact stamps of its files.
func TestNobodyGoesOnWithAStrangersBuild(t *testing.T) {
	for name, token := range map[string]string{"none": "", "a letter": "a", "one that nobody noted": "KRSXG5CTMVRXEZLUKRSXG5CTMV"} {
		t.Run(name, func(t *testing.T) {
			root, d := folderOf(t, "a.json")
			check(t, d.Close())
			forged, err := sql.Open("sqlite", root.Join(files.IndexName))
			check(t, err)
			_, err = forged.Exec("UPDATE memories SET title = 'false'; INSERT OR REPLACE INTO meta VALUES ('build', ?)", token)
			check(t, errors.Join(err, forged.Close()))
			check(t, os.Rename(root.Join(files.IndexName), root.Join(files.BuildName)))
			hook := &endsAfter{t.Context(), 1 << 30, make(chan struct{})}
			check(t, Use(hook, root, Quick, func(ix *Index) error {
				titles, err := db.Query[string](t.Context(), ix.DB, "SELECT title FROM memories")
				if err != nil || !slices.Equal(titles, []string{"first"}) {
					t.Errorf("%q, error %v", titles, err)
				}
				return nil
			}))
		})
	}
}
