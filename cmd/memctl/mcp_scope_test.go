package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// save puts a memory among the user's own only if the agent says so, also where there is no
// project, and never changes one of them by accident.
func TestSaveNamesItsScope(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home) // on Windows
	t.Setenv("MEMCTL_USER_ROOT", "")
	t.Setenv("XDG_STATE_HOME", filepath.Join(home, "state")) // where a line for the person waits
	p := newProject(t)
	own := map[string]any{"memory": indentation("Indentation is a tab everywhere", "tabs"), "scope": "user", "new": true}

	session := connect(t, p.dir)
	if result := session.try("save", own); !result.IsError || !strings.Contains(said(result), `memctl init --user`) {
		t.Errorf("without a root of the user: %s", said(result))
	}
	if _, err := os.Stat(filepath.Join(home, ".claude")); err == nil {
		t.Error("the server has made a root")
	}
	memctl(t, p.dir, "", "init", "--user")
	var out struct{ Status, ID, Scope string }
	session.call("save", own, &out)
	path := filepath.Join(home, ".claude/memory/preferences/indentation-is-a-tab-everywhere.json")
	if _, err := os.Stat(path); err != nil || out.Status != "created" || out.Scope != "user" {
		t.Errorf("%+v, %v", out, err)
	}

	before, _ := os.ReadFile(path)
	change := map[string]any{"memory": indentation("Indentation is two spaces", "two"), "id": out.ID}
	if result := session.try("save", change); !result.IsError || !strings.Contains(said(result), "among the user's own memories; to change it there, save with scope user") {
		t.Errorf("an update without the scope: %s", said(result))
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("it was changed")
	}
	draft := indentation("Indentation is a tab everywhere", "tabs of four")
	draft["changes"] = []any{map[string]any{"date": "2026-01-31T09:00:00Z", "summary": "four"}}
	session.call("save", map[string]any{"memory": draft, "id": out.ID, "scope": "user"}, &out)
	if after, _ := os.ReadFile(path); out.Status != "updated" || !strings.Contains(string(after), "tabs of four") {
		t.Errorf("%+v: %s", out, after)
	}
	if result := session.try("save", map[string]any{"memory": draft, "scope": "all"}); !result.IsError || !strings.Contains(said(result), "expected project or user") {
		t.Errorf("another scope: %s", said(result))
	}

	nowhere := connect(t, t.TempDir())
	if result := nowhere.try("save", map[string]any{"memory": draft}); !result.IsError {
		t.Errorf("without a project: %s", said(result))
	}
	own["memory"] = indentation("Names are whole words", "no abbreviations")
	nowhere.call("save", own, &out)
	if out.Status != "created" || out.Scope != "user" {
		t.Errorf("without a project, with scope user: %+v", out)
	}
	t.Setenv("MEMCTL_USER_ROOT", p.path())
	if result := connect(t, p.dir).try("save", own); !result.IsError || !strings.Contains(said(result), "cannot be used") || strings.Contains(said(result), p.dir) {
		t.Errorf("with the project's root as the user's: %s", said(result))
	}
}
