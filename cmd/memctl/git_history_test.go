package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"memctl/features/git/mergetest"
	"memctl/features/git/versions"
	"memctl/files/systemtest"
	"memctl/schemas"
)

// log returns the revisions that memctl history prints, as "change subject: fields".
func (r repository) log(id string, args ...string) []string {
	r.t.Helper()
	out, _ := memctl(r.t, r.dir, "", append([]string{"history", id, "--json"}, args...)...)
	var revisions []versions.Revision
	r.check(json.Unmarshal([]byte(out), &revisions))
	lines := []string{}
	for _, rev := range revisions {
		lines = append(lines, strings.TrimSpace(string(rev.Change)+" "+rev.Subject)+": "+strings.Join(rev.Fields, ","))
	}
	return lines
}

// blame returns the subject of the commit of each value, by "field=value".
func (r repository) blame(id string) map[string]string {
	r.t.Helper()
	out, _ := memctl(r.t, r.dir, "", "history", "--fields", id, "--json")
	var origins []versions.Origin
	r.check(json.Unmarshal([]byte(out), &origins))
	subjects := map[string]string{}
	for _, o := range origins {
		subjects[o.Field+"="+string(o.Value)] = o.Subject
	}
	return subjects
}

func TestLogAndBlame(t *testing.T) {
	t.Parallel()
	r := newRepository(t, true)
	r.branch("side", func() {
		r.set(kafka, values{"content.rule": "2 MB", "tags": []any{"kafka", "limits", "side", "t1"}})
	})
	r.set(kafka, values{"title": "Kafka broker", "tags": []any{"kafka", "limits", "main", "t1"}})
	r.commit("main")
	r.git("merge", "-q", "side", "-m", "merge")
	r.git("mv", ".claude/memory/"+kafka, ".claude/memory/constraints/broker.json")
	r.set("constraints/broker.json", values{"id": "broker"})
	r.commit("rename")
	// Another memory of the old name is not part of the history.
	r.write(kafka, mergetest.Memory("kafka"))
	r.commit("another")
	r.set("constraints/broker.json", values{"content.severity": "low"})

	want := []string{
		"changed: content.severity",
		"renamed rename: id",
		"merged merge: ",
		"changed side: content.rule,tags",
		"changed main: tags,title",
		"added first: category,changes,content.active,content.impact,content.kind,content.rule,content.severity,created_at,id,record_status,schema_version,tags,times_updated,title,updated_at",
	}
	got := r.log("broker")
	slices.Sort(got[3:5]) // the branches have no order
	slices.Reverse(got[3:5])
	if !slices.Equal(got, want) {
		t.Errorf("log:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := r.log("broker", "--limit", "2"); !slices.Equal(got, want[:2]) {
		t.Errorf("two of the log: %q", got)
	}
	if got := r.log("kafka"); len(got) != 1 || !strings.HasPrefix(got[0], "added another: ") {
		t.Errorf("log of the other memory: %q", got)
	}
	r.says(0, "renamed from constraints/kafka.json: id", "history", "brok")

	subjects := r.blame("broker")
	for value, subject := range map[string]string{
		`title="Kafka broker"`: "main", `content.rule="2 MB"`: "side", `tags="side"`: "side", `tags="main"`: "main",
		`tags="kafka"`: "first", `id="broker"`: "rename", `content.severity="low"`: "", `content.kind="technical"`: "first",
	} {
		if got, ok := subjects[value]; !ok || got != subject {
			t.Errorf("blame of %s: %q, want %q", value, got, subject)
		}
	}
	r.says(0, "not committed", "history", "--fields", "broker")

	// A deleted memory has a history too, by its whole id.
	r.git("rm", "-qf", ".claude/memory/constraints/broker.json")
	r.git("commit", "-qm", "gone")
	if got := r.log("broker"); len(got) != 6 || got[0] != "deleted gone: " {
		t.Errorf("log of a deleted memory: %q", got)
	}
	r.says(1, `there is no memory "never"`, "history", "never")
	r.says(1, "there is no memory", "history", "--fields", "broker")
}

// What a merge has that no parent had belongs to the merge.
func TestBlameOfAValueThatAMergeMade(t *testing.T) {
	t.Parallel()
	r := newRepository(t, true)
	r.branch("side", func() { r.set(kafka, values{"content.rule": "2 MB"}) })
	r.set(kafka, values{"content.rule": "3 MB"})
	r.commit("main")
	r.fails("", "merge", "side")
	r.set(kafka, values{"content.rule": "2.5 MB"})
	r.says(0, "resolved", "resolve", "kafka", "--ours")
	r.commit("merge")
	if got := r.blame("kafka")[`content.rule="2.5 MB"`]; got != "merge" {
		t.Errorf("blames %q", got)
	}
	if got := r.log("kafka")[0]; got != "merged merge: content.rule" {
		t.Errorf("log: %q", got)
	}
}

func TestWithoutHistory(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"history"} {
		t.Run(name, func(t *testing.T) {
			r := newRepository(t, false)
			r.check(os.RemoveAll(filepath.Join(r.dir, ".git")))
			r.says(1, "there is no git repository here\nmemctl: hint: run \"git init\"", name, "kafka")
			r.says(1, "there is no git repository here", "install", "--git")
			r.git("init", "-q")
			r.says(0, "not committed", name, "kafka")
			r.says(0, "registered with git", "install", "--git")

			path := t.TempDir() // only memctl is on it
			r.check(os.Symlink(lookPath(t, "memctl"), filepath.Join(path, "memctl")))
			for _, args := range [][]string{{name, "kafka"}, {"install", "--git"}} {
				cmd, _, errOut := process(r.dir, "", args...)
				cmd.Env = append(cmd.Env, "PATH="+path)
				if err := cmd.Run(); err == nil || !strings.Contains(errOut.String(), "the program git is not installed\nmemctl: hint: install git") {
					t.Errorf("%q: %v, %s", args, err, errOut)
				}
			}
		})
	}
}

func lookPath(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBareRepository(t *testing.T) {
	t.Parallel()
	r := newRepository(t, true)
	r.branch("side", func() { r.set(kafka, values{"content.rule": "2 MB"}) })
	r.set(kafka, values{"content.rule": "3 MB"})
	r.commit("main")
	bare := repository{project{t, filepath.Join(t.TempDir(), "bare.git")}, r.home}
	r.git("clone", "-q", "--bare", r.dir, bare.dir)
	bare.check(os.MkdirAll(bare.path("constraints"), 0o755)) // someone left a root there
	bare.write(kafka, mergetest.Memory("kafka"))
	bare.says(1, "a bare repository has no working tree, and so no memories", "history", "kafka")
	bare.says(1, "hint: run it in a clone with a working tree", "install", "--git")
}

// A merge in a bare repository leaves nothing there.
func TestMergeInABareRepository(t *testing.T) {
	t.Parallel()
	r := newRepository(t, true)
	r.branch("side", func() { r.set(kafka, values{"content.rule": "2 MB"}) })
	r.set(kafka, values{"content.rule": "3 MB"})
	r.commit("main")
	bare := repository{project{t, filepath.Join(t.TempDir(), "bare.git")}, r.home}
	r.git("clone", "-q", "--bare", r.dir, bare.dir)
	bare.git("config", "merge.memctl.driver", strings.TrimSpace(r.git("config", "merge.memctl.driver")))
	bare.check(os.WriteFile(filepath.Join(bare.dir, "info/attributes"), []byte("*.json merge=memctl\n"), 0o644))
	bare.fails("both sides changed content.rule", "merge-tree", "--write-tree", "main", "side")
	if bare.exists("") {
		t.Error("a memory root was made in the repository")
	}
}

// A submodule is a repository with its own memories and settings.
func TestSubmodule(t *testing.T) {
	t.Parallel()
	inner, outer := newRepository(t, true), newRepository(t, true)
	outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.dir, "lib")
	outer.commit("submodule")
	lib := repository{project{t, filepath.Join(outer.dir, "lib")}, outer.home}
	lib.says(anyCode, "fix: memctl install --git", "doctor")
	lib.says(0, "registered with git", "install", "--git")
	lib.branch("side", func() { lib.set(kafka, values{"tags": []any{"kafka", "side"}}) })
	lib.set(kafka, values{"tags": []any{"kafka", "main"}})
	lib.commit("main")
	lib.git("merge", "-q", "side", "-m", "merge")
	lib.has(kafka, values{"tags": []any{"kafka", "main", "side"}})
	if got := lib.log("kafka"); len(got) != 4 {
		t.Errorf("log: %q", got)
	}
	if got := outer.log("kafka"); len(got) != 1 {
		t.Errorf("log of the outer project: %q", got)
	}
}

// A linked working tree has its own memories and shares the settings of the clone.
func TestLinkedWorkTrees(t *testing.T) {
	t.Parallel()
	r := newRepository(t, true)
	for _, dir := range []string{filepath.Join(t.TempDir(), "apart"), filepath.Join(r.dir, ".claude/worktrees/within")} {
		r.git("worktree", "add", "-q", "-b", filepath.Base(dir), dir)
		tree := repository{project{t, dir}, r.home}
		tree.set(kafka, values{"title": "Zebra " + filepath.Base(dir)})
		tree.check(os.MkdirAll(filepath.Join(dir, "deep/er"), 0o755))
		deep := repository{project{t, filepath.Join(dir, "deep/er")}, r.home}
		deep.says(0, "Zebra "+filepath.Base(dir), "search", "zebra")
		r.says(0, "Kafka", "search", "kafka")
		deep.says(0, "not committed", "history", "kafka")
		tree.commit("tree")
		tree.git("checkout", "-q", "-b", "side-"+filepath.Base(dir), "main")
		tree.set(kafka, values{"tags": []any{"kafka", "side"}})
		tree.commit("side")
		tree.git("merge", "-q", filepath.Base(dir), "-m", "merge")
		tree.has(kafka, values{"title": "Zebra " + filepath.Base(dir), "tags": []any{"kafka", "side"}})
	}
}

// sign replaces the last commit with one that seems to be signed.
func (r repository) sign() {
	r.t.Helper()
	head, message, _ := strings.Cut(r.git("cat-file", "commit", "HEAD"), "\n\n")
	file := filepath.Join(r.home, "commit")
	r.check(os.WriteFile(file, []byte(head+"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----\n\n"+message), 0o644))
	r.git("reset", "-q", "--soft", strings.TrimSpace(r.git("hash-object", "-t", "commit", "-w", file)))
}

func (r repository) evil(marker string) string {
	script := filepath.Join(r.home, "evil")
	systemtest.WriteProgram(r.t, script, "#!/bin/sh\ntouch "+marker+"\n")
	return script
}

// Nothing that a repository or the environment configures for git is run.
func TestHostileRepositoryRunsNothing(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("scripts")
	}
	r := newRepository(t, false)
	r.set(kafka, values{"content.rule": "2 MB", "related_files": []any{"gone.go"}})
	r.commit("second")
	r.sign()
	marker := filepath.Join(t.TempDir(), "run")
	evil := r.evil(marker)
	r.check(os.WriteFile(r.path(".gitattributes"), []byte("*.json filter=evil diff=evil merge=evil\n"), 0o644))
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass", "gpg.program", "diff.external", "pager.log",
		"diff.evil.textconv", "diff.evil.command", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "merge.evil.driver",
		"credential.helper", "uploadpack.packObjectsHook", "sequence.editor", "core.gitProxy",
	} {
		r.git("config", key, evil)
	}
	hooks := filepath.Join(r.home, "hooks")
	r.check(os.Mkdir(hooks, 0o755))
	for _, hook := range []string{"post-index-change", "reference-transaction", "pre-commit"} {
		r.check(os.Symlink(evil, filepath.Join(hooks, hook)))
	}
	r.git("config", "core.hooksPath", hooks)
	r.git("config", "log.showSignature", "true")
	r.git("config", "log.showRoot", "false")
	r.git("config", "log.follow", "true")
	r.git("config", "diff.relative", "true")
	os.Remove(marker) // git config itself does not run them, but this test must not rely on it
	for _, args := range []string{"log kafka", "blame kafka", "review", "validate", "doctor", "install --git --dry-run", "install --git", "uninstall --git"} {
		cmd, out, errOut := process(r.dir, "", strings.Fields(args)...)
		cmd.Env = append(cmd.Env, "GIT_EXTERNAL_DIFF="+evil, "GIT_PAGER="+evil, "GIT_SSH="+evil, "GIT_DIR=/nowhere", "GIT_TRACE="+marker, "PAGER="+evil)
		if err := cmd.Run(); err != nil && args != "doctor" {
			t.Errorf("%s: %v\n%s%s", args, err, out, errOut)
		}
		if _, err := os.Lstat(marker); err == nil {
			t.Fatalf("memctl %s ran something", args)
		}
	}
	if got := r.log("kafka"); len(got) != 2 || !strings.HasPrefix(got[0], "changed second: content.rule") {
		t.Errorf("log: %q", got)
	}
}

// The settings name a program that is not on the PATH by its path, whatever is in it.
func TestProgramInAnOddFolder(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("quotes in names")
	}
	r := newRepository(t, false)
	odd := filepath.Join(t.TempDir(), "a 'b' %O $c", "memctl")
	r.check(os.MkdirAll(filepath.Dir(odd), 0o755))
	r.check(os.Link(lookPath(t, "memctl"), odd))
	cmd, _, errOut := process(r.dir, "", "install", "--git")
	cmd.Path = odd
	cmd.Env = append(cmd.Env, "PATH=/usr/bin:/bin")
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errOut)
	}
	r.commit("registered")
	r.branch("side", func() { r.set(kafka, values{"tags": []any{"kafka", "side"}}) })
	r.set(kafka, values{"tags": []any{"kafka", "main"}})
	r.commit("main")
	if !strings.Contains(r.git("config", "merge.memctl.driver"), "%%O") {
		t.Error("the driver is not the one in the odd folder")
	}
	r.git("merge", "-q", "side", "-m", "merge")
	r.has(kafka, values{"tags": []any{"kafka", "main", "side"}})
	if out := r.git("diff", "HEAD~1", "HEAD"); !strings.Contains(out, "\n+  - side\n") {
		t.Error(out)
	}
}

// Names that look like flags are names.
func TestNamesThatLookLikeFlags(t *testing.T) {
	t.Parallel()
	r := newRepository(t, true)
	sub := repository{project{t, filepath.Join(r.dir, "--sub")}, r.home}
	r.check(os.Mkdir(sub.dir, 0o755))
	memctl(t, sub.dir, "", "init")
	memctl(t, sub.dir, "", "install", "--git")
	const name = "constraints/-rf.json"
	sub.write(name, mergetest.Memory("rf"))
	sub.commit("odd")
	sub.branch("side", func() { sub.set(name, values{"tags": []any{"kafka", "side"}, "content.rule": "2 MB"}) })
	sub.set(name, values{"tags": []any{"kafka", "main"}, "content.rule": "3 MB"})
	sub.commit("main")
	sub.fails("--sub/.claude/memory/constraints/-rf.json: both sides changed content.rule", "merge", "side")
	sub.has(name, values{"tags": []any{"kafka", "main", "side"}, "content.rule": "3 MB"})
	sub.says(0, "resolved", "resolve", name, "--theirs")
	sub.commit("merge")
	sub.says(0, "odd", "history", name)
}

// A memory behind a link of the working tree is left to git, and nothing is written
// through the link.
func TestMergeDriverFollowsNoLink(t *testing.T) {
	t.Parallel()
	r := newRepository(t, true)
	outside := t.TempDir()
	r.check(os.MkdirAll(filepath.Join(outside, "memory/constraints"), 0o755))
	r.check(os.Symlink(outside, filepath.Join(r.dir, "link")))
	for name, rule := range map[string]string{"base": "1", "ours": "2", "theirs": "3"} {
		doc := mergetest.Memory("kafka")
		doc.Content.(*schemas.ConstraintContent).Rule = rule
		data, err := doc.Encode()
		r.check(err)
		r.check(os.WriteFile(filepath.Join(r.dir, name), data, 0o644))
	}
	for path, says := range map[string]string{
		"link/memory/constraints/kafka.json":         "it is behind a link",
		"../elsewhere/memory/constraints/kafka.json": "not the path of a memory",
		"notes/kafka.json":                           "not the path of a memory",
	} {
		r.says(1, says, "merge-driver", "--", "base", "ours", "theirs", "7", path)
	}
	if entries, err := os.ReadDir(filepath.Join(outside, "memory/constraints")); err != nil || len(entries) > 0 {
		t.Errorf("%v, %v", entries, err)
	}
}
