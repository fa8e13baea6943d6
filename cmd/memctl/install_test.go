package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"memctl/clients"
	"memctl/files/systemtest"
	"memctl/hooks"
)

// installing returns a command that runs "memctl install" or "uninstall" in a project
// with a PATH.
func installing(dir, path string, args ...string) (*exec.Cmd, *bytes.Buffer, *bytes.Buffer) {
	cmd, out, errOut := process(dir, "", args...)
	cmd.Env = append(cmd.Environ(), "PATH="+path, "HOME="+dir, "USERPROFILE="+dir, "TMPDIR="+dir, "CLAUDE_CONFIG_DIR=")
	return cmd, out, errOut
}

// The command is the bare name if the PATH leads to this binary, and in settings that
// people share.
func TestInstalledCommand(t *testing.T) {
	t.Parallel()
	self, err := exec.LookPath("memctl")
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	systemtest.WriteProgram(t, filepath.Join(other, filepath.Base(self)), "#!/bin/sh\n")
	tests := map[string]struct {
		path, scope string
		byName      bool
		warns       string
	}{
		"user":                         {filepath.Dir(self), "user", true, ""},
		"project":                      {filepath.Dir(self), "project", true, ""},
		"user, not on PATH":            {t.TempDir(), "user", false, "memctl is not on your PATH; the hooks run this one, but the agent"},
		"local, another on PATH":       {other, "local", false, "your PATH has another memctl"},
		"project, not on PATH":         {t.TempDir(), "project", true, "memctl is not on your PATH; the hooks run it by name and silently do nothing"},
		"project, another on PATH":     {other, "project", true, "your PATH has another memctl"},
		"user, a PATH that is nowhere": {"", "user", false, "memctl is not on your PATH"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			cmd, out, errOut := installing(t.TempDir(), tt.path, "install", "--json", "--scope", tt.scope)
			if err := cmd.Run(); err != nil {
				t.Fatal(err, errOut)
			}
			var report struct{ Command string }
			if err := json.Unmarshal(out.Bytes(), &report); err != nil {
				t.Fatal(err)
			}
			if byName := report.Command == "memctl"; byName != tt.byName || !byName && !filepath.IsAbs(report.Command) {
				t.Errorf("the hooks run %s", report.Command)
			}
			if warned := strings.Contains(errOut.String(), "warning"); warned != (tt.warns != "") || !strings.Contains(errOut.String(), tt.warns) {
				t.Errorf("stderr: %s", errOut)
			}
		})
	}
}

// A PATH has folders: the hint names the one to add, and does it if it is followed.
func TestInstallNamesTheFolderForThePath(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the hint is a line of a shell")
	}
	self, err := exec.LookPath("memctl")
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "it's here")
	renamed := filepath.Join(folder, "memctl-linux-amd64")
	if err := errors.Join(os.Mkdir(folder, 0o755), os.Link(self, filepath.Join(folder, "memctl")), os.Link(self, renamed)); err != nil {
		t.Fatal(err)
	}
	cmd, _, errOut := installing(t.TempDir(), "/nowhere", "install")
	cmd.Path = filepath.Join(folder, "memctl")
	if err := cmd.Run(); err != nil {
		t.Fatal(err, errOut)
	}
	_, line, _ := strings.Cut(errOut.String(), "hint: add the folder of this memctl to the PATH: ")
	line, _, _ = strings.Cut(line, "  (")
	found, err := exec.Command("/bin/sh", "-c", "PATH=/nowhere; "+line+"; command -v memctl").Output()
	if err != nil || strings.TrimSpace(string(found)) != filepath.Join(folder, "memctl") {
		t.Errorf("the line %q finds %q (%v); stderr: %s", line, found, err, errOut)
	}
	if advice := clients.PathAdvice(renamed); !strings.HasPrefix(advice, "rename "+renamed+" to memctl, and add its folder to the PATH: ") {
		t.Errorf("advice for another name: %s", advice)
	}
}

// An install that is killed at any step leaves the old settings or the new ones, and
// can be run again.
func TestKilledInstallLeavesWholeSettings(t *testing.T) {
	t.Parallel()
	path := os.Getenv("PATH")
	before := []byte("{\n\t\"model\": \"opus\"\n}")
	for step, killed := 1, true; killed; step++ {
		dir := t.TempDir()
		own := "XDG_STATE_HOME=" + filepath.Join(dir, "state") // an uninstall of another test may remove the shared one
		name := filepath.Join(dir, ".claude/settings.json")
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, before, 0o600); err != nil {
			t.Fatal(err)
		}
		first, _, _ := installing(dir, path, "install")
		first.Env = append(first.Env, own, killAt+"="+strconv.Itoa(step))
		killed = first.Run() != nil
		if killed && step > 50 {
			t.Fatal("no end of steps")
		}
		found, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(found, before) && !allInstalled(t, found) {
			t.Fatalf("killed at step %d: %q, %v", step, found, err)
		}
		cmd, _, errOut := installing(dir, path, "install")
		cmd.Env = append(cmd.Env, own)
		if err := cmd.Run(); err != nil {
			t.Fatalf("killed at step %d, then installed: %v, %s", step, err, errOut)
		}
		cmd, _, _ = installing(dir, path, "uninstall")
		cmd.Env = append(cmd.Env, own)
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		left, _ := filepath.Glob(filepath.Join(dir, ".claude/*"))
		hidden, _ := filepath.Glob(filepath.Join(dir, ".claude/.*"))
		servers, _ := filepath.Glob(filepath.Join(dir, ".mcp*"))
		if found, _ := os.ReadFile(name); !bytes.Equal(found, before) || len(left)+len(hidden) != 1 || len(servers) > 0 {
			t.Fatalf("killed at step %d, then uninstalled: %q, %v %v %v", step, found, left, hidden, servers)
		}
	}
}

// Installs that run at the same time wait for each other.
func TestInstallsWaitForEachOther(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var running []*exec.Cmd
	var errOuts []*bytes.Buffer
	for range 8 {
		cmd, _, errOut := installing(dir, os.Getenv("PATH"), "install")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running, errOuts = append(running, cmd), append(errOuts, errOut)
	}
	for i, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(err, errOuts[i])
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, ".claude/settings.json"))
	if err != nil || !allInstalled(t, data) {
		t.Errorf("%s, %v", data, err)
	}
}

func allInstalled(t *testing.T, data []byte) bool {
	t.Helper()
	found, err := clients.Hooks(data)
	if err != nil {
		t.Fatal(err)
	}
	return len(found) == len(clients.Claude.Hooks("memctl"))
}

// memctl answers every hook that is registered, and every hook is registered.
func TestEveryRegisteredHookIsACommand(t *testing.T) {
	var registered, answered []string
	for _, h := range clients.Claude.Hooks("memctl") {
		registered = append(registered, h.Name())
		if h.Timeout == 0 || h.StatusMessage == "" {
			t.Errorf("%+v", h)
		}
	}
	for _, h := range hooks.All {
		answered = append(answered, h.Name)
	}
	slices.Sort(registered)
	slices.Sort(answered)
	if !slices.Equal(registered, answered) {
		t.Errorf("registered %v, answered %v", registered, answered)
	}
}

// The commands that an agent may run exist, and none of them deletes.
func TestAgentCommandsExist(t *testing.T) {
	t.Parallel()
	app := newApp(program(), commands(program(), "")...)
	for name := range strings.FieldsSeq(clients.AgentCommands) {
		if app.Command(name) == nil || name == "gc" {
			t.Errorf("memctl %s", name)
		}
	}
}

// The settings keep their permissions. The backup is for the user alone: it stays when a
// secret is taken out of the settings.
func TestInstallKeepsPermissions(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("permissions are another thing there")
	}
	for _, mode := range []fs.FileMode{0o600, 0o644} {
		dir := t.TempDir()
		name := filepath.Join(dir, "settings.json")
		if err := os.WriteFile(name, []byte(`{"env": {"TOKEN": "secret"}}`), mode); err != nil {
			t.Fatal(err)
		}
		cmd, _, errOut := installing(dir, os.Getenv("PATH"), "install", "--scope", "user")
		cmd.Env = append(cmd.Env, "CLAUDE_CONFIG_DIR="+dir)
		if err := cmd.Run(); err != nil {
			t.Fatal(err, errOut)
		}
		copied, err := clients.CopyPath(name)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]fs.FileMode{name: mode, copied: 0o600} {
			if info, err := os.Stat(name); err != nil {
				t.Error(err)
			} else if info.Mode().Perm() != want {
				t.Errorf("%s: %v", name, info.Mode())
			}
		}
	}
}
