//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// If an import is killed at any step, every file is whole, and the same command imports
// the rest and nothing twice.
func TestKilledImportsAreCompleted(t *testing.T) {
	t.Parallel()
	memories := soak(2, 4)
	var source strings.Builder
	for n := range memories {
		fmt.Fprintf(&source, `{"type":"entity","name":"shared words and number%d","entityType":"decision","observations":["because of %d"]}`+"\n", n, n)
	}
	steps := 0
	for killed := true; killed; steps++ {
		p := project{t, t.TempDir()}
		p.inProcess("init")
		p.check(os.WriteFile(filepath.Join(p.dir, "memory.jsonl"), []byte(source.String()), 0o600))
		args := []string{"import", "mcp-memory", "memory.jsonl", "--yes"}
		cmd, _, errOut := process(p.dir, "", args...)
		cmd.Env = append(cmd.Env, fmt.Sprintf("%s=%d", killAt, steps+1))
		err := cmd.Run()
		if killed = err != nil; killed && cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("step %d: %v: %s", steps+1, err, errOut)
		}
		left := len(p.memories()) - 1 // without the configuration; fails for a broken file
		out, _ := memctl(t, p.dir, "", args...)
		if want := fmt.Sprintf("%d imported", memories-left); left < memories && !strings.Contains(out, want) || left == memories && !strings.Contains(out, fmt.Sprintf("0 new, %d same", memories)) {
			t.Errorf("killed at step %d with %d memories: %s", steps+1, left, out)
		}
		if n := len(p.memories()) - 1; n != memories {
			t.Errorf("killed at step %d: %d memories in the end", steps+1, n)
		}
		if out, code := p.inProcess("validate"); code != 0 {
			t.Errorf("killed at step %d: %s", steps+1, out)
		}
	}
	if steps < 3*memories {
		t.Errorf("only %d steps", steps)
	}
}
