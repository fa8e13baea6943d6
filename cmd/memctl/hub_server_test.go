package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"memctl/hub/hubtest"
	"memctl/remote"
)

// A repository is published to memctl-hub with PostgreSQL, and searched from another
// project, by the programs as people run them.
func TestHubFromPublishToSearch(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.env = append(h.env, "GIT_CONFIG_NOSYSTEM=1")
	service := h.hubDatabase()
	h.run("", "", "hub", "grant", "add", "--publish", "user:ci", "github.com/acme/payments")
	h.run("", "", "hub", "grant", "add", "group:engineering", "github.com/acme/*")
	token := func(args ...string) home {
		h := h
		secret := h.run("", "", append([]string{"hub", "token", "create"}, args...)...)
		h.env = append(slices.Clone(h.env), "MEMCTL_HUB_TOKEN="+strings.TrimSpace(secret))
		return h
	}
	ci, alice, mallory := token("--user", "ci"), token("--user", "alice", "--group", "engineering"), token("--user", "mallory")

	address, server := h.serveHub(service)
	h.run("", "", "init", "--user")
	h.run("", "", "config", "set", "hub.url", address, "--user")
	h.clone("pay", "git@github.com:acme/payments.git")
	for _, id := range []string{"rotation", "leaving", "deleted"} {
		h.write("pay/.claude/memory/preferences/"+id+".json", strings.Replace(preferenceFile(id, "Zebra of "+id), "VALUE", privateNote, 1))
	}
	h.commit("pay")
	if out := ci.run("pay", "", "publish", "--sequence", "1"); !strings.Contains(out, "3 added, 0 changed, 0 removed, 0 unchanged") {
		t.Error(out)
	}
	if out := h.run("", "", "hub", "check", filepath.Join(h.dir, "pay")); !strings.Contains(out, "all is as it should be") {
		t.Error(out)
	}
	if _, messages, code := alice.try("pay", "publish", "--sequence", "2"); code != 1 || !strings.Contains(messages, "no grant") {
		t.Errorf("alice publishes: %d: %s", code, messages)
	}

	h.create("shop", "zebra")
	found := func(who home) (ids []string) {
		var found struct {
			Local []json.RawMessage
			Hub   struct {
				Results []remote.Result
				Error   string
			}
		}
		decode(t, who.run("shop", "", "search", "--hub", "--json", "zebra"), &found)
		if found.Hub.Error != "" || len(found.Local) != 1 {
			t.Errorf("%d local results, and the hub: %s", len(found.Local), found.Hub.Error)
		}
		for _, r := range found.Hub.Results {
			ids = append(ids, strings.TrimPrefix(r.ID, "github.com/acme/payments:preferences/"))
			if r.Repository != "github.com/acme/payments" || len(r.Commit) != 40 || time.Since(r.PublishedAt).Abs() > time.Hour {
				t.Errorf("a result of %+v", r.Source)
			}
		}
		return ids
	}
	// A hub has its second to answer on the slowest machine, too.
	h.run("", "", "config", "set", "hub.timeout_ms", "60000", "--user")
	if ids := found(alice); len(ids) != 3 {
		t.Errorf("alice finds %v", ids)
	}
	if ids := found(mallory); len(ids) != 0 {
		t.Errorf("mallory finds %v", ids)
	}
	out := alice.run("shop", "", "show", "--hub", "github.com/acme/payments:preferences/rotation")
	if !strings.Contains(out, "Zebra of rotation") || !strings.Contains(out, "[PRIVATE]") || strings.Contains(out, "10.0.0.7") {
		t.Errorf("it shows %s", out)
	}
	_, hidden, _ := mallory.try("shop", "show", "--hub", "github.com/acme/payments:preferences/rotation")
	_, unknown, _ := mallory.try("shop", "show", "--hub", "github.com/acme/nothing:preferences/rotation")
	if hidden != strings.Replace(unknown, "nothing", "payments", 1) || hidden == "" {
		t.Errorf("what is hidden:\n%swhat does not exist:\n%s", hidden, unknown)
	}

	// What was retired and what was deleted goes.
	h.run("pay", "", "retire", "leaving")
	if err := os.Remove(filepath.Join(h.dir, "pay/.claude/memory/preferences/deleted.json")); err != nil {
		t.Fatal(err)
	}
	h.commit("pay")
	if out := ci.run("pay", "", "publish", "--sequence", "2"); !strings.Contains(out, "2 removed, 1 unchanged") {
		t.Error(out)
	}
	if ids := found(alice); len(ids) != 1 || ids[0] != "rotation" {
		t.Errorf("alice finds %v", ids)
	}
	if _, messages, code := ci.try("pay", "publish", "--sequence", "1"); code != 1 || !strings.Contains(messages, "sequence 2") || !strings.Contains(messages, "later run") {
		t.Errorf("an old run publishes: %d: %s", code, messages)
	}
	if out, _, _ := alice.try("shop", "doctor", "--hub"); !strings.Contains(out, address+" answers, and shows you 1 repository") {
		t.Errorf("doctor: %s", out)
	}

	// The signal reaches memctl-hub itself.
	if err := server.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("memctl hub serve ends with %v", err)
	}
	if out, messages, code := alice.try("shop", "search", "--hub", "zebra"); code != 0 || !strings.Contains(out, "zebra.json") || !strings.Contains(messages, "without the hub") {
		t.Errorf("%d: %s%s", code, out, messages)
	}
}

// hubDatabase makes the database of a hub, which memctl hub uses as the owner, and returns
// the connection string of the service.
func (h *home) hubDatabase() (service string) {
	h.t.Helper()
	owner, service := hubtest.Database(h.t, func(_ context.Context, dsn string) error {
		h.installHub()
		h.run("", "", "hub", "migrate", "--dsn", dsn)
		return nil
	})
	h.installHub()
	h.env = append(h.env, "MEMCTL_HUB_DSN="+owner)
	return service
}

// hubFolder is a folder with memctl-hub alone.
var hubFolder = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "bin")
	if err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-o", folder+string(filepath.Separator), "memctl/cmd/memctl-hub")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return folder, nil
})

// installHub puts memctl-hub on the home's PATH.
func (h *home) installHub() {
	h.t.Helper()
	folder, err := hubFolder()
	if err != nil {
		h.t.Fatal(err)
	}
	h.env = append(h.env, fmt.Sprintf("PATH=%s%c%s", folder, os.PathListSeparator, os.Getenv("PATH")))
}

// serveHub starts memctl hub serve and returns its address.
func (h home) serveHub(dsn string) (address string, server *exec.Cmd) {
	h.t.Helper()
	server = h.command("", "", "hub", "serve", "--listen", "127.0.0.1:0", "--dsn", dsn)
	return "http://" + h.listen(server), server
}

// listen starts a server and returns its address.
func (h home) listen(server *exec.Cmd) string {
	h.t.Helper()
	log, err := server.StderrPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { server.Process.Kill() })
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			go func() {
				for lines.Scan() { // or it would wait for a reader
				}
			}()
			return line.Address
		}
		h.t.Log(lines.Text())
	}
	h.t.Fatal("memctl-hub serve does not listen")
	return ""
}
