package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memctl/files/systemtest"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// These tests install what "make release" has made, in temporary folders, and use it as a
// new user does ("make release-check").

// dist is the folder that make release filled, or the test is skipped.
func dist(t *testing.T) string {
	folder := os.Getenv("MEMCTL_RELEASE")
	if folder == "" {
		t.Skip("installs a release: make release-check")
	}
	return folder
}

// artifact is the path of the only file in dist that matches a pattern.
func artifact(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dist(t), pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v", pattern, found, err)
	}
	return found[0]
}

// forHere is the pattern of the archive for this system.
var forHere = "memctl_*_" + runtime.GOOS + "_" + runtime.GOARCH

// scratch is a home in which something is installed.
type scratch struct {
	t    *testing.T
	home string
	path string // of the folder with memctl, before the others on the PATH
}

func newScratch(t *testing.T) *scratch {
	home := t.TempDir()
	return &scratch{t, home, filepath.Join(home, ".local", "bin")}
}

func (s *scratch) check(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *scratch) command(dir, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+s.home, "XDG_STATE_HOME="+filepath.Join(s.home, "state"), "TMPDIR="+s.home,
		"PATH="+s.path+":"+os.Getenv("PATH"), "MEMCTL_ROOT=", "CLAUDE_PROJECT_DIR=", "CLAUDE_CONFIG_DIR="+filepath.Join(s.home, ".claude"), "npm_config_cache="+filepath.Join(s.home, "npm"),
		"GEMINI_CLI_TRUST_WORKSPACE=true") // or it asks whether dist is trusted
	return cmd
}

// run runs a program that must succeed, and returns what it prints.
func (s *scratch) run(dir, name string, args ...string) string {
	s.t.Helper()
	out, err := s.command(dir, name, args...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// use saves a memory in a new project and finds it with the hook, as memctl on the PATH
// of the home. Then doctor must find nothing wrong.
func (s *scratch) use() {
	s.t.Helper()
	project := filepath.Join(s.home, "a project")
	s.check(os.Mkdir(project, 0o755))
	memctl := filepath.Join(s.path, "memctl")
	if got, want := s.run(project, memctl, "--version"), "memctl version "+versionOf(s.t)+" ("; !strings.HasPrefix(got, want) {
		s.t.Errorf("%q does not begin with %q", got, want)
	}
	s.run(project, memctl, "init")
	s.run(project, memctl, "install")
	s.run(project, memctl, "add", "decision", "Kafka keeps events for 14 days. A replay takes a week.", "--tag", "kafka")
	hook := s.command(project, memctl, "hook", "user-prompt-submit")
	hook.Stdin = strings.NewReader(`{"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": ".", "prompt": "how long does kafka keep our events?"}`)
	answer, err := hook.Output()
	if err != nil || !bytes.Contains(answer, []byte(": Kafka keeps events for 14 days")) {
		s.t.Errorf("the hook answers %s, %v", answer, err)
	}
	report, err := s.command(project, memctl, "doctor").CombinedOutput()
	if err != nil {
		s.t.Errorf("memctl doctor: %v\n%s", err, report)
	}
	if strings.Contains(string(report), "another") {
		s.t.Error("doctor takes the memctl on the PATH for another one")
	}
	s.t.Logf("memctl doctor\n%s", report)
}

// hubRuns expects memctl-hub next to memctl.
func (s *scratch) hubRuns() {
	s.t.Helper()
	if got, want := s.run(s.home, filepath.Join(s.path, "memctl-hub"), "version"), "memctl-hub version "+versionOf(s.t)+" ("; !strings.HasPrefix(got, want) {
		s.t.Errorf("%q does not begin with %q", got, want)
	}
}

// versionOf is the version in the names of the archives.
func versionOf(t *testing.T) string {
	return strings.Split(filepath.Base(artifact(t, forHere+".cdx.json")), "_")[1]
}

func TestArchiveOfRelease(t *testing.T) {
	s := newScratch(t)
	s.run(s.home, "tar", "-xzf", artifact(t, forHere+".tar.gz"))
	folders, err := filepath.Glob(filepath.Join(s.home, "memctl_*"))
	if err != nil || len(folders) != 1 {
		t.Fatal(folders, err)
	}
	s.path = folders[0]
	for _, name := range []string{"LICENSE", "THIRD_PARTY_LICENSES.txt", "README.md", "CHANGELOG.md", "man/memctl.1",
		"completions/memctl.bash", "completions/_memctl", "completions/memctl.fish", "completions/memctl.ps1"} {
		if info, err := os.Stat(filepath.Join(s.path, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	s.use()
	s.hubRuns()
}

func TestDebOfRelease(t *testing.T) {
	needs(t, "dpkg")
	s := newScratch(t)
	s.check(os.MkdirAll(filepath.Join(s.home, "var/lib/dpkg/updates"), 0o755))
	s.check(os.WriteFile(filepath.Join(s.home, "var/lib/dpkg/status"), nil, 0o644))
	s.run(s.home, "dpkg", "--root="+s.home, "--force-not-root", "--force-script-chrootless", "--log="+os.DevNull, "-i", artifact(t, forHere+".deb"))
	s.path = filepath.Join(s.home, "usr/bin")
	s.use()
	s.hubRuns()
	if page := s.run(s.home, "gzip", "-dc", filepath.Join(s.home, "usr/share/man/man1/memctl.1.gz")); !strings.Contains(page, ".TH memctl 1") {
		t.Errorf("the manual page is %.40q", page)
	}
	s.run(s.home, "dpkg", "--root="+s.home, "--force-not-root", "--log="+os.DevNull, "-r", "memctl")
	if _, err := os.Stat(filepath.Join(s.path, "memctl")); err == nil {
		t.Error("memctl is still there after dpkg -r")
	}
}

func TestRPMOfRelease(t *testing.T) {
	needs(t, "rpm")
	s := newScratch(t)
	s.run(s.home, "rpm", "--root", s.home, "--nodeps", "--ignorearch", "-i", artifact(t, forHere+".rpm"))
	s.path = filepath.Join(s.home, "usr/bin")
	s.use()
	s.hubRuns()
}

func TestNPMOfRelease(t *testing.T) {
	needs(t, "npm")
	s := newScratch(t)
	node := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	s.run(s.home, "npm", "install", "--global", "--offline", "--prefix", s.home, "--ignore-scripts",
		artifact(t, "npm/memctl-"+runtime.GOOS+"-"+node+"-*.tgz"), artifact(t, "npm/memctl-"+versionOf(t)+".tgz"))
	s.path = filepath.Join(s.home, "bin")
	s.use()
	if out, err := s.command(s.home, filepath.Join(s.path, "memctl"), "serch").CombinedOutput(); err == nil || err.(*exec.ExitError).ExitCode() != 2 {
		t.Errorf("a misspelt command ends with %v: %s", err, out)
	}
	launcher := filepath.Join(s.home, "lib/node_modules/memctl/bin/memctl.js")
	s.check(os.Rename(launcher, launcher+".away")) // hooks do not start Node
	project := filepath.Join(s.home, "a project")
	s.hookRuns(project, filepath.Join(project, ".claude/settings.json"))
	s.check(os.Rename(launcher+".away", launcher))
	s.check(os.RemoveAll(filepath.Join(s.home, "lib/node_modules/@memctl")))
	if out, err := s.command(s.home, filepath.Join(s.path, "memctl"), "list").CombinedOutput(); err == nil || !strings.Contains(string(out), "is not installed") {
		t.Errorf("without the package for this system: %v: %s", err, out)
	}
}

// shells in which the installer must work.
var shells = [][]string{{"sh"}, {"bash", "--posix"}, {"busybox", "sh"}}

func TestInstallerOfRelease(t *testing.T) {
	installer := artifact(t, "install.sh")
	server := httptest.NewServer(http.FileServer(http.Dir(dist(t))))
	t.Cleanup(server.Close)
	for _, shell := range shells {
		t.Run(shell[0], func(t *testing.T) {
			needs(t, shell[0])
			s := newScratch(t)
			t.Setenv("MEMCTL_DOWNLOADS", server.URL)
			s.path = filepath.Join(s.home, "it's mine", "bin")
			out := s.run(s.home, shell[0], append(shell[1:], installer, "--prefix", "it's mine")...)
			if !strings.Contains(out, "its SHA-256 is as expected") {
				t.Errorf("it says %s", out)
			}
			s.use()
			s.hubRuns()
		})
	}
}

func TestShellScriptsOfRelease(t *testing.T) {
	needs(t, "shellcheck")
	s := newScratch(t)
	s.run(s.home, "shellcheck", artifact(t, "install.sh"), artifact(t, "plugin/bin/memctl"))
}

// helmProgram is what "go run" makes of a module. To build it takes minutes the first time.
const helmProgram = "helm.sh/helm/v3/cmd/helm@v3.19.0"

// The hub's chart renders, with the least and with the most that its values have.
func TestChartOfRelease(t *testing.T) {
	needs(t, "go")
	const chart = "../../hub/deploy/chart"
	all := []string{"--set", "host=hub.acme.example,tlsSecret=hub-tls,args={--url=https://hub.acme.example}",
		"--set-json", `issuers=[{"issuer": "https://id.acme.example", "audience": "memctl-hub"}]`}
	for name, values := range map[string][]string{"least": nil, "most": all} {
		t.Run(name, func(t *testing.T) {
			helm := func(args ...string) []byte {
				t.Helper()
				out, err := exec.Command("go", append([]string{"run", helmProgram}, append(args, values...)...)...).Output()
				if err != nil {
					t.Fatalf("%v: %s%s", err, out, err.(*exec.ExitError).Stderr)
				}
				return out
			}
			helm("lint", "--strict", chart)
			var kinds []string
			objects := yaml.NewDecoder(bytes.NewReader(helm("template", "hub", chart)))
			for {
				var object struct{ Kind string }
				if err := objects.Decode(&object); err != nil {
					break
				}
				kinds = append(kinds, object.Kind)
			}
			want := []string{"Deployment", "Service", "Job"}
			if values != nil {
				want = []string{"ConfigMap", "Service", "Deployment", "Ingress", "Job"}
			}
			if diff := cmp.Diff(want, kinds, cmpopts.SortSlices(strings.Compare)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A download that is not the archive is refused, and nothing is left behind.
func TestInstallerOfBrokenRelease(t *testing.T) {
	installer := artifact(t, "install.sh")
	for name, answer := range map[string]http.HandlerFunc{
		"must be":             func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("something else")) },
		"the download failed": func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) },
	} {
		server := httptest.NewServer(answer)
		t.Cleanup(server.Close)
		t.Setenv("MEMCTL_DOWNLOADS", server.URL)
		s := newScratch(t)
		out, err := s.command(s.home, "sh", installer).CombinedOutput()
		if err == nil || !strings.Contains(string(out), name) || !strings.Contains(string(out), "nothing was installed") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		if left, _ := os.ReadDir(s.home); len(left) != 0 {
			t.Errorf("it leaves %v", left)
		}
	}
}

func TestPluginOfRelease(t *testing.T) {
	plugin := filepath.Join(dist(t), "plugin")
	s := newScratch(t)
	s.path = filepath.Join(plugin, "bin")
	s.use()
	s.pluginRuns(plugin)
	// uname is that of a system without a binary.
	s.path = filepath.Join(s.home, "bin")
	s.check(os.Mkdir(s.path, 0o755))
	systemtest.WriteProgram(t, filepath.Join(s.path, "uname"), "#!/bin/sh\necho Plan9 mips\n")
	launcher := filepath.Join(plugin, "bin", "memctl")
	for hook, want := range map[string]string{"session-start": `{"systemMessage": "memctl: the plugin has no program for Plan9 mips; `, "stop": ""} {
		if got := s.run(s.home, launcher, "hook", hook); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s answers %q", hook, got)
		}
	}
	out, err := s.command(s.home, launcher, "mcp").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "has no program for Plan9 mips") {
		t.Errorf("mcp: %v: %s", err, out)
	}
}

// pluginRuns runs the plugin's hook for a prompt.
func (s *scratch) pluginRuns(plugin string) {
	s.t.Helper()
	root := filepath.Join(s.home, `the "plugins" of $HOME & it's`)
	s.check(os.Symlink(plugin, root))
	project := filepath.Join(s.home, "project")
	s.check(os.Mkdir(project, 0o755))
	s.run(project, filepath.Join(root, "bin", "memctl"), "init")
	s.run(project, filepath.Join(root, "bin", "memctl"), "add", "decision", "Kafka keeps events for 14 days", "--tag", "kafka")
	s.hookRuns(project, filepath.Join(root, "hooks", "hooks.json"), "CLAUDE_PLUGIN_ROOT="+root)
}

// hookRuns has a shell run the registered hook for a prompt, as the client does.
func (s *scratch) hookRuns(project, settings string, env ...string) {
	s.t.Helper()
	data, err := os.ReadFile(settings)
	s.check(err)
	var registered struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	s.check(json.Unmarshal(data, &registered))
	line := registered.Hooks["UserPromptSubmit"][0].Hooks[0].Command
	cmd := s.command(project, "sh", "-c", line)
	cmd.Env = append(cmd.Env, env...)
	cmd.Stdin = strings.NewReader(`{"hook_event_name": "UserPromptSubmit", "session_id": "registered", "cwd": ".", "prompt": "does kafka keep our events?"}`)
	if answer, err := cmd.Output(); err != nil || !bytes.Contains(answer, []byte(": Kafka keeps events for 14 days")) {
		s.t.Errorf("the hook %s answers %s, %v", line, answer, err)
	}
}

// The steps of the GitHub Action fail for a file that cannot be read, and with strict for a finding.
func TestActionOfRelease(t *testing.T) {
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				Name, Run string
				Env       map[string]string
			}
		}
	}
	s := newScratch(t)
	s.check(yaml.Unmarshal([]byte(read(t, "action/action.yml")), &action))
	project, summary := filepath.Join(s.home, "project"), filepath.Join(s.home, "summary.md")
	s.check(os.Mkdir(project, 0o755))
	run := func(step int, strict string) error {
		cmd := s.command(project, "bash", "-eo", "pipefail", "-c", action.Runs.Steps[step].Run)
		cmd.Env = append(cmd.Env, "RUNNER_TEMP="+s.home, "GITHUB_STEP_SUMMARY="+summary, "MEMCTL_DOWNLOADS=file://"+dist(t))
		for name, value := range action.Runs.Steps[step].Env {
			input := strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")
			if value = action.Inputs[input].Default; input == "strict" && strict != "" {
				value = strict
			}
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		out, err := cmd.CombinedOutput()
		t.Logf("%s\n%s", action.Runs.Steps[step].Name, out)
		return err
	}
	s.check(run(0, ""))
	memctl := filepath.Join(s.home, "memctl", "bin", "memctl")
	s.run(project, memctl, "init")
	s.check(os.WriteFile(filepath.Join(project, "kafka.go"), []byte("package kafka\n"), 0o644))
	git := func(args ...string) {
		s.run(project, "git", append([]string{"-c", "user.name=Dev", "-c", "user.email=dev@example.com"}, args...)...)
	}
	s.run(project, memctl, "add", "constraint", "Consumers are idempotent", "--tag", "kafka", "--related", "kafka.go")
	git("init", "--quiet")
	git("commit", "--quiet", "--allow-empty", "-m", "first")
	git("add", "kafka.go")
	git("commit", "--quiet", "-m", "second")
	s.run(project, memctl, "add", "constraint", "Kafka keeps events for 14 days", "--tag", "kafka", "--related", "gone.go")
	if err := run(1, ""); err != nil {
		t.Error(err)
	}
	if err := run(1, "true"); err == nil {
		t.Error("strict finds nothing")
	}
	s.check(os.WriteFile(filepath.Join(project, ".claude", "memory", "constraints", "broken.json"), []byte("{"), 0o644))
	if err := run(1, ""); err == nil {
		t.Error("a broken file passes")
	}
	text, err := os.ReadFile(summary)
	if err != nil || !strings.Contains(string(text), "gone.go") || !strings.Contains(string(text), "constraints/broken.json") ||
		!strings.Contains(string(text), "- it names kafka.go") {
		t.Errorf("%v, the summary says:\n%s", err, text)
	}
}

// Another clone, in another folder, at another time, with other permissions, gives the
// same bytes.
func TestSecondBuildOfRelease(t *testing.T) {
	s := newScratch(t)
	first, err := os.ReadFile(artifact(t, "checksums.txt"))
	s.check(err)
	repository, err := filepath.Abs("../..")
	s.check(err)
	clone := filepath.Join(s.home, "a clone")
	s.run(repository, "git", "clone", "-q", repository, clone)
	cmd := exec.Command("sh", "-c", "umask 077; exec make -s release")
	cmd.Dir = clone
	cmd.Env = append(os.Environ(), "TZ=Asia/Seoul", "LC_ALL=C")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	second, err := os.ReadFile(filepath.Join(clone, "dist", "checksums.txt"))
	s.check(err)
	if diff := cmp.Diff(strings.Split(string(first), "\n"), strings.Split(string(second), "\n")); diff != "" {
		t.Errorf("the second build differs; is everything committed? (-first +second):\n%s", diff)
	}
}
