package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// trialOf is what the doctor says of a program as the MCP server.
func trialOf(t *testing.T, program string) check {
	t.Helper()
	tr, err := newTrial(program)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(tr.dir)
	var d diagnosis
	d.tryServer(t.Context(), tr)
	return d.Checks[0]
}

func TestDoctorTriesTheServer(t *testing.T) {
	memctl, err := exec.LookPath("memctl")
	if err != nil {
		t.Fatal(err)
	}
	if got := trialOf(t, memctl); got.State != passed || !strings.Contains(got.Message, "search, timeline, get, save") {
		t.Errorf("of a sound one it says %+v", got)
	}
	if runtime.GOOS == "windows" {
		return // the next are shell scripts
	}
	for name, test := range map[string]struct{ script, want string }{
		"it has no tools":  {`echo '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{}}}'`, "it has no tool search"},
		"it says nonsense": {`echo '"serverInfo" garbage'`, "it answered what is no JSON"},
		"it fails":         {`echo no luck >&2; exit 3`, "exit status 3, expected 0; it said: no luck"},
		"it never answers": {`cat > /dev/null`, `expected "\"serverInfo\"" on stdout`},
	} {
		t.Run(name, func(t *testing.T) {
			program := filepath.Join(t.TempDir(), "memctl")
			if err := os.WriteFile(program, []byte("#!/bin/sh\n"+test.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			if got := trialOf(t, program); got.State != failed || !strings.Contains(got.Message, test.want) {
				t.Errorf("it says %+v", got)
			}
		})
	}
}
