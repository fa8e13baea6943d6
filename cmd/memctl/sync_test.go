package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

// machine is a home folder whose memories are synced with those of other homes.
type machine struct {
	t             *testing.T
	home, address string // the address is a link: without it, the machine is offline
	bare          string
}

func (m machine) start(stdin string, env []string, args ...string) func() (out string, code int) {
	m.t.Helper()
	cmd := exec.Command("memctl", args...)
	cmd.Dir, cmd.Stdin = filepath.Join(m.home, "project"), strings.NewReader(stdin)
	cmd.Env = append(append(os.Environ(), "HOME="+m.home, "USERPROFILE="+m.home, "MEMCTL_USER_ROOT=", "MEMCTL_ROOT=",
		"CLAUDE_PROJECT_DIR=", "XDG_STATE_HOME="+filepath.Join(m.home, "state"), "GIT_CONFIG_NOSYSTEM=1"), env...)
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	m.check(cmd.Start())
	return func() (string, int) {
		if err := cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			m.t.Fatal(err)
		}
		return both.String(), cmd.ProcessState.ExitCode()
	}
}

// does runs a command that has to succeed.
func (m machine) does(stdin string, args ...string) string {
	m.t.Helper()
	out, code := m.start(stdin, nil, args...)()
	if code != 0 {
		m.t.Fatalf("%s: memctl %s: exit status %d\n%s", m.home, strings.Join(args, " "), code, out)
	}
	return out
}

func (m machine) check(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m machine) root() string { return filepath.Join(m.home, ".claude", "memory") }

// paths are the memories of the machine.
func (m machine) paths() []string {
	paths, err := filepath.Glob(filepath.Join(m.root(), "*", "*.json"))
	m.check(err)
	return paths
}

// files are the files that go along, by their paths below the root.
func (m machine) files() map[string]string {
	files := map[string]string{}
	for _, path := range m.paths() {
		data, err := os.ReadFile(path)
		m.check(err)
		files[strings.TrimPrefix(path, m.root())] = string(data)
	}
	return files
}

func (m machine) read(path string) *schemas.Memory {
	m.t.Helper()
	data, err := os.ReadFile(path)
	m.check(err)
	doc, err := schemas.DecodeExact(data)
	m.check(err)
	return doc
}

func (m machine) git(args ...string) string {
	m.t.Helper()
	out, err := exec.Command("git", append([]string{"-C", m.root(), "-c", "user.name=x", "-c", "user.email=x@example.org"},
		args...)...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// machines are some with one remote, set up.
func machines(t *testing.T, names ...string) (list []machine) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	bare := filepath.Join(t.TempDir(), "memories.git")
	if out, err := exec.Command("git", "init", "--quiet", "--bare", "--initial-branch=main", bare).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range names {
		home := filepath.Join(t.TempDir(), name)
		m := machine{t, home, filepath.Join(home, "remote.git"), bare}
		m.check(os.MkdirAll(filepath.Join(home, "project"), 0o755))
		m.online()
		m.does("", "sync", "init", m.address)
		list = append(list, m)
	}
	return list
}

func (m machine) online() { _ = os.Symlink(m.bare, m.address) }

const syncSecret = "ghp_R4nd0mT0k3nV4lu3F0rT3st1ngPurp0s3s12"

// life changes memories at random on several machines, and knows what must be left. Each memory has a mark in its
// list of impacts, and each change that adds to it adds another one.
type life struct {
	t       *testing.T
	rand    *rand.Rand
	list    []machine
	n       int
	added   map[string]map[string]bool // by the mark of the memory, what was added to it
	removed map[string]map[string]bool // what it had when a machine removed it
	counts  map[string]int
}

func (l *life) does(what string) { l.counts[what]++ }

// mark returns the first of a memory's impacts, "" for a memory that is none.
func mark(doc *schemas.Memory) (first string, all []string) {
	c := doc.Content.(*schemas.ConstraintContent)
	for _, impact := range c.Impact {
		if strings.HasPrefix(impact, "memory ") {
			first = impact
		}
	}
	return first, c.Impact
}

func (l *life) save(m machine) {
	l.n++
	first := fmt.Sprintf("memory %d", l.n)
	draft := fmt.Sprintf(`{"title": "%s limits %s number %d", "tags": ["t%d"], "content": {"kind": "technical", "rule": "rule %d",
		"impact": [%q], "severity": "high", "active": true}}`, l.word(), l.word(), l.n, l.n, l.n, first)
	m.does(draft, "create", "--user", "--category", "constraint", "--target", fmt.Sprintf("memory-%d", l.n), "--input", "-")
	l.added[first] = map[string]bool{first: true}
	l.does("saved")
}

func (l *life) word() string {
	words := []string{"Kafka", "Redis", "Postgres", "Nginx", "Vault", "Consul", "Envoy", "Traefik", "Minio", "Loki"}
	return words[l.rand.IntN(len(words))]
}

// change replaces a memory by what edit makes of it.
func (l *life) change(m machine, path string, edit func(doc *schemas.Memory)) {
	doc := m.read(path)
	edit(doc)
	doc.Changes = append(doc.Changes, schemas.Change{Date: doc.UpdatedAt, Summary: fmt.Sprintf("change %d", l.n)})
	data, err := json.Marshal(doc.Values())
	m.check(err)
	m.does(string(data), "update", "--user", "--target", strings.TrimSuffix(filepath.Base(path), ".json"), "--input", "-")
}

// act does something on a machine.
func (l *life) act(m machine) {
	l.t.Helper()
	l.n++
	paths := m.paths()
	kind := l.rand.IntN(100)
	if len(paths) == 0 || kind < 18 {
		l.save(m)
		return
	}
	path := paths[l.rand.IntN(len(paths))]
	id := strings.TrimSuffix(filepath.Base(path), ".json")
	doc := m.read(path)
	first, all := mark(doc)
	isActive := doc.RecordStatus == schemas.Active
	switch {
	case kind < 40 && isActive:
		token := fmt.Sprintf("impact %d of %s", l.n, filepath.Base(m.home))
		l.change(m, path, func(doc *schemas.Memory) {
			c := doc.Content.(*schemas.ConstraintContent)
			c.Impact = append(c.Impact, token)
		})
		l.added[first][token] = true
		l.does("added to")
	case kind < 52 && isActive:
		l.change(m, path, func(doc *schemas.Memory) {
			doc.Content.(*schemas.ConstraintContent).Rule = fmt.Sprintf("rule %d of %s", l.n, filepath.Base(m.home))
		})
		l.does("changed")
	case kind < 60 && isActive:
		m.does("", "retire", "--user", "--target", id)
		l.does("retired")
	case kind < 60:
		m.does("", "restore", "--user", "--target", id)
		l.does("restored")
	case kind < 66:
		m.check(os.Remove(path))
		_ = os.Remove(strings.TrimSuffix(path, ".json") + ".conflict")
		if l.removed[first] == nil {
			l.removed[first] = map[string]bool{}
		}
		for _, token := range all {
			l.removed[first][token] = true
		}
		l.does("removed")
	case kind < 74 && isActive && l.mayRename(m, first):
		l.change(m, path, func(doc *schemas.Memory) {
			doc.Title = fmt.Sprintf("%s refuses what %s sends since %d", l.word(), l.word(), l.n)
		})
		l.does("renamed")
	case kind < 78 && isActive:
		l.secret(m, path)
	default:
		l.sync(m)
	}
}

// mayRename lets each memory be renamed on one machine only: two names of both stay.
func (l *life) mayRename(m machine, first string) bool {
	var n int
	_, err := fmt.Sscanf(first, "memory %d", &n)
	return err == nil && l.list[n%len(l.list)].home == m.home
}

// secret writes a secret into a memory by hand, perhaps commits it, and follows the hint.
func (l *life) secret(m machine, path string) {
	data, err := os.ReadFile(path)
	m.check(err)
	m.check(os.WriteFile(path, bytes.Replace(data, []byte(`"rule": "`), []byte(`"rule": "`+syncSecret+` `), 1), 0o644))
	if l.rand.IntN(2) == 0 {
		m.git("add", ".")
		m.git("commit", "--quiet", "--message", "by hand, with "+syncSecret)
		l.does("committed a secret")
	}
	m.online()
	out, code := m.start("", nil, "sync")()
	if code == 0 && strings.Contains(out, "[PRIVACY]") { // a merge that was interrupted has filtered it
		l.does("filtered a secret")
		return
	}
	if code != 1 || !strings.Contains(out, "content.rule has 1 secret (1 github_token)") {
		l.t.Fatalf("with a secret: exit status %d\n%s", code, out)
	}
	_, hint, _ := strings.Cut(out, `run "memctl `)
	hint, _, _ = strings.Cut(hint, `"`)
	m.does("", strings.Fields(hint)...)
	m.does("", "sync")
	l.does("scrubbed a secret")
}

func (l *life) sync(m machine) {
	switch l.rand.IntN(6) {
	case 0:
		m.check(os.Remove(m.address))
		out, code := m.start("", nil, "sync")()
		if code != 1 || !strings.Contains(out, "and the next sync sends it") {
			l.t.Fatalf("offline: exit status %d\n%s", code, out)
		}
		for range 3 {
			l.save(m)
		}
		m.online()
		l.does("offline")
	case 1:
		m.start("", []string{fmt.Sprintf("%s=%d", killAt, 1+l.rand.IntN(60))}, "sync")()
		l.does("killed")
	case 2:
		var waits []func() (string, int)
		for _, other := range append(l.list, m) {
			waits = append(waits, other.start("", nil, "sync"))
		}
		l.save(m)
		for _, wait := range waits {
			if out, code := wait(); code != 0 {
				l.t.Fatalf("at once: exit status %d\n%s", code, out)
			}
		}
		l.does("synced at once")
	default:
		m.does("", "sync")
		l.does("synced")
	}
}

// settle resolves what is in conflict and syncs until nothing moves.
func (l *life) settle() {
	for range 2 {
		for _, m := range l.list {
			m.online()
			m.does("", "sync")
			records, err := filepath.Glob(filepath.Join(m.root(), "*", "*.conflict"))
			m.check(err)
			for _, record := range records {
				side := []string{"--ours", "--theirs"}[l.rand.IntN(2)]
				m.does("", "resolve", "--root", m.root(), side, strings.TrimSuffix(filepath.Base(record), ".conflict"))
				l.does("resolved")
			}
			if len(records) > 0 {
				m.does("", "sync")
			}
		}
	}
}

// check looks at what is left.
func (l *life) check() {
	l.t.Helper()
	first := l.list[0]
	for _, m := range l.list {
		if diff := cmp.Diff(first.files(), m.files()); diff != "" {
			l.t.Errorf("%s differs from %s:\n%s", m.home, first.home, diff)
		}
		if out := m.git("status", "--short"); out != "" {
			l.t.Errorf("git status says:\n%s", out)
		}
		if out, code := m.start("", nil, "validate", "--root", m.root())(); code != 0 {
			l.t.Errorf("validate:\n%s", out)
		}
	}
	left := map[string][]string{}
	for _, path := range first.paths() {
		mark, all := mark(first.read(path))
		if left[mark] != nil {
			l.t.Errorf("%s is there twice, also in %s", mark, path)
		}
		left[mark] = all
	}
	for mark, added := range l.added {
		for token := range added { // what a machine removed comes back only if another one has changed it
			if !slices.Contains(left[mark], token) && !l.removed[mark][token] {
				l.t.Errorf("%s lost %q; it has %q", mark, token, left[mark])
			}
		}
	}
	out, err := exec.Command("git", "-C", first.bare, "cat-file", "--batch-all-objects", "--batch", "--buffer").Output()
	first.check(err)
	if len(out) == 0 || bytes.Contains(out, []byte(syncSecret)) {
		l.t.Errorf("the remote has a secret, or nothing: %d bytes", len(out))
	}
	fsck, err := exec.Command("git", "-C", first.bare, "fsck", "--strict").CombinedOutput()
	if err != nil {
		l.t.Errorf("fsck: %v\n%s", err, fsck)
	}
	if l.removed["never"] != nil || len(left) == 0 {
		l.t.Error("nothing is left")
	}
	l.t.Logf("%d memories are left; %s", len(left), fmt.Sprint(slices.Sorted(maps.Keys(l.counts)), l.counts))
}

// Two machines with random changes, in periods without a connection and at the same time: nothing is lost, nothing is
// there twice, no secret is sent, and both have the same in the end.
func TestSyncOfTwoMachines(t *testing.T) {
	for seed := range soak(1, 4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			l := &life{t: t, rand: rand.New(rand.NewPCG(uint64(seed), 58)), added: map[string]map[string]bool{},
				removed: map[string]map[string]bool{}, counts: map[string]int{}, list: machines(t, "desk", "laptop")}
			for range soak(25, 200) {
				for _, m := range l.list {
					l.act(m)
				}
			}
			l.settle()
			l.check()
		})
	}
}

// A sync that is killed at any step is completed by the next one.
func TestSyncIsCompletedAfterACrash(t *testing.T) {
	t.Parallel()
	list := machines(t, "desk", "laptop")
	l := &life{t: t, rand: rand.New(rand.NewPCG(1, 58)), added: map[string]map[string]bool{},
		removed: map[string]map[string]bool{}, counts: map[string]int{}, list: list}
	for range 3 {
		l.save(list[0])
	}
	killed := 0
	inConflict := filepath.Join("constraints", "memory-3.json") // each time
	for step, times := 1, 1; ; step, times = step+soak(11, 1), times+1 {
		for _, m := range list {
			m.does("", "sync")
		}
		for _, m := range list {
			l.n++
			token := fmt.Sprintf("impact %d", l.n)
			path := m.paths()[0]
			if strings.HasSuffix(path, inConflict) {
				path = m.paths()[1]
			}
			l.change(m, filepath.Join(m.root(), inConflict), func(doc *schemas.Memory) {
				doc.Content.(*schemas.ConstraintContent).Rule = token
			})
			first, _ := mark(m.read(path))
			l.change(m, path, func(doc *schemas.Memory) {
				c := doc.Content.(*schemas.ConstraintContent)
				c.Impact = append(c.Impact, token)
				if m == list[0] {
					doc.Title = fmt.Sprintf("%s refuses what %s sends since %d", l.word(), l.word(), l.n)
				}
			})
			l.added[first][token] = true
			l.save(m)
		}
		list[0].does("", "sync")
		out, code := list[1].start("", []string{fmt.Sprintf("%s=%d", killAt, step)}, "sync")()
		saved := filepath.Join(list[0].root(), "constraints", fmt.Sprintf("memory-%d.json", l.n-2))
		l.change(list[0], saved, func(doc *schemas.Memory) { doc.Content.(*schemas.ConstraintContent).Rule = "another" })
		l.settle()
		l.check()
		if n := l.counts["resolved"]; n != times {
			t.Errorf("%d conflicts, want %d", n, times)
		}
		if code == 0 {
			break
		}
		if killed++; t.Failed() {
			t.Fatalf("killed at step %d\n%s", step, out)
		}
	}
	if killed < 3 {
		t.Errorf("it was killed %d times", killed)
	}
}
