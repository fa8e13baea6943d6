package main

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// programs are memctl and memctl-mcp side by side, as "make build" leaves them: the
// test binary is the first alone.
func programs(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	build(t, dir, "memctl", "this commit")
	build(t, dir, mcpProgram, "this commit")
	return dir
}

func build(t *testing.T, dir, name, commit string) {
	t.Helper()
	file := name
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	cmd := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-ldflags", "-X 'main.commit="+commit+"'", "-o", filepath.Join(dir, file), "memctl/cmd/"+name)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", name, err, out)
	}
}
