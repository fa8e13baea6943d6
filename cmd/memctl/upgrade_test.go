package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"memctl/db"

	"github.com/google/go-cmp/cmp"
)

// formats are the files whose change gives an older memctl another index, catalogue,
// configuration or registration.
var formats = []string{":(glob)migrations/**/*.sql", ":!migrations/hub", "schemas/memory-config.default.json", "hooks/hooks.json"}

// Whatever an older memctl left in a project, this one takes over without loss: it reads
// the index or builds another, keeps the settings, and finds the registrations
// ("make upgrade"). The older ones are those of the last ten commits that changed a
// format and that build.
func TestUpgrade(t *testing.T) {
	if os.Getenv("MEMCTL_UPGRADE") == "" {
		t.Skip("builds ten older versions: make upgrade")
	}
	const versions = 10
	tried := 0
	for _, commit := range gitLines(t, append([]string{"log", "--format=%h", "--"}, formats...)...) {
		o, err := newOldProject(t, commit)
		if err != nil {
			t.Logf("%s does not build: %v", commit, err)
			continue
		}
		if tried++; tried > versions {
			return
		}
		t.Run(commit, func(t *testing.T) {
			t.Log(gitLines(t, "log", "-1", "--format=%s", commit)[0])
			o.t = t
			o.live()
			files := o.files()
			o.isListed()
			o.keepsMemories()
			o.keepsSettings()
			o.keepsObservations()
			if diff := cmp.Diff(files, o.files()); diff != "" {
				t.Errorf("reading changed the files of the root (-before +after):\n%s", diff)
			}
			o.takesOverHooks()
			o.rebuildsIndexOf(db.ContentVersion - 1)
			o.rebuildsIndexOf(db.ContentVersion + 1)
		})
	}
	t.Errorf("the history has %d commits that changed a format; is this a whole clone?", tried)
}

func gitLines(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// oldProject is a project in which an older memctl worked.
type oldProject struct {
	project
	home, old string // the home of its user, the older program
}

// newOldProject builds the memctl of a commit. The error is that of the build.
func newOldProject(t *testing.T, commit string) (oldProject, error) {
	t.Helper()
	base := t.TempDir()
	o := oldProject{project{t, filepath.Join(base, "home", "shop")}, filepath.Join(base, "home"), filepath.Join(base, "bin", "memctl")}
	source := filepath.Join(base, "source")
	for _, dir := range []string{o.dir, source} {
		o.check(os.MkdirAll(dir, 0o755))
	}
	build := exec.Command("sh", "-ec", `git archive "$1" | tar -x -C "$2"; cd "$2"; go build -tags urfave_cli_no_docs -o "$3" ./cmd/memctl`, "sh", commit, source, o.old)
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		return o, fmt.Errorf("%w: %s", err, out)
	}
	return o, os.RemoveAll(source)
}

// run runs an old or the present memctl as the user of the home.
func (o oldProject) run(program, stdin string, args ...string) string {
	o.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdin = o.dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "HOME="+o.home, "TMPDIR="+o.home, "XDG_STATE_HOME="+filepath.Join(o.home, "state"),
		"MEMCTL_ROOT=", "CLAUDE_PROJECT_DIR=", "CLAUDE_CONFIG_DIR=")
	var errOut strings.Builder
	cmd.Stderr = &errOut
	out, err := cmd.Output()
	if err != nil {
		o.t.Errorf("%s %s: %v\n%s%s", filepath.Base(filepath.Dir(program)), strings.Join(args, " "), err, out, errOut.String())
	}
	return string(out)
}

// now runs the present memctl.
func (o oldProject) now(args ...string) string {
	o.t.Helper()
	return o.run("memctl", "", args...)
}

// live has the older memctl make a root with settings, an index and observations, and
// register itself.
func (o oldProject) live() {
	o.t.Helper()
	o.check(os.CopyFS(o.path(), os.DirFS("../../testdata/stores/parcel")))
	o.check(os.Remove(o.path("decisions/half-written-merge.json")))
	o.run(o.old, "", "init")
	config, err := os.ReadFile(o.path("memory-config.json"))
	o.check(err)
	changed := regexp.MustCompile(`"max_inject": \d+`).ReplaceAll(config, []byte(`"max_inject": 7`))
	changed = regexp.MustCompile(`("observations": \{)(\s*)("enabled": false,)?`).ReplaceAll(changed, []byte(`$1$2"enabled": true,`))
	o.check(os.WriteFile(o.path("memory-config.json"), changed, 0o644))
	o.run(o.old, "", "install")
	session := map[string]any{"session_id": "0b6c5b1e-5f1f-4f6a-8d6e-6a9f3c2d1e00", "cwd": o.dir}
	for _, hook := range []struct {
		name  string
		event map[string]any
	}{
		{"session-start", map[string]any{"hook_event_name": "SessionStart", "source": "startup"}},
		{"user-prompt-submit", map[string]any{"hook_event_name": "UserPromptSubmit", "prompt": "why does kafka refuse the large message?"}},
		{"post-tool-use", map[string]any{"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "toolu_1",
			"tool_input": map[string]string{"command": "make test"}, "tool_response": map[string]any{"stdout": "ok", "stderr": "", "interrupted": false}}},
	} {
		maps.Copy(hook.event, session)
		event, err := json.Marshal(hook.event)
		o.check(err)
		o.run(o.old, string(event), "hook", hook.name)
	}
	o.run(o.old, "", "retire", "--target", ".claude/memory/constraints/kafka-message-size.json", "--reason", "the limit is gone")
}

// files are those of the root by name, without the index.
func (o oldProject) files() map[string]string {
	o.t.Helper()
	files := map[string]string{}
	root := os.DirFS(o.path())
	o.check(fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(name, "index.db") {
			return err
		}
		data, err := fs.ReadFile(root, name)
		files[name] = string(data)
		return err
	}))
	return files
}

// isListed expects the project in the catalogue, if the older memctl had one.
func (o oldProject) isListed() {
	o.t.Helper()
	if _, err := os.Stat(filepath.Join(o.home, "state", "memctl", "catalogue.db")); err != nil {
		return
	}
	if roots := o.now("roots", "--json"); !strings.Contains(roots, o.dir) {
		o.t.Errorf("the catalogue has lost the project: %s", roots)
	}
}

func (o oldProject) keepsMemories() {
	o.t.Helper()
	want := map[string]string{}
	for name, data := range o.files() {
		var memory struct {
			ID     string `json:"id"`
			Status string `json:"record_status"`
		}
		if strings.Count(name, "/") == 1 && filepath.Ext(name) == ".json" {
			o.check(json.Unmarshal([]byte(data), &memory))
			want[memory.ID] = memory.Status
		}
	}
	var listed []struct{ ID, Status string }
	o.check(json.Unmarshal([]byte(o.now("list", "--status", "all", "--limit", "0", "--json")), &listed))
	got := map[string]string{}
	for _, memory := range listed {
		got[memory.ID] = memory.Status
	}
	if diff := cmp.Diff(want, got); diff != "" || want["kafka-message-size"] != "retired" {
		o.t.Errorf("the memories on disk and those that are listed differ (-disk +listed):\n%s", diff)
	}
	o.now("validate")
}

// rebuildsIndexOf expects that an index with this version's tables but another one's rows
// is rebuilt. The indexes of old programs have other tables too.
func (o oldProject) rebuildsIndexOf(content int) {
	o.t.Helper()
	o.query(fmt.Sprintf(`UPDATE memories SET title = 'as it was'; UPDATE meta SET value = '%d' WHERE key = 'content_version'`, content))
	if listed := o.now("list", "--status", "all", "--json"); strings.Contains(listed, "as it was") {
		o.t.Errorf("the index of content version %d is still in use", content)
	}
	if got := o.query(`SELECT value FROM meta WHERE key = 'content_version'`); got != strconv.Itoa(db.ContentVersion) {
		o.t.Errorf("the index has the content version %s, want %d", got, db.ContentVersion)
	}
}

func (o oldProject) keepsSettings() {
	o.t.Helper()
	for key, want := range map[string]string{"retrieval.max_inject": "7", "observations.enabled": "true"} {
		if got := strings.TrimSpace(o.now("config", "get", key)); got != want {
			o.t.Errorf("%s is %q, want %s", key, got, want)
		}
	}
}

func (o oldProject) keepsObservations() {
	o.t.Helper()
	recorded := 0
	for name, data := range o.files() {
		if filepath.Ext(name) == ".jsonl" {
			recorded += strings.Count(data, "\n")
		}
	}
	if got := strings.Count(o.now("observations", "--json"), `"event_id"`); recorded != 1 || got != 1 {
		o.t.Errorf("%d observations were recorded, %d are shown", recorded, got)
	}
}

// takesOverHooks expects that install replaces the older registrations, and that uninstall
// leaves nothing of memctl.
func (o oldProject) takesOverHooks() {
	o.t.Helper()
	o.now("install")
	settings := filepath.Join(o.dir, ".claude", "settings.json")
	fresh := oldProject{project: project{o.t, o.t.TempDir()}, home: o.home}
	fresh.now("install")
	want, err := os.ReadFile(filepath.Join(fresh.dir, ".claude", "settings.json"))
	o.check(err)
	got, err := os.ReadFile(settings)
	o.check(err)
	if diff := cmp.Diff(hooksIn(o.t, want), hooksIn(o.t, got)); diff != "" {
		o.t.Errorf("the registrations after the upgrade are not those of a new project (-new +upgraded):\n%s", diff)
	}
	o.now("doctor")
	o.now("uninstall")
	if left, err := os.ReadFile(settings); err == nil && strings.Contains(string(left), "memctl") {
		o.t.Errorf("uninstall leaves %s", left)
	}
}

// hooksIn are the command lines of a settings file, sorted.
func hooksIn(t *testing.T, settings []byte) []string {
	t.Helper()
	var file struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	if err := json.Unmarshal(settings, &file); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for event, groups := range file.Hooks {
		for _, group := range groups {
			for _, hook := range group.Hooks {
				lines = append(lines, event+": "+hook.Command)
			}
		}
	}
	slices.Sort(lines)
	return lines
}
