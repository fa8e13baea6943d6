//go:build unix

package main

import (
	"bufio"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Without a project's root the pages show the user's memories. Ctrl-C ends the server well.
func TestUIServesUntilCtrlC(t *testing.T) {
	user := filepath.Join(t.TempDir(), "own")
	t.Setenv("MEMCTL_USER_ROOT", user)
	for name, dir := range map[string]string{"a project": parcelProject(t).dir, "the user alone": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			if out, err := exec.Command("memctl", "init", "--user").CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			command := exec.Command("memctl", "ui", "--no-open")
			command.Dir = dir
			var messages strings.Builder
			command.Stderr = &messages
			out, err := command.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatalf("%v\n%s", err, messages.String())
			}
			answer, err := http.Get(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			page, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(page), "memctl") {
				t.Errorf("%s (%v):\n%s", answer.Status, err, page)
			}
			if err := command.Process.Signal(syscall.SIGINT); err != nil {
				t.Fatal(err)
			}
			if err := command.Wait(); err != nil || messages.String() != "memctl: Ctrl-C ends it\n" {
				t.Errorf("%v\n%s", err, messages.String())
			}
		})
	}
}
