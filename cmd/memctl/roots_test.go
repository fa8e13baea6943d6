package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"memctl/retrieve"

	"github.com/google/go-cmp/cmp"
)

// home is a home folder with projects, and the environment of memctl there.
type home struct {
	t   *testing.T
	dir string
	env []string
}

func newHome(t *testing.T) home {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return home{t, dir, append(os.Environ(), "HOME="+dir, "USERPROFILE="+dir, "XDG_STATE_HOME="+
		filepath.Join(dir, "state"),
		"MEMCTL_ROOT=", "MEMCTL_USER_ROOT=", "CLAUDE_PROJECT_DIR=", "CLAUDECODE=", typedVariable+"=yes")}
}

func (h home) command(project, stdin string, args ...string) *exec.Cmd {
	h.t.Helper()
	cmd := exec.Command("memctl", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = filepath.Join(h.dir, project), h.env, strings.NewReader(stdin)
	if err := os.MkdirAll(cmd.Dir, 0o755); err != nil {
		h.t.Fatal(err)
	}
	return cmd
}

func (h home) run(project, stdin string, args ...string) string {
	h.t.Helper()
	cmd := h.command(project, stdin, args...)
	var messages strings.Builder
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatalf("memctl %s: %v\n%s", strings.Join(args, " "), err, &messages)
	}
	return string(out)
}

func (h home) create(project, id string) {
	h.t.Helper()
	h.run(project, preference("Title of "+id, "text"), "create", "--category", "preference", "--target", id, "--input",
		"-")
}

// all lists the ids of the memories of all projects.
func (h home) all() []string {
	h.t.Helper()
	var items []retrieve.ListEntry
	if err := json.Unmarshal([]byte(h.run("", "", "list", "--all", "--json")), &items); err != nil {
		h.t.Fatal(err)
	}
	ids := []string{}
	for _, m := range items {
		ids = append(ids, filepath.Base(m.Project)+"/"+m.ID)
	}
	slices.Sort(ids)
	return ids
}

const sessionStart = `{"session_id": "s", "hook_event_name": "SessionStart", "source": "startup"}`

// Processes that use the catalogue at once neither fail nor damage it. One that finds it
// busy leaves its memory to the next that is used there.
func TestCatalogueIsSharedByProcesses(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	var want []string
	var writers sync.WaitGroup
	for project := range 3 {
		name := fmt.Sprintf("p%d", project)
		for i := range 6 {
			want = append(want, fmt.Sprintf("%s/m%d", name, i))
		}
		writers.Go(func() {
			for i := range 6 {
				h.create(name, fmt.Sprintf("m%d", i))
			}
		})
	}
	writers.Go(func() {
		for range 6 {
			h.run("", "", "search", "--all", "title")
			h.run("", "", "roots", "rebuild")
		}
	})
	writers.Wait()
	for project := range 3 {
		h.run(fmt.Sprintf("p%d", project), "", "list", "--all")
	}
	if diff := cmp.Diff(want, h.all()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A process that is killed while it writes leaves a catalogue that the next one completes.
func TestCatalogueOutlivesKilledProcesses(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	var want []string
	files := filepath.Join(h.dir, "p", ".claude", "memory", "preferences")
	if err := os.MkdirAll(files, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		id := fmt.Sprintf("m%03d", i)
		want = append(want, "p/"+id)
		data := fmt.Sprintf(`{"category": "preference", "title": "Title of %s", "tags": ["t"], "content": {"topic": "x", "value": %q}}`, id, strings.Repeat("text ", 200))
		if err := os.WriteFile(filepath.Join(files, id+".json"), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h.run("p", "", "roots", "add")
	database := filepath.Join(h.dir, "state", "memctl", "catalogue.db")
	for name, killed := range map[string]struct {
		args  []string
		stdin string
		file  string // the process is killed when this file has that size
	}{
		"a session's start": {[]string{"hook", "session-start"}, sessionStart, database + "-wal"},
		"a rebuild":         {[]string{"roots", "rebuild"}, "", database + "-wal"},
	} {
		for _, size := range []int64{1, 50_000, 200_000, 400_000} {
			t.Run(fmt.Sprintf("%s at %d bytes", name, size), func(t *testing.T) {
				if err := os.Remove(database); err != nil {
					t.Fatal(err)
				}
				killAtSize(t, h.command("p", killed.stdin, killed.args...), killed.file, size)
				if diff := cmp.Diff(want, h.all()); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		}
	}
}

// killAtSize runs a process and kills it when a file is that large, or lets it end.
func killAtSize(t *testing.T, cmd *exec.Cmd, file string, size int64) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		if info, err := os.Stat(file); err == nil && info.Size() >= size {
			_ = cmd.Process.Kill() // it may have ended
		}
		select {
		case <-ended:
			return
		default:
		}
	}
}

// A search of all projects ranks as hybrid does in one.
func TestSearchOfAllRanksAsHybrid(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	store := os.DirFS("../../testdata/stores/parcel")
	if err := os.CopyFS(filepath.Join(h.dir, "p", ".claude", "memory"), store); err != nil {
		t.Fatal(err)
	}
	h.run("p", sessionStart, "hook", "session-start")
	for _, query := range []string{"kafka partitions order", "웹훅 재시도 정책", "postgres connection pool limit",
		"jwt key rotation leak", "the migration fails with a lock timeout"} {
		search := func(args ...string) (list []retrieve.IndexEntry) {
			data := h.run("p", "", append([]string{"search", "--json", "--category", "decision", "--category",
				"runbook", query}, args...)...)
			if err := json.Unmarshal([]byte(data), &list); err != nil {
				t.Fatal(err)
			}
			return list
		}
		one, all := search("--strategy", "hybrid"), search("--all")
		if len(one) == 0 {
			t.Errorf("%q finds nothing", query)
		}
		for i := range all {
			all[i].Path = ".claude/memory/" + strings.SplitAfter(all[i].Path, ".claude/memory/")[1]
			all[i].Project = ""
		}
		if diff := cmp.Diff(one, all); diff != "" {
			t.Errorf("%q (-one root +all)\n%s", query, diff)
		}
	}
}
