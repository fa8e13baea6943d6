package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"memctl/hub/hubtest"
)

// The lines of the quick start of hub/README.md, and then those of other sections, work as they stand, in one shell, on a
// PostgreSQL that lets in whom Debian's lets in. The folder of its socket and the two ports are the test's own.
// asking is a command that asks on the terminal.
var asking = regexp.MustCompile(`(?m)^(memctl config set hub\.url .*)$`)

// onTerminal answers the command that asks. Script of bsdutils is its terminal.
func onTerminal(block string) string {
	return asking.ReplaceAllString(block, `echo y | script -qec "$1" /dev/null`)
}

func TestQuickStart(t *testing.T) {
	t.Parallel()
	socket, port := hubtest.Debian(t)
	h := newHome(t)
	program, err := memctl()
	if err != nil {
		t.Fatal(err)
	}
	h.writeProgram("sudo", `[ "$1 $2" = '-u postgres' ] && shift 2 && PGUSER=postgres exec "$@"`)
	if err := os.Symlink(program, filepath.Join(h.dir, "bin/memctl")); err != nil {
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

	blocks := commands(t, "## Quick start")
	if len(blocks) < 6 {
		t.Fatalf("the quick start has %d blocks", len(blocks))
	}
	words := strings.NewReplacer("/var/run/postgresql", socket, "127.0.0.1:5432", "127.0.0.1:"+port)
	shell := h.shell("set -e")
	for _, block := range blocks {
		block = onTerminal(words.Replace(block))
		switch {
		case strings.HasPrefix(block, "memctl hub serve"):
			server := exec.Command("sh", "-c", "exec "+strings.TrimSpace(block)+" --listen 127.0.0.1:0")
			server.Dir, server.Env = h.dir, h.env
			address := h.listen(server)
			words = strings.NewReplacer("127.0.0.1:8787", address, "https://hub.acme.example", "http://"+address,
				"decisions/jwt-key-rotation", "preferences/rotation")
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

	// The commands of the other sections work on the same hub.
	block := func(section, has string) string {
		t.Helper()
		for _, block := range commands(t, section) {
			if strings.Contains(block, has) {
				return onTerminal(words.Replace(block))
			}
		}
		t.Fatalf("%s has no commands with %s", section, has)
		return ""
	}
	if out := shell(block("## Searching", "memctl show --hub")); strings.Count(out, "waits for the cache") < 2 {
		t.Errorf("found and shown: %s", out)
	}
	h.writeProgram("vault", "[ \"$*\" = 'read -field=token secret/memctl' ] && cat alice")
	shell("echo \"$ALICE\" > alice; unset MEMCTL_HUB_TOKEN")
	shell(block("## Searching", "vault"))
	if out := shell(`memctl search --hub "key rotation"`); !strings.Contains(out, "waits for the cache") {
		t.Errorf("found with the token of the vault: %s", out)
	}
	if out := shell(block("## Who sees what", "grants.json")); !strings.Contains(out, "0 grants added, 0 changed, 0 removed, 3 unchanged") {
		t.Errorf("grants: %s", out)
	}
	// What exists nowhere else goes to another database.
	shell(block("### Backups", "pg_dump") + `
		sudo -u postgres createdb --owner "$USER" again
		(export MEMCTL_HUB_DSN="$MEMCTL_HUB_DSN dbname=again"; memctl hub migrate; psql -q -v ON_ERROR_STOP=1 -d again -f hub-access.sql)`)
	const kept = "SELECT principal, pattern, publish FROM grants ORDER BY 1, 2; SELECT tokens FROM tokens ORDER BY token_id; SELECT count(*) FROM audit WHERE action = 'search'"
	dump := func(database string) string { return shell("psql -d " + database + ` -Atc "` + kept + `"`) }
	if was, is := dump("hub"), dump("again"); was != is || strings.Count(was, "\n") != 6 {
		t.Errorf("dumped %s\nrestored %s", was, is)
	}
	shell("memctl hub token revoke --user bob; MEMCTL_HUB_TOKEN=memctl_nobody memctl search --hub x")
	if out := shell(block("## Who sees what", "jq")); !strings.Contains(out, `"refused": "unauthorized"`) || !strings.Contains(out, "erased the name from") {
		t.Errorf("the audit: %s", out)
	}
	if out := shell(`grep -c 'key rotation' alice.jsonl || true`); out != "0\n" {
		t.Errorf("lines of the audit with questions, which nobody asked for: %s", out)
	}
	if out := shell("wc -l < alice.jsonl; memctl hub audit | grep -c alice || true"); out == "0\n0\n" || !strings.HasSuffix(out, "\n0\n") {
		t.Errorf("lines of alice, and those that name her after she is erased: %s", out)
	}
}

// commands returns the indented blocks of a section of hub/README.md.
func commands(t *testing.T, section string) (blocks []string) {
	t.Helper()
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "\n"+section+"\n")
	text, _, _ = strings.Cut(text, "\n"+strings.Fields(section)[0]+" ")
	for _, block := range regexp.MustCompile(`(?m)(?:^    .*\n)+`).FindAllString(text, -1) {
		blocks = append(blocks, strings.ReplaceAll(block[4:], "\n    ", "\n"))
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
