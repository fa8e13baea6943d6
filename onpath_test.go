//go:build !windows

package memctl_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"memctl/files/systemtest"
)

// make install says what to type if the PATH does not find the program that it has installed. Typed, it does.
func TestInstallSaysHowToGetOntoThePath(t *testing.T) {
	const program = "memctl-trial" // there may be a memctl on the PATH
	for name, tt := range map[string]struct{ shell, path, says, types string }{
		"bash":                     {shell: "/bin/bash", says: "not on your PATH", types: "export PATH="},
		"zsh":                      {shell: "/usr/bin/zsh", says: "not on your PATH", types: "~/.zshrc"},
		"fish":                     {shell: "/usr/bin/fish", says: "not on your PATH", types: "fish_add_path --move '"},
		"another shell":            {shell: "/bin/dash", says: "not on your PATH", types: "~/.profile"},
		"none":                     {says: "not on your PATH", types: "~/.profile"},
		"another program is found": {shell: "/bin/bash", path: "other", says: "but your PATH finds ", types: "export PATH="},
		"it is on the PATH":        {shell: "/bin/bash", path: "my bin"},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			for _, folder := range []string{"my bin", "other"} {
				if err := os.Mkdir(filepath.Join(home, folder), 0o755); err != nil {
					t.Fatal(err)
				}
				systemtest.WriteProgram(t, filepath.Join(home, folder, program), "#!/bin/sh\n")
			}
			path := os.Getenv("PATH")
			if tt.path != "" {
				path = filepath.Join(home, tt.path) + ":" + path
			}
			env := append(os.Environ(), "HOME="+home, "SHELL="+tt.shell, "PATH="+path,
				"GOBIN="+filepath.Join(home, "my bin"))
			run := func(args ...string) string {
				cmd := exec.Command("sh", args...)
				cmd.Env = env
				out, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				return string(out)
			}
			said := run("tools/onpath.sh", program)
			says := strings.Contains(said, tt.says) && strings.Contains(said, tt.types)
			if !says || (said == "") != (tt.says == "") {
				t.Fatalf("says %q", said)
			}
			_, line, _ := strings.Cut(said, "Type:\n")
			if line == "" || strings.Contains(line, "fish") {
				return
			}
			if found := run("-c", line+"command -v "+program); found != filepath.Join(home, "my bin", program)+"\n" {
				t.Errorf("%s finds %s", line, found)
			}
		})
	}
}
