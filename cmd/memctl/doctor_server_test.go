package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// doctorSays is what the doctor of a program says of one check.
func doctorSays(t *testing.T, program, project, name string) check {
	t.Helper()
	cmd := exec.Command(program, "doctor", "--json")
	cmd.Dir = project
	cmd.Env = append(os.Environ(), "MEMCTL_ROOT=", "CLAUDE_PROJECT_DIR=", "CLAUDE_CONFIG_DIR=", "HOME="+project, "USERPROFILE="+project)
	out, _ := cmd.Output() // it fails for want of hooks
	var d diagnosis
	if err := json.Unmarshal(out, &d); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, c := range d.Checks {
		if c.Name == name {
			return c
		}
	}
	return check{}
}

func TestDoctorTriesTheServer(t *testing.T) {
	dir, project := programs(t), newProject(t).dir
	memctl := filepath.Join(dir, "memctl")
	if got := doctorSays(t, memctl, project, serverTrial); got.State != passed || !strings.Contains(got.Message, "search, timeline, get, save") {
		t.Errorf("of a sound one it says %+v", got)
	}
	build(t, dir, mcpProgram, "another")
	if got := doctorSays(t, memctl, project, serverTrial); got.State != warning || !strings.Contains(got.Message, "memctl-mcp was built of another, memctl of this commit") {
		t.Errorf("of another build it says %+v", got)
	}
	if runtime.GOOS == "windows" {
		return // the next are shell scripts
	}
	for name, test := range map[string]struct{ script, want string }{
		"it has no tools":   {`echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{}}}'`, "it has no tool search"},
		"it says nonsense":  {`echo '"serverInfo" garbage'`, "it answered what is no JSON"},
		"it fails":          {`echo no luck >&2; exit 3`, "exit status 3, expected 0; it said: no luck"},
		"it answers nobody": {`cat > /dev/null`, `expected "\"serverInfo\"" on stdout`},
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, mcpProgram), []byte("#!/bin/sh\n"+test.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			if got := doctorSays(t, memctl, project, serverTrial); got.State != failed || !strings.Contains(got.Message, test.want) {
				t.Errorf("it says %+v", got)
			}
		})
	}
}
