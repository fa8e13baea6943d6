package clients

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memctl/files/systemtest"
	"memctl/text"

	"github.com/google/go-cmp/cmp"
)

var writePlugin = flag.Bool("plugin", false, "write the file that the table of hooks generates")

// The plugin registers what install registers. After a change of the table:
// go test ./clients -run TestPluginHooks -plugin
func TestPluginHooks(t *testing.T) {
	const name = "../hooks/hooks.json"
	want, err := Claude.HooksFile(PluginProgram)
	if err != nil {
		t.Fatal(err)
	}
	if *writePlugin {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if diff := cmp.Diff(string(want), string(got)); diff != "" || err != nil {
		t.Errorf("%v (-table +file):\n%s", err, diff)
	}
}

// Whatever the program does, the line exits with 0 and prints only what the program
// prints on stdout.
func TestShellLine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	programs := map[string]struct{ script, stdout string }{
		"it answers":     {`printf "%s " "$@"`, "hook stop "},
		"it fails":       {`echo no luck >&2; exit 1`, ""},
		"it blocks":      {`echo no luck >&2; exit 2`, ""},
		"it is killed":   {`kill -KILL $$`, ""},
		"it crashes":     {`kill -SEGV $$`, ""},
		"it is missing":  {"", ""},
		"it is a folder": {"/", ""},
	}
	for _, shell := range []string{"sh", "dash", "bash"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		for name, tt := range programs {
			t.Run(shell+"/"+name, func(t *testing.T) {
				program := makeProgram(t, `it's "my" $HOME & (tools)`, tt.script)
				checkLine(t, path, Claude.shellLine(text.ShellQuoted(program), "stop"), tt.stdout)
				t.Setenv("PATH", filepath.Dir(program)+":/usr/bin:/bin")
				checkLine(t, path, Claude.shellLine("memctl", "stop"), tt.stdout)
				t.Setenv("CLAUDE_PLUGIN_ROOT", filepath.Dir(filepath.Dir(program)))
				checkLine(t, path, Claude.shellLine(PluginProgram, "stop"), tt.stdout)
			})
		}
	}
}

// Git Bash runs the line that a path of Windows gives. PowerShell needs a word that begins
// with a letter.
func TestShellLineOfWindows(t *testing.T) {
	for path, want := range map[string]string{
		"memctl":                            "memctl",
		`C:\Users\mina\bin\memctl.exe`:      "C:/Users/mina/bin/memctl.exe",
		`C:\Program Files (x86)\memctl.exe`: "C:/'Program Files (x86)'/memctl.exe",
		`D:\it's\민아\RUNNER~1\memctl.exe`:    `D:/"it's"/'민아'/'RUNNER~1'/memctl.exe`,
		`\\server\my tools\memctl.exe`:      "//server/'my tools'/memctl.exe",
	} {
		if got := windowsWord(path); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	for _, path := range []string{`C:\Program Files (x86)\memctl.exe`, `D:\R&D; $HOME\it's\민아\RUNNER~1\memctl.exe`} {
		for _, h := range Claude.Hooks(windowsWord(path)) {
			program, name, ok := h.Memctl()
			if !ok || program != strings.ReplaceAll(path, `\`, "/") || name != h.Name() || !h.IsCurrent() {
				t.Errorf("%s: program %q, hook %q", h.Command, program, name)
			}
		}
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	// As on a drive: below a folder that the shell is in.
	t.Chdir(t.TempDir())
	folder := filepath.Join("C", "R&D (x86); $HOME", "it's", "민아")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "memctl")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	self, err := os.Executable() // this test, which runs nothing and says so
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	systemtest.WriteProgram(t, program, string(data))
	checkLine(t, shell, lineStart+windowsWord(program)+" -test.run '^$'"+lineEnd, "PASS\n")
}

// makeProgram makes a shell script named memctl in the folder bin of a plugin's folder.
func makeProgram(t *testing.T, plugin, script string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), plugin, "bin", "memctl")
	folder := filepath.Dir(program)
	if script == "/" {
		folder = program
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if script != "" && script != "/" {
		systemtest.WriteProgram(t, program, "#!/bin/sh\n"+script+"\n")
	}
	return program
}

func checkLine(t *testing.T, shell, line, stdout string) {
	t.Helper()
	var out, errOut bytes.Buffer
	cmd := exec.Command(shell, "-c", line)
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil || out.String() != stdout || errOut.Len() > 0 {
		t.Errorf("%s: %v, stdout %q, stderr %q", line, err, &out, &errOut)
	}
}

// A registered line is found again, with its program, however odd the path.
func TestShellLineIsRecognized(t *testing.T) {
	for _, program := range []string{"memctl", "/opt/memctl", "/opt/R&D; (x) > y/memctl", `/it's "mine"/memctl`, `C:\Program Files\memctl.exe`} {
		for _, want := range Claude.Hooks(text.ShellQuoted(program)) {
			named, name, ok := want.Memctl()
			if !ok || named != program || name == "" || name != want.Name() || EventOf(name) != want.Event || !want.IsCurrent() {
				t.Errorf("%s: program %q, hook %q, %q", want.Command, named, name, want.Name())
			}
		}
	}
	for _, other := range []string{
		"exec 2>/dev/null; memctl hook stop; rm -r /; exit 0", "exec 2>/dev/null; memctl hook stop && date; exit 0",
		"exec 2>/dev/null; notes hook stop; exit 0", "exec 2>/dev/null; memctl; exit 0", "exec 2>/dev/null; exit 0", strings.TrimSpace(lineStart) + lineEnd,
	} {
		if name := (Hook{Command: other}).Name(); name != "" {
			t.Errorf("%s: hook %q", other, name)
		}
	}
}
