package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memctl/features/git/mergetest"
	"memctl/features/git/versions"
	"memctl/files/git"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

// repository is a project in git.
type repository struct {
	project
	home string
}

const kafka = "constraints/kafka.json"

// newRepository is a project with one memory, kafka, in its first commit. If registered,
// git merges by memctl.
func newRepository(t *testing.T, registered bool) repository {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	r := repository{newProject(t), t.TempDir()}
	r.check(os.WriteFile(filepath.Join(r.home, ".gitconfig"), []byte("[user]\n name = Mina\n email = mina@example.org\n[init]\n defaultBranch = main\n"), 0o644))
	memctl(t, r.dir, "", "init")
	r.git("init", "-q")
	r.write(kafka, mergetest.Memory("kafka"))
	if registered {
		memctl(t, r.dir, "", "install", "--git")
	}
	r.commit("first")
	return r
}

// run runs git, and returns what it prints and its exit status.
func (r repository) run(args ...string) (out string, code int) {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "HOME="+r.home, "GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=true", "MEMCTL_ROOT=", "CLAUDE_PROJECT_DIR=")
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return both.String(), cmd.ProcessState.ExitCode()
}

// git runs a command that has to succeed.
func (r repository) git(args ...string) string {
	r.t.Helper()
	out, code := r.run(args...)
	if code != 0 {
		r.t.Fatalf("git %s: exit status %d\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

// fails runs a command that has to fail and to say something.
func (r repository) fails(says string, args ...string) {
	r.t.Helper()
	if out, code := r.run(args...); code == 0 || !strings.Contains(out, says) {
		r.t.Fatalf("git %s: exit status %d, want %q in:\n%s", strings.Join(args, " "), code, says, out)
	}
}

func (r repository) commit(message string) {
	r.t.Helper()
	r.git("add", "-A")
	r.git("commit", "-qm", message)
}

// branch commits changes on a new branch from main, and returns to main.
func (r repository) branch(name string, change func()) {
	r.t.Helper()
	r.git("checkout", "-q", "-b", name, "main")
	change()
	r.commit(name)
	r.git("checkout", "-q", "main")
}

func (r repository) write(path string, doc *schemas.Memory) {
	r.t.Helper()
	data, err := doc.Encode()
	r.check(err)
	r.check(os.MkdirAll(filepath.Dir(r.path(path)), 0o755))
	r.check(os.WriteFile(r.path(path), data, 0o644))
}

func (r repository) read(path string) *schemas.Memory {
	r.t.Helper()
	data, err := os.ReadFile(r.path(path))
	r.check(err)
	doc, err := schemas.DecodeExact(data)
	if err != nil {
		r.t.Fatalf("%s: %v\n%s", path, err, data)
	}
	return doc
}

// set gives a memory other values, by dotted field. nil removes one.
func (r repository) set(path string, values map[string]any) {
	r.t.Helper()
	doc := r.read(path)
	for field, value := range values {
		r.check(versions.SetTheirs(doc, schemas.Conflict{Field: field, Theirs: value}))
	}
	r.write(path, doc)
}

// has checks values of a memory, by dotted field.
func (r repository) has(path string, values map[string]any) {
	r.t.Helper()
	want := r.read(path)
	for field, value := range values {
		r.check(versions.SetTheirs(want, schemas.Conflict{Field: field, Theirs: value}))
	}
	if diff := cmp.Diff(want, r.read(path)); diff != "" {
		r.t.Error(diff)
	}
}

func (r repository) exists(path string) bool {
	_, err := os.Lstat(r.path(path))
	return err == nil
}

// anyCode stands for any exit status. That of doctor depends on the client's settings of
// the user who runs the tests.
const anyCode = -1

// says runs memctl and looks for words in what it prints to both streams.
func (r repository) says(code int, words string, args ...string) {
	r.t.Helper()
	out, errOut, got := exitStatus(r.t, r.dir, "", args...)
	if code != anyCode && got != code || !strings.Contains(out+errOut, words) {
		r.t.Errorf("memctl %s: exit status %d, want %d and %q in:\n%s%s", strings.Join(args, " "), got, code, words, out, errOut)
	}
}

type values = map[string]any

// Many pairs of random changes on two branches.
func TestGitMergesRandomChanges(t *testing.T) {
	t.Parallel()
	r := newRepository(t, true)
	pairs := soak(40, 1000)
	name := func(i int) string { return fmt.Sprintf("constraints/m%04d.json", i) }
	versions := map[string][2]*schemas.Memory{}
	for i := range pairs {
		r.write(name(i), mergetest.Memory(strings.TrimSuffix(filepath.Base(name(i)), ".json")))
	}
	r.commit("all")
	for side, branch := range []string{"ours", "theirs"} {
		r.git("checkout", "-q", "-b", branch, "main")
		for i := range pairs {
			doc := mergetest.NewEditor(uint64(i), branch).Edit(r.read(name(i)), mergetest.Scalars)
			r.write(name(i), doc)
			both := versions[name(i)]
			both[side] = doc
			versions[name(i)] = both
		}
		r.commit(branch)
	}
	r.git("checkout", "-q", "ours")
	out, _ := r.run("merge", "theirs")
	conflicts := 0
	for path, both := range versions {
		data, err := os.ReadFile(r.path(path))
		r.check(err)
		if found := schemas.Validate(data); len(found) > 0 {
			t.Fatalf("%s: %v\n%s", path, found, data)
		}
		merged := r.read(path)
		if canonical, err := merged.Encode(); err != nil || !bytes.Equal(canonical, data) {
			t.Fatalf("%s is not in canonical form", path)
		}
		for _, side := range both {
			for _, entry := range side.Changes {
				if !hasEntry(merged, entry) {
					t.Fatalf("%s: lost %v", path, entry)
				}
			}
		}
		inConflict := strings.Contains(out, "Merge conflict in .claude/memory/"+path)
		if recorded := r.exists(strings.TrimSuffix(path, ".json") + ".conflict"); recorded != inConflict {
			t.Fatalf("%s: in conflict: %v, recorded: %v\n%s", path, inConflict, recorded, out)
		}
		if inConflict {
			conflicts++
		}
	}
	if conflicts == 0 || conflicts == pairs {
		t.Errorf("%d of %d pairs are in conflict", conflicts, pairs)
	}
	t.Logf("%d of %d pairs are in conflict", conflicts, pairs)
}

func hasEntry(doc *schemas.Memory, entry schemas.Change) bool {
	for _, other := range doc.Changes {
		if cmp.Equal(entry, other) {
			return true
		}
	}
	return false
}

func TestGitOperations(t *testing.T) {
	t.Parallel()
	tests := map[string]func(r repository){
		"rebase": func(r repository) {
			r.branch("side", func() { r.set(kafka, values{"tags": []any{"kafka", "side"}, "content.rule": "2 MB"}) })
			r.set(kafka, values{"tags": []any{"kafka", "limits", "main", "t1"}, "title": "Main"})
			r.commit("main")
			r.git("checkout", "-q", "side")
			r.git("rebase", "-q", "main")
			r.has(kafka, values{"tags": []any{"kafka", "main", "side"}, "content.rule": "2 MB", "title": "Main"})
		},
		"rebase with a conflict": func(r repository) {
			r.branch("side", func() { r.set(kafka, values{"content.rule": "2 MB"}) })
			r.set(kafka, values{"content.rule": "3 MB"})
			r.commit("main")
			r.git("checkout", "-q", "side")
			r.fails("both sides changed content.rule", "rebase", "main")
			r.says(0, "resolved", "resolve", "kafka", "--theirs") // the commit that is being rebased
			r.git("add", "-A")
			r.git("rebase", "--continue")
			r.has(kafka, values{"content.rule": "2 MB"})
		},
		"cherry-pick": func(r repository) {
			r.branch("side", func() { r.set(kafka, values{"content.rule": "2 MB", "tags": []any{"kafka", "limits", "side"}}) })
			r.set(kafka, values{"title": "Main", "tags": []any{"kafka", "limits", "main", "t1"}})
			r.commit("main")
			r.git("cherry-pick", "side")
			r.has(kafka, values{"content.rule": "2 MB", "title": "Main", "tags": []any{"kafka", "limits", "main", "side"}})
			r.git("merge", "-q", "side", "-m", "merge") // the same change again
			r.has(kafka, values{"content.rule": "2 MB", "title": "Main", "tags": []any{"kafka", "limits", "main", "side"}})
		},
		"stash": func(r repository) {
			r.set(kafka, values{"content.rule": "2 MB"})
			r.git("stash", "-q")
			r.set(kafka, values{"title": "Main"})
			r.commit("main")
			r.git("stash", "pop", "-q")
			r.has(kafka, values{"content.rule": "2 MB", "title": "Main"})
		},
		"both renamed": func(r repository) {
			move := func(id, title string) {
				r.git("mv", ".claude/memory/"+kafka, ".claude/memory/constraints/"+id+".json")
				r.set("constraints/"+id+".json", values{"id": id, "title": title})
			}
			r.branch("side", func() { move("broker", "Broker") })
			move("events", "Events")
			r.commit("main")
			r.fails("both sides renamed it, to events and to broker", "merge", "side")
			r.has("constraints/events.json", values{"id": "events", "title": "Events"})
			r.says(1, "constraints/events.conflict: both sides of a merge changed title", "validate")
			r.git("rm", "-qf", ".claude/memory/"+kafka, ".claude/memory/constraints/broker.json")
			r.says(0, "resolved", "resolve", "events", "--theirs")
			r.git("add", "-A")
			r.git("commit", "-qm", "merged")
			r.says(0, "1 file checked: 0 findings", "validate")
			r.has("constraints/events.json", values{"title": "Broker"})
		},
		"renamed and changed": func(r repository) {
			r.branch("side", func() {
				r.git("mv", ".claude/memory/"+kafka, ".claude/memory/constraints/broker.json")
				r.set("constraints/broker.json", values{"id": "broker", "title": "Broker"})
			})
			r.set(kafka, values{"title": "Main"})
			r.commit("main")
			r.fails("memctl resolve broker", "merge", "side")
			r.has("constraints/broker.json", values{"id": "broker", "title": "Main"})
			if !r.exists("constraints/broker.conflict") {
				r.t.Error("no record under the new name")
			}
		},
		"retired and changed": func(r repository) {
			r.branch("side", func() { memctl(r.t, r.dir, "", "retire", "--target", "kafka", "--reason", "gone") })
			r.set(kafka, values{"content.rule": "2 MB"})
			r.commit("main")
			out := r.git("merge", "side", "-m", "merge")
			if !strings.Contains(out, "memctl: .claude/memory/constraints/kafka.json: one side changed it and the other made it retired") {
				r.t.Error(out)
			}
			r.has(kafka, values{"record_status": "retired", "retired_reason": "gone", "content.rule": "2 MB"})
			r.says(0, "", "show", "kafka")
		},
		"the same id added twice": func(r repository) {
			create := func(tag, rule string) {
				doc := mergetest.Memory("new")
				doc.Tags = []string{tag}
				doc.Content.(*schemas.ConstraintContent).Rule = rule
				r.write("constraints/new.json", doc)
			}
			r.branch("side", func() { create("side", "2 MB") })
			create("main", "3 MB")
			r.commit("main")
			r.fails("both sides changed content.rule", "merge", "side")
			r.has("constraints/new.json", values{"tags": []any{"main", "side"}, "content.rule": "3 MB"})
		},
		"deleted and changed": func(r repository) {
			r.branch("side", func() { r.set(kafka, values{"content.rule": "2 MB"}) })
			r.git("rm", "-q", ".claude/memory/"+kafka)
			r.git("commit", "-qm", "main")
			r.fails("CONFLICT (modify/delete)", "merge", "side")
			r.has(kafka, values{"content.rule": "2 MB"}) // git leaves the changed memory
			r.git("add", "-A")
			r.git("commit", "-qm", "kept")
			r.says(0, "0 findings", "validate")
		},
		"not a memory": func(r repository) {
			broken := func(line string) func() {
				return func() { r.check(os.WriteFile(r.path(kafka), []byte("{\n"+line+"\n}\n"), 0o644)) }
			}
			r.branch("side", broken("side"))
			broken("main")()
			r.commit("main")
			r.fails("merged line by line: ours is not a memory", "merge", "side")
			data, err := os.ReadFile(r.path(kafka))
			r.check(err)
			if want := "{\n<<<<<<< ours\nmain\n=======\nside\n>>>>>>> theirs\n}\n"; string(data) != want {
				r.t.Errorf("%s", data)
			}
			r.says(1, "READ_ERROR", "resolve", "kafka")
		},
		"the configuration": func(r repository) {
			set := func(key, value string) { memctl(r.t, r.dir, "", "config", "set", key, value) }
			r.branch("side", func() { set("retrieval.max_inject", "6") })
			set("privacy.marker", "[REDACTED]")
			r.commit("main")
			r.git("merge", "-q", "side", "-m", "merge") // line by line, by git
			r.says(0, "6", "config", "get", "retrieval.max_inject")
		},
		"a secret that one side scrubbed": func(r repository) {
			const secret = "ghp_R4nd0mT0k3nV4lu3F0rT3st1ngPurp0s3s12"
			r.set(kafka, values{"content.rule": "token " + secret, "content.impact": []any{"photos", "with " + secret}})
			r.commit("with a secret")
			r.branch("side", func() {
				r.set(kafka, values{"title": "Side", "content.impact": []any{"photos", "with " + secret, "more " + secret}})
			})
			memctl(r.t, r.dir, "", "scrub")
			r.commit("scrubbed")
			r.git("merge", "-q", "side", "-m", "merge")
			data, err := os.ReadFile(r.path(kafka))
			r.check(err)
			if bytes.Contains(data, []byte(secret)) || !bytes.Contains(data, []byte("[REDACTED]")) {
				r.t.Errorf("%s", data)
			}
			r.has(kafka, values{"title": "Side"})
		},
		"a secret in conflict": func(r repository) {
			const secret = "ghp_R4nd0mT0k3nV4lu3F0rT3st1ngPurp0s3s12"
			r.branch("side", func() { r.set(kafka, values{"content.rule": "side " + secret}) })
			r.set(kafka, values{"content.rule": "main"})
			r.commit("main")
			r.fails("both sides changed content.rule", "merge", "side")
			data, err := os.ReadFile(r.path("constraints/kafka.conflict"))
			r.check(err)
			if bytes.Contains(data, []byte(secret)) {
				r.t.Errorf("%s", data)
			}
		},
		"a merge that is given up": func(r repository) {
			r.branch("side", func() { r.set(kafka, values{"content.rule": "2 MB"}) })
			r.set(kafka, values{"content.rule": "3 MB"})
			r.commit("main")
			r.fails("", "merge", "side")
			r.git("merge", "--abort")
			r.says(1, "constraints/kafka.conflict", "validate")
			r.says(0, "resolved", "resolve", "kafka", "--ours")
			r.has(kafka, values{"content.rule": "3 MB"})
			if out := r.git("status", "--short"); out != "" {
				r.t.Error(out)
			}
		},
		"two common ancestors": func(r repository) {
			r.branch("side", func() { r.set(kafka, values{"content.rule": "2 MB"}) })
			r.set(kafka, values{"content.rule": "3 MB"})
			r.commit("main")
			r.git("branch", "before")
			r.fails("", "merge", "side")
			r.says(0, "", "resolve", "kafka", "--ours")
			r.commit("main has 3")
			r.git("checkout", "-q", "side")
			r.fails("", "merge", "before")
			r.says(0, "", "resolve", "kafka", "--theirs")
			r.set(kafka, values{"title": "Side"})
			r.commit("side has 3")
			r.git("checkout", "-q", "main")
			r.git("merge", "-q", "side", "-m", "merge")
			r.has(kafka, values{"content.rule": "3 MB", "title": "Side"})
			if r.exists("constraints/kafka.conflict") {
				r.t.Error("a conflict of the ancestors was recorded")
			}
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newRepository(t, true))
		})
	}
}

// Without the driver, git merges line by line. validate names the command that helps.
func TestPlainConflicts(t *testing.T) {
	t.Parallel()
	conflict := func(r repository) {
		r.branch("side", func() {
			r.set(kafka, values{"updated_at": "2026-02-01T00:00:00Z", "tags": []any{"kafka", "limits", "side"}, "title": "Side"})
		})
		r.set(kafka, values{"updated_at": "2026-02-02T00:00:00Z", "tags": []any{"kafka", "limits", "main"}})
		r.commit("main")
		r.fails("CONFLICT", "merge", "side")
		r.says(1, `constraints/kafka.json: line 8: git merged it line by line and left a conflict; run "memctl resolve kafka", and "memctl install --git"`, "validate")
	}
	tests := map[string]func(r repository){
		"resolved while git merges": func(r repository) {
			conflict(r)
			r.says(0, "merged the two versions of .claude/memory/constraints/kafka.json", "resolve", "kafka")
			r.has(kafka, values{"title": "Side", "updated_at": "2026-02-02T00:00:00Z", "tags": []any{"kafka", "limits", "main", "side"}})
			r.commit("merged")
			r.says(0, "0 findings", "validate")
		},
		"resolved after it was committed": func(r repository) {
			conflict(r)
			r.commit("markers and all")
			r.says(0, "resolved", "resolve", "kafka")
			r.has(kafka, values{"title": "Side", "updated_at": "2026-02-02T00:00:00Z", "tags": []any{"kafka", "limits", "main", "side"}})
		},
		"merged again by git": func(r repository) {
			conflict(r)
			memctl(r.t, r.dir, "", "install", "--git")
			r.git("checkout", "--merge", "--", ".claude/memory/"+kafka)
			r.has(kafka, values{"title": "Side", "tags": []any{"kafka", "limits", "main", "side"}})
		},
		"in a clone without the settings": func(r repository) {
			memctl(r.t, r.dir, "", "install", "--git")
			r.commit("registered")
			r.git("config", "--remove-section", "merge.memctl")
			r.says(anyCode, "fix: memctl install --git", "doctor")
			conflict(r)
		},
		"memctl is gone": func(r repository) {
			memctl(r.t, r.dir, "", "install", "--git")
			r.commit("registered")
			r.git("config", "merge.memctl.driver", strings.ReplaceAll(strings.TrimSpace(r.git("config", "merge.memctl.driver")), "memctl", "no-such-memctl"))
			r.git("config", "diff.memctl.textconv", strings.ReplaceAll(strings.TrimSpace(r.git("config", "diff.memctl.textconv")), "memctl", "no-such-memctl"))
			conflict(r)
			if out := r.git("diff", "HEAD~1", "HEAD"); !strings.Contains(out, `+  "updated_at": "2026-02-02T00:00:00Z",`) {
				r.t.Error(out)
			}
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newRepository(t, false))
		})
	}
}

// The files of a bare repository, which a clone may have anywhere, are not the repository that
// the memories are in.
func TestBareRepositoryAmongTheMemoriesIsNone(t *testing.T) {
	t.Parallel()
	r := newRepository(t, false)
	r.git("remote", "add", "origin", "https://example.com/ours.git")
	bare := filepath.Join(r.dir, ".claude", "memory")
	r.git("init", "--bare", "--quiet", bare)
	r.git("--git-dir", bare, "remote", "add", "origin", "https://example.com/of-another.git")
	for _, line := range [][]string{{"hub", "publish", "--dry-run", "--hub", "https://hub.example.com"}, {"history", "--json"}, {"review", "--json"}} {
		a := start(r.dir, "", line...)()
		if strings.Contains(a.out+a.errOut, "of-another") {
			t.Errorf("%s: %s%s", line[0], a.out, a.errOut)
		}
	}
	if out, err := git.Run(t.Context(), bare, "config", "--get", "remote.origin.url"); err == nil {
		t.Errorf("git takes it for the repository of %s", out)
	}
}
