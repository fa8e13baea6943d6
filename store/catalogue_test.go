package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"memctl/db"
	"memctl/files"
	"memctl/indexer"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

// preference is a memory file.
func preference(id, title string) string {
	return fmt.Sprintf(`{"schema_version": "1.0", "category": "preference", "id": %q, "title": %q, "record_status": "active",
		"created_at": "2026-01-02T00:00:00Z", "updated_at": "2026-01-02T00:00:00Z", "tags": ["style"],
		"content": {"topic": %q, "value": "v", "reason": "r", "strength": "soft"}, "changes": [], "times_updated": 0}`, id, title, id)
}

// newHome gives a test a new home and state folder.
func newHome(t *testing.T) string {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	t.Setenv("MEMCTL_USER_ROOT", "")
	return home
}

// newRoot makes a project with memories, each title under its own id.
func newRoot(t *testing.T, home, project string, titles ...string) files.Root {
	t.Helper()
	contents := map[string]string{}
	for i, title := range titles {
		id := fmt.Sprintf("m%d", i)
		contents[project+"/.claude/memory/preferences/"+id+".json"] = preference(id, title)
	}
	if err := os.MkdirAll(filepath.Join(home, project, ".claude", "memory"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, home, contents)
	root, err := files.At(filepath.Join(home, project))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func mustNote(t *testing.T, root files.Root) {
	t.Helper()
	if _, err := (Catalogue{Own: root}).Roots(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// titles lists the catalogue from outside of any project.
func titles(t *testing.T) []string {
	t.Helper()
	items, err := Catalogue{}.List(t.Context(), retrieve.Filter{}, "path")
	if err != nil {
		t.Fatal(err)
	}
	found := []string{}
	for _, m := range items {
		found = append(found, filepath.Base(m.Project)+": "+m.Title)
	}
	slices.Sort(found)
	return found
}

func wantTitles(t *testing.T, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, titles(t)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// edit changes the database as another program would.
func edit(t *testing.T, statement string) {
	t.Helper()
	state, err := files.State()
	if err != nil {
		t.Fatal(err)
	}
	execute(t, filepath.Join(state, databaseName), statement)
}

func execute(t *testing.T, database, statement string) {
	t.Helper()
	d, err := sql.Open("sqlite", database)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

func TestNoteFollowsTheFiles(t *testing.T) {
	home := newHome(t)
	shop, till := newRoot(t, home, "shop", "one", "two"), newRoot(t, home, "till", "three")
	mustNote(t, shop)
	mustNote(t, till)
	wantTitles(t, "shop: one", "shop: two", "till: three")
	if err := os.Remove(shop.Join("preferences/m0.json")); err != nil {
		t.Fatal(err)
	}
	write(t, home, map[string]string{
		"shop/.claude/memory/preferences/m1.json": preference("m1", "two, edited"),
		"shop/.claude/memory/preferences/m2.json": preference("m2", "new"),
		"till/.claude/memory/preferences/m0.json": "{broken",
	})
	mustNote(t, shop)
	mustNote(t, till)
	wantTitles(t, "shop: new", "shop: two, edited")
}

// What reads the catalogue sees what was added, removed and replaced in other projects,
// though no memctl ran there, and an edit in place that memctl has noticed there.
func TestReaderFollowsTheFiles(t *testing.T) {
	home := newHome(t)
	var many, want []string
	for i := range 550 {
		many = append(many, fmt.Sprintf("t%04d", i))
		want = append(want, "shop: "+many[i])
	}
	root := newRoot(t, home, "shop", many...)
	mustNote(t, root)
	wantTitles(t, want...)
	for name, step := range map[string]func(){
		"one comes": func() {
			write(t, home, map[string]string{"shop/.claude/memory/decisions/new.json": preference("new", "t9999")})
			want = append(want, "shop: t9999")
		},
		"one goes": func() {
			if err := os.Remove(root.Join("preferences/m0.json")); err != nil {
				t.Fatal(err)
			}
			want = want[1:]
		},
		"one is replaced": func() {
			path := root.Join("preferences/m7.json")
			if err := os.WriteFile(path+".tmp", []byte(preference("m7", "t0007, edited")), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(path+".tmp", path); err != nil {
				t.Fatal(err)
			}
			want[slices.Index(want, "shop: t0007")] += ", edited"
		},
		"one is edited in place": func() {
			write(t, home, map[string]string{"shop/.claude/memory/preferences/m9.json": preference("m9", "t0009, edited")})
			if err := indexer.Use(t.Context(), root, indexer.Full, func(*indexer.Index) error { return nil }); err != nil {
				t.Fatal(err)
			}
			want[slices.Index(want, "shop: t0009")] += ", edited"
		},
	} {
		settle(t, root)
		step()
		if got := titles(t); !slices.Equal(got, want) {
			t.Errorf("%s: %s", name, cmp.Diff(want, got))
		}
	}
	if err := os.RemoveAll(root.Join("preferences")); err != nil {
		t.Fatal(err)
	}
	wantTitles(t, "shop: t9999")
}

// settle makes the catalogue trust a root as it is, as if its last change was long ago.
func settle(t *testing.T, root files.Root) {
	t.Helper()
	old := time.Now().Add(-2 * time.Hour)
	for _, name := range []string{"decisions", "preferences", files.IndexName} {
		if err := os.Chtimes(root.Join(name), old, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if stateOf(root) == "" {
		t.Fatal("the root is still not settled")
	}
	titles(t)
}

// Files that were only touched, as by git checkout, are not written again.
func TestNoteWritesOnlyWhatChanged(t *testing.T) {
	home := newHome(t)
	root := newRoot(t, home, "shop", "one", "two")
	mustNote(t, root)
	edit(t, `UPDATE memories SET title = 'untouched'`)
	write(t, home, map[string]string{
		"shop/.claude/memory/preferences/m0.json": preference("m0", "one"),
		"shop/.claude/memory/preferences/m1.json": preference("m1", "two, edited"),
	})
	mustNote(t, root)
	wantTitles(t, "shop: two, edited", "shop: untouched")
}

func TestNoteWaitsForNoOtherProcess(t *testing.T) {
	home := newHome(t)
	root := newRoot(t, home, "shop", "one")
	state, err := files.State()
	if err != nil {
		t.Fatal(err)
	}
	lock, err := files.Root{Path: state}.LockExclusive(t.Context(), lockName, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := (Catalogue{}).Note(t.Context(), root); !errors.Is(err, files.ErrLocked) {
		t.Errorf("Note of a busy catalogue: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := (Catalogue{}).Note(t.Context(), root); err != nil {
		t.Error(err)
	}
	wantTitles(t, "shop: one")
}

// What a Note that ran out of time has left out, a reader completes.
func TestReaderCompletesARoot(t *testing.T) {
	home := newHome(t)
	root := newRoot(t, home, "shop", "one", "two", "three")
	ctx, cancel := context.WithDeadline(t.Context(), time.Now())
	cancel()
	if err := (Catalogue{}).Note(ctx, root); err == nil {
		t.Error("Note without any time succeeded")
	}
	mustNote(t, root)
	edit(t, `UPDATE roots SET state = ''; DELETE FROM memories WHERE id = 'm1'; DELETE FROM files WHERE path LIKE '%m1.json'`)
	wantTitles(t, "shop: one", "shop: three", "shop: two")
}

// Note brings a root up to date when it lists it, enlist does not; the hour after that
// neither touches the database.
func TestNoteIsSeldom(t *testing.T) {
	home := newHome(t)
	shop, till := newRoot(t, home, "shop", "one"), newRoot(t, home, "till", "two")
	state, err := files.State()
	if err != nil {
		t.Fatal(err)
	}
	database := filepath.Join(state, databaseName)
	if err := (Catalogue{}).enlist(t.Context(), shop, schemas.DefaultConfig()); err != nil || exists(database) {
		t.Errorf("enlist made the database (%v)", err)
	}
	if err := (Catalogue{}).Note(t.Context(), shop); err != nil || exists(database) {
		t.Errorf("Note of a listed root made the database (%v)", err)
	}
	if err := (Catalogue{}).Note(t.Context(), till); err != nil {
		t.Fatal(err)
	}
	d, err := db.OpenCatalogue(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var noted []string
	if err := d.Select(t.Context(), &noted, `SELECT title FROM memories`); err != nil || !slices.Equal(noted, []string{"two"}) {
		t.Errorf("Note took in %q (%v)", noted, err)
	}
	wantTitles(t, "shop: one", "till: two")
}

// A path that JSON cannot hold is left out: it would come back as another, again and again.
func TestPathsAreUTF8(t *testing.T) {
	home := newHome(t)
	if err := os.Mkdir(filepath.Join(home, "bad\xff"), 0o755); err != nil {
		t.Skip(err)
	}
	if entries, err := os.ReadDir(home); err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !utf8.ValidString(e.Name()) }) {
		t.Skip("the names of this system are Unicode")
	}
	mustNote(t, newRoot(t, home, "bad\xff", "one"))
	if roots, err := (Catalogue{}).Roots(t.Context()); err != nil || len(roots) > 0 {
		t.Errorf("the roots are %v (%v)", roots, err)
	}
}

func TestDamageIsRepaired(t *testing.T) {
	home := newHome(t)
	mustNote(t, newRoot(t, home, "shop", "one"))
	for name, statement := range map[string]string{
		"another schema":         `CREATE TABLE more (x)`,
		"an older version":       `UPDATE meta SET value = '1' WHERE key = 'content_version'`,
		"a file of no root":      `DELETE FROM roots`,
		"a root of no file":      `UPDATE files SET path = 'x'; UPDATE memories SET path = 'x'`,
		"a root without a place": `UPDATE roots SET path = ''`,
	} {
		t.Run(name, func(t *testing.T) {
			edit(t, statement)
			wantTitles(t, "shop: one")
		})
	}
	t.Run("cut short", func(t *testing.T) {
		state, err := files.State()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(state, databaseName), 10_000); err != nil {
			t.Fatal(err)
		}
		wantTitles(t, "shop: one")
	})
}

func TestNewerCatalogueIsRefused(t *testing.T) {
	for name, statement := range map[string]string{
		"another schema": `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1); CREATE TABLE more (x)`,
		"other rows":     `UPDATE meta SET value = '99' WHERE key = 'content_version'`,
	} {
		t.Run(name, func(t *testing.T) {
			home := newHome(t)
			root := newRoot(t, home, "shop", "one")
			mustNote(t, root)
			edit(t, statement)
			_, err := Catalogue{}.List(t.Context(), retrieve.Filter{}, "path")
			if !errors.Is(err, db.ErrNewer) {
				t.Fatalf("List: %v", err)
			}
			if _, err := (Catalogue{}).Rebuild(t.Context()); !errors.Is(err, db.ErrNewer) {
				t.Errorf("Rebuild: %v", err)
			}
			hint, ok := errors.AsType[interface {
				error
				Hint() string
			}](err)
			if !ok || !strings.Contains(hint.Hint(), "update this memctl") {
				t.Errorf("the hint of %v", err)
			}
		})
	}
}

func TestExcluded(t *testing.T) {
	home := newHome(t)
	drive := filepath.VolumeName(home)
	for pattern, want := range map[string]string{
		"~":                  "/home/a /home/a/b /home/c",
		"~/a":                "/home/a /home/a/b",
		"~/*":                "/home/a /home/a/b /home/c",
		"~/a/":               "/home/a /home/a/b",
		"~/[ac]":             "/home/a /home/a/b /home/c",
		"~x":                 "",
		"a":                  "",
		"[":                  "",
		"":                   "",
		drive + "/":          "/home/a /home/a/b /home/c /elsewhere",
		drive + "/elsewhere": "/elsewhere",
		home + "/?/b":        "/home/a/b",
		home + "/a/../c":     "/home/c",
		"~/a/b/c":            "",
		filepath.Dir(home):   "/home/a /home/a/b /home/c",
		home[:len(home)-1]:   "",
		home + "/c/../../*x": "",
	} {
		c := &Catalogue{}
		c.user.Catalogue.Exclude = []string{pattern}
		var got []string
		for _, folder := range []string{"/home/a", "/home/a/b", "/home/c", "/elsewhere"} {
			path := drive + filepath.FromSlash(folder)
			if below, found := strings.CutPrefix(folder, "/home"); found {
				path = filepath.Join(home, below)
			}
			if c.excluded(path) {
				got = append(got, folder)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q excludes %q, want %q", pattern, got, want)
		}
	}
}

func TestListIsBoundedAndWrittenSeldom(t *testing.T) {
	var l list
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	if !l.see("/a", now) || l.see("/a", now.Add(time.Minute)) || !l.see("/a", now.Add(2*time.Hour)) {
		t.Error("a root is to be written when it is new, and once an hour")
	}
	for i := range maxListed {
		l.see(fmt.Sprintf("/p%d", i), now.Add(time.Duration(i)*time.Hour))
	}
	if len(l.Roots) != maxListed || l.has("/a") || l.latestFirst()[0] != fmt.Sprintf("/p%d", maxListed-1) {
		t.Errorf("%d roots, the latest is %s", len(l.Roots), l.latestFirst()[0])
	}
}

// A worktree stands for its repository; when it is removed, another one does.
func TestWorktreesAreOneRoot(t *testing.T) {
	home := newHome(t)
	shop, fix := newRoot(t, home, "shop", "one"), newRoot(t, home, "fix", "one", "of the fix")
	write(t, home, map[string]string{
		"shop/.git/worktrees/fix/gitdir": "DIR/fix/.git\n",
		"fix/.git":                       "gitdir: DIR/shop/.git/worktrees/fix\n",
	})
	mustNote(t, shop)
	wantTitles(t, "shop: one")
	mustNote(t, fix)
	wantTitles(t, "fix: of the fix", "fix: one")
	if _, err := (Catalogue{}).Rebuild(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := titles(t); len(got) > 2 {
		t.Errorf("after a rebuild: %q", got)
	}
	mustNote(t, fix)
	if err := os.RemoveAll(filepath.Join(home, "fix")); err != nil {
		t.Fatal(err)
	}
	wantTitles(t, "shop: one")
}

// A worktree's files are read, though they have the size and time of another's.
func TestWorktreesDiffer(t *testing.T) {
	home := newHome(t)
	shop, fix := newRoot(t, home, "shop", "one"), newRoot(t, home, "fix", "two")
	write(t, home, map[string]string{
		"shop/.git/worktrees/fix/gitdir": "DIR/fix/.git\n",
		"fix/.git":                       "gitdir: DIR/shop/.git/worktrees/fix\n",
	})
	old := time.Now().Add(-time.Hour)
	for _, root := range []files.Root{shop, fix} {
		if err := os.Chtimes(root.Join("preferences/m0.json"), old, old); err != nil {
			t.Fatal(err)
		}
	}
	mustNote(t, shop)
	wantTitles(t, "shop: one")
	mustNote(t, fix)
	wantTitles(t, "fix: two")
}

// A project that becomes a repository stays one root.
func TestRepositoryIsMade(t *testing.T) {
	home := newHome(t)
	root := newRoot(t, home, "shop", "one")
	mustNote(t, root)
	write(t, home, map[string]string{"shop/.git/config": ""})
	mustNote(t, root)
	wantTitles(t, "shop: one")
	if err := os.RemoveAll(filepath.Join(home, "shop", ".git")); err != nil {
		t.Fatal(err)
	}
	mustNote(t, root)
	wantTitles(t, "shop: one")
}
