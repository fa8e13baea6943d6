package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/features/hub/remote"
)

// A repository is published to memctl-hub with PostgreSQL, and searched from another
// project, by the programs as people run them.
func TestHubFromPublishToSearch(t *testing.T) {
	t.Parallel()
	h, service := newHubHome(t)
	h.run("", "hub", "grant", "add", "--publish", "user:ci", "github.com/acme/payments")
	h.run("", "hub", "grant", "add", "group:engineering", "github.com/acme/*")
	token := func(args ...string) home {
		h := h
		secret := h.run("", append([]string{"hub", "token", "create"}, args...)...)
		h.env = append(slices.Clone(h.env), "MEMCTL_HUB_TOKEN="+strings.TrimSpace(secret))
		return h
	}
	ci, alice, mallory := token("--user", "ci"), token("--user", "alice", "--group", "engineering"),
		token("--user", "mallory")

	server := h.command("", "hub", "serve", "--listen", "127.0.0.1:0", "--audit-queries", "--dsn", service)
	address := "http://" + h.listen(server)
	h.run("", "init", "--user")
	h.write(".claude/memory/memory-config.json", `{"hub": {"url": "`+address+`"}}`)
	h.clone("pay", "git@github.com:acme/payments.git")
	for _, id := range []string{"rotation", "leaving", "deleted"} {
		h.write("pay/.claude/memory/preferences/"+id+".json", strings.Replace(preferenceFile(id, "Zebra of "+id),
			"VALUE", privateNote, 1))
	}
	h.commit("pay")
	if out := ci.run("pay", "hub", "publish", "--sequence", "1"); !strings.Contains(out, "3 added, 0 changed, 0 "+
		"removed, 0 unchanged") {
		t.Error(out)
	}
	if _, messages, code := alice.try("pay", "hub", "publish", "--sequence", "2"); code != 1 ||
		!strings.Contains(messages, "no grant") {
		t.Errorf("alice publishes: %d: %s", code, messages)
	}

	h.write("shop/.claude/memory/preferences/zebra.json", preferenceFile("zebra", "Title of zebra"))
	found := func(who home) (ids []string) {
		var found struct {
			Local []json.RawMessage
			Hub   struct {
				Results []remote.Hit
				Error   string
			}
		}
		decode(t, who.run("shop", "search", "--hub", "--json", "zebra"), &found)
		if found.Hub.Error != "" || len(found.Local) != 1 {
			t.Errorf("%d local results, and the hub: %s", len(found.Local), found.Hub.Error)
		}
		for _, r := range found.Hub.Results {
			ids = append(ids, strings.TrimPrefix(r.ID, "github.com/acme/payments:preferences/"))
			if r.Repository != "github.com/acme/payments" || len(r.Commit) != 40 ||
				time.Since(r.PublishedAt).Abs() > time.Hour {
				t.Errorf("a result of %+v", r.Provenance)
			}
		}
		return ids
	}
	// A hub has its second to answer on the slowest machine, too.
	h.run("", "config", "set", "hub.timeout_ms", "60000", "--user")
	if ids := found(alice); len(ids) != 3 {
		t.Errorf("alice finds %v", ids)
	}
	if ids := found(mallory); len(ids) != 0 {
		t.Errorf("mallory finds %v", ids)
	}
	out := alice.run("shop", "show", "--hub", "github.com/acme/payments:preferences/rotation")
	if !strings.Contains(out, "Zebra of rotation") || !strings.Contains(out, "[PRIVATE]") ||
		strings.Contains(out, "10.0.0.7") {
		t.Errorf("it shows %s", out)
	}
	_, hidden, _ := mallory.try("shop", "show", "--hub", "github.com/acme/payments:preferences/rotation")
	_, unknown, _ := mallory.try("shop", "show", "--hub", "github.com/acme/nothing:preferences/rotation")
	if hidden != strings.Replace(unknown, "nothing", "payments", 1) || hidden == "" {
		t.Errorf("what is hidden:\n%swhat does not exist:\n%s", hidden, unknown)
	}

	// What was retired and what was deleted goes.
	h.run("pay", "retire", "leaving")
	if err := os.Remove(filepath.Join(h.dir, "pay/.claude/memory/preferences/deleted.json")); err != nil {
		t.Fatal(err)
	}
	h.commit("pay")
	if out := ci.run("pay", "hub", "publish", "--sequence", "2"); !strings.Contains(out, "2 removed, 1 unchanged") {
		t.Error(out)
	}
	if ids := found(alice); len(ids) != 1 || ids[0] != "rotation" {
		t.Errorf("alice finds %v", ids)
	}
	if _, messages, code := ci.try("pay", "hub", "publish", "--sequence", "1"); code != 1 ||
		!strings.Contains(messages, "sequence 2") || !strings.Contains(messages, "later run") {
		t.Errorf("an old run publishes: %d: %s", code, messages)
	}
	if out, _, _ := alice.try("shop", "doctor", "--hub"); !strings.Contains(out, address+" answers, and shows you 1 "+
		"repository") {
		t.Errorf("doctor: %s", out)
	}

	if out := h.run("", "hub", "audit", "--user", "alice"); !strings.Contains(out,
		`"action":"search","results":3,"detail":"zebra"`) {
		t.Errorf("the audit has no questions: %s", out)
	}

	// What has no memories any more publishes none, which leaves none.
	if err := os.RemoveAll(filepath.Join(h.dir, "pay/.claude/memory/preferences")); err != nil {
		t.Fatal(err)
	}
	h.commit("pay")
	if out := ci.run("pay", "hub", "publish", "--sequence", "3"); !strings.Contains(out, "1 removed") {
		t.Error(out)
	}
	if ids := found(alice); len(ids) != 0 {
		t.Errorf("alice finds %v", ids)
	}

	// The signal reaches memctl-hub itself.
	if err := server.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("memctl hub serve ends with %v", err)
	}
	if out, messages, code := alice.try("shop", "search", "--hub", "zebra"); code != 0 ||
		!strings.Contains(out, "zebra.json") || !strings.Contains(messages, "without the hub") {
		t.Errorf("%d: %s%s", code, out, messages)
	}
}
