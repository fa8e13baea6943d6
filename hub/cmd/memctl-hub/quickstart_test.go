package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"memctl/hub/hubtest"
)

// The lines of the quick start of docs/hub.md work as they stand, in one shell, on a PostgreSQL that lets in whom
// Debian's lets in. The folder of its socket and the two ports are the test's own.
func TestQuickStart(t *testing.T) {
	t.Parallel()
	socket, port := hubtest.Debian(t)
	h := newHome(t)
	program, err := memctl()
	if err != nil {
		t.Fatal(err)
	}
	h.write("bin/sudo", "#!/bin/sh\n[ \"$1 $2\" = '-u postgres' ] && shift 2 && PGUSER=postgres exec \"$@\"\n")
	if err := errors.Join(os.Chmod(filepath.Join(h.dir, "bin/sudo"), 0o755), os.Symlink(program, filepath.Join(h.dir, "bin/memctl"))); err != nil {
		t.Fatal(err)
	}
	user, err := exec.Command("id", "-un").Output()
	if err != nil {
		t.Fatal(err)
	}
	h.env = append(h.env, "PATH="+filepath.Join(h.dir, "bin")+":"+os.Getenv("PATH"), "USER="+strings.TrimSpace(string(user)), "PGHOST="+socket, "PGPORT="+port,
		"PGUSER=", "PGPASSFILE=", dsnVariable+"=", "MEMCTL_HUB_TOKEN=")
	h.git("", "config", "--global", "credential.helper", "store")
	h.clone("pay", "git@github.com:acme/payments.git")
	h.write("pay/.claude/memory/preferences/rotation.json", preferenceFile("rotation", "Key rotation waits for the cache"))
	h.commit("pay")
	h.clone("shop", "git@github.com:acme/shop.git")

	blocks := quickStart(t)
	words := strings.NewReplacer("/var/run/postgresql", socket, "127.0.0.1:5432", "127.0.0.1:"+port)
	shell := h.shell("set -e")
	for _, block := range blocks {
		block = words.Replace(block)
		switch {
		case strings.HasPrefix(block, "memctl hub serve"):
			server := exec.Command("sh", "-c", "exec "+strings.TrimSpace(block)+" --listen 127.0.0.1:0")
			server.Dir, server.Env = h.dir, h.env
			words = strings.NewReplacer("127.0.0.1:8787", h.listen(server))
		case strings.Contains(block, "memctl hub publish"):
			if out := shell("cd pay\n" + block); !strings.Contains(out, "1 added") {
				t.Errorf("published: %s", out)
			}
		case strings.Contains(block, "memctl search"):
			if out := shell("cd ../shop\n" + block); !strings.Contains(out, "waits for the cache") {
				t.Errorf("found: %s", out)
			}
		default:
			shell(block)
		}
	}
	if out := shell(`psql -d hub -Atc "SELECT string_agg(rolname, ' ') FROM pg_roles WHERE rolsuper"`); out != "postgres\n" {
		t.Errorf("superusers: %s", out)
	}
}

// quickStart returns the indented blocks of the quick start.
func quickStart(t *testing.T) (blocks []string) {
	t.Helper()
	page, err := os.ReadFile("../../../docs/hub.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Quick start\n")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, block := range regexp.MustCompile(`(?m)(?:^    .*\n)+`).FindAllString(section, -1) {
		blocks = append(blocks, strings.ReplaceAll(block[4:], "\n    ", "\n"))
	}
	if len(blocks) < 6 {
		t.Fatalf("the quick start has %d blocks", len(blocks))
	}
	return blocks
}

// shell returns a function that has one shell run lines, and returns what they print.
func (h home) shell(first string) func(lines string) string {
	h.t.Helper()
	cmd := exec.Command("sh")
	cmd.Dir, cmd.Env = h.dir, h.env
	in, err := cmd.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	var messages strings.Builder
	cmd.Stderr = &messages
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { in.Close() })
	printed := bufio.NewScanner(out)
	fmt.Fprintln(in, first)
	return func(lines string) string {
		h.t.Helper()
		const end = "-- end of the lines --"
		fmt.Fprintf(in, "%s\necho '%s'\n", lines, end)
		var b strings.Builder
		for printed.Scan() {
			if printed.Text() == end {
				return b.String()
			}
			b.WriteString(printed.Text() + "\n")
		}
		in.Close()
		_ = cmd.Wait() // its messages say more
		h.t.Fatalf("%s\nprints %s\n%s", lines, b.String(), messages.String())
		return ""
	}
}
