package install

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every client's hooks are found again by the names under which they were registered.
func TestEveryClientsHooksAreFoundAgain(t *testing.T) {
	for _, client := range Clients {
		t.Run(client.Name, func(t *testing.T) {
			want := client.Hooks("'/opt/my tools/memctl'")
			data, err := client.hooks.add(nil, Entries{Hooks: want})
			if err != nil {
				t.Fatal(err)
			}
			if again, err := client.hooks.add(data, Entries{Hooks: want}); err != nil || !bytes.Equal(again, data) {
				t.Errorf("added twice: %s, %v", again, err)
			}
			found, err := client.hooks.find(data)
			if err != nil || len(found.Hooks) != len(want) {
				t.Fatalf("found %v, %v", found.Hooks, err)
			}
			for _, h := range found.Hooks {
				program, _, _ := h.Memctl()
				if program != "/opt/my tools/memctl" || h.Client() != client.Name || !h.IsCurrent() || !strings.HasSuffix(h.Command, " "+h.Name()+lineEnd) {
					t.Errorf("%s: program %q, client %q, hook %q", h.Command, program, h.Client(), h.Name())
				}
			}
			if after, err := client.hooks.remove(data, nil); err != nil || after != nil {
				t.Errorf("removed: %q, %v", after, err)
			}
		})
	}
}

func TestOwnFilesOfOthersAreLeftAlone(t *testing.T) {
	for _, file := range []string{
		`{"version": 1, "hooks": {"Stop": [{"type": "command", "bash": "make lint"}]}}`,
		"export const Mine = async () => ({})\n",
		"{",
	} {
		for _, form := range []form{hooksFileForm{}, pluginForm{}} {
			if after, err := form.add([]byte(file), Entries{Hooks: Clients[1].Hooks("memctl")}); err == nil {
				t.Errorf("%T replaced %q by %q", form, file, after)
			}
			if after, err := form.remove([]byte(file), nil); err == nil {
				t.Errorf("%T removed %q, left %q", form, file, after)
			}
		}
	}
}

func TestWhatCodexHasNotReviewed(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CODEX_HOME", home)
	codex, _ := ClientNamed("codex")
	target, err := codex.Target(ProjectScope, "/p")
	if err != nil {
		t.Fatal(err)
	}
	state := func(trust string, events ...string) {
		config := "[projects.\"/p\"]\ntrust_level = \"" + trust + "\"\n"
		for _, event := range events {
			config += "[hooks.state.'" + target.Settings + ":" + event + ":0:0']\ntrusted_hash = \"x\"\n"
		}
		writeTestFile(t, filepath.Join(home, "config.toml"), config)
	}
	state("untrusted")
	if got := target.Unapproved(); got != "the folder is not trusted" {
		t.Errorf("untrusted: %q", got)
	}
	state("trusted", "session_start", "user_prompt_submit", "post_tool_use", "stop")
	if got := target.Unapproved(); got != "hooks that nobody has reviewed: PreToolUse" {
		t.Errorf("one missing: %q", got)
	}
	state("trusted", "session_start", "user_prompt_submit", "pre_tool_use", "post_tool_use", "stop")
	if got := target.Unapproved(); got != "" {
		t.Errorf("all reviewed: %q", got)
	}
}

func TestFoldersThatGeminiTrusts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trustedFolders.json")
	writeTestFile(t, path, `{"/a": "TRUST_FOLDER", "/a/b": "DO_NOT_TRUST", "/c": "TRUST_PARENT"}`)
	for folder, want := range map[string]bool{"/a": true, "/a/x/y": true, "/a/b": false, "/a/b/c": false, "/c": true, "/d": false} {
		if trustsFolder(path, folder) != want {
			t.Errorf("%s: want %v", folder, want)
		}
	}
}

func writeTestFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
