//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"memctl/cmd/console"
	"memctl/files"
)

// Ctrl-C and SIGTERM end also a command that does not look at its context.
func TestSignalsEndAnyCommand(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		command := exec.Command("memctl", "stuck")
		command.Env = append(os.Environ(), stuck+"=1")
		var messages strings.Builder
		command.Stderr = &messages
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if err := command.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		exit := new(exec.ExitError)
		if err := command.Wait(); !errors.As(err, &exit) || exit.ExitCode() != console.ExitStopped {
			t.Errorf("%v: %v", signal, err)
		}
		if messages.String() != "memctl: stopped\n" {
			t.Errorf("%v: %q", signal, messages.String())
		}
	}
}

// A clone's list of sources is bounded before any of its lines is compared.
func TestImportBoundsTheSourcesOfAClone(t *testing.T) {
	t.Parallel()
	p := parcelProject(t)
	p.check(os.WriteFile(p.dir+"/CLAUDE.md", []byte("# Rules\n\n- Always use tabs in Go files.\n"), 0o644))
	write := func(lines int, line func(i int) string) {
		var all strings.Builder
		for i := range lines {
			all.WriteString(line(i) + "\n")
		}
		p.check(os.WriteFile(p.path(files.SourcesName), []byte(all.String()), 0o644))
	}
	refused := func(message string, args ...string) {
		t.Helper()
		command := exec.Command("memctl", args...)
		command.Dir = p.dir
		if out, err := command.CombinedOutput(); err == nil || !strings.Contains(string(out), message) {
			t.Errorf("%v: %v\n%.300s", args, err, out)
		}
	}
	write(100_001, func(i int) string {
		return fmt.Sprintf(`{"source":"CLAUDE.md","memory":"m","format":"claude-md","from":"CLAUDE.md","sha256":"%d"}`, i)
	})
	refused("sources.jsonl has more than 100000 lines", "import", "--update", "claude-md", "CLAUDE.md", "--yes")
	refused("sources.jsonl has more than 100000 lines", "import", "--update", "--yes")
	write(1001, func(i int) string {
		return fmt.Sprintf(`{"source":"a/%d.md","memory":"m","format":"claude-md","from":"a/%d.md"}`, i, i)
	})
	refused("sources.jsonl names 1001 sources; at most 1000 are updated at once", "import", "--update", "--yes")
}
