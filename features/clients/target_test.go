package clients

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memctl/clients"
	"memctl/files/systemtest"
)

// Every client's hooks are found again by the names under which they were registered.
func TestEveryClientsHooksAreFoundAgain(t *testing.T) {
	for _, client := range clients.All() {
		t.Run(client.Name, func(t *testing.T) {
			want := client.Hooks("'/opt/my tools/memctl'")
			data, err := client.HooksForm.Add(nil, clients.Entries{Hooks: want})
			if err != nil {
				t.Fatal(err)
			}
			again, err := client.HooksForm.Add(data, clients.Entries{Hooks: want})
			if err != nil || !bytes.Equal(again, data) {
				t.Errorf("added twice: %s, %v", again, err)
			}
			entries, err := client.HooksForm.Find(data)
			if err != nil || len(entries.Hooks) != len(want) {
				t.Fatalf("found %v, %v", entries.Hooks, err)
			}
			for _, h := range entries.Hooks {
				program, _, _ := h.Memctl()
				if program != "/opt/my tools/memctl" || h.Client() != client.Name || !h.IsCurrent() ||
					!strings.HasSuffix(h.Command, " "+h.Name()+"; exit 0") {
					t.Errorf("%s: program %q, client %q, hook %q", h.Command, program, h.Client(), h.Name())
				}
			}
			if after, err := client.HooksForm.Remove(data, nil); err != nil || after != nil {
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
		for _, form := range []clients.Form{hooksFileForm{}, pluginForm{}} {
			if after, err := form.Add([]byte(file), clients.Entries{Hooks: Codex.Hooks("memctl")}); err == nil {
				t.Errorf("%T replaced %q by %q", form, file, after)
			}
			if e, err := form.Find([]byte(file)); err == nil { // Uninstall removes only what Find reads
				t.Errorf("%T takes %q for memctl's: %v", form, file, e)
			}
		}
	}
}

func TestWhatCodexHasNotReviewed(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CODEX_HOME", home)
	codex := clients.Named("codex")
	target, err := codex.Target(clients.ProjectScope, "/p")
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
	state("trusted", "session_start", "user_prompt_submit", "subagent_start", "post_tool_use", "stop")
	if got := target.Unapproved(); got != "hooks that no one has reviewed: PreToolUse" {
		t.Errorf("one missing: %q", got)
	}
	state("trusted", "session_start", "user_prompt_submit", "subagent_start", "pre_tool_use", "post_tool_use", "stop")
	if got := target.Unapproved(); got != "" {
		t.Errorf("all reviewed: %q", got)
	}
}

func TestTrustedFolders(t *testing.T) {
	home := t.TempDir()
	for _, variable := range []string{"GEMINI_CLI_HOME", "QWEN_HOME", "COPILOT_HOME"} {
		t.Setenv(variable, home)
	}
	for _, variable := range []string{"GEMINI_CLI_TRUST_WORKSPACE", "GEMINI_CLI_TRUSTED_FOLDERS_PATH", "QWEN_CODE_TRUSTED_FOLDERS_PATH"} {
		t.Setenv(variable, "")
	}
	const rules = `{
		// comments are allowed
		"/a": "TRUST_FOLDER", "/a/b": "DO_NOT_TRUST", "/c/x": "TRUST_PARENT"
	}`
	const on, off = `{"security": {"folderTrust": {"enabled": true}}}`, `{"security": {"folderTrust": {"enabled": false}}}`
	for _, tt := range []struct {
		client, settings, file, content string
		folders                         map[string]bool
	}{
		{"gemini", `{}`, "trustedFolders.json", rules, map[string]bool{"/a": true, "/a/x/y": true, "/a/b": false, "/a/b/c": false, "/c": true, "/c/y": true, "/d": false, "/ab": false}},
		{"gemini", off, "trustedFolders.json", rules, map[string]bool{"/a/b": true}},
		{"gemini", on, "trustedFolders.json", `[`, map[string]bool{"/a": false}},
		{"qwen", on, "trustedFolders.json", rules, map[string]bool{"/a": true, "/a/b": false, "/d": false}},
		{"qwen", `{}`, "trustedFolders.json", rules, map[string]bool{"/a/b": true}},
		{"copilot", `{}`, "config.json", "// managed\n{\"trustedFolders\": [\"/a\"]}", map[string]bool{"/a": true, "/a/b": true, "/": false, "/ab": false}},
		{"copilot", `{}`, "config.json", `{"trustedFolders": 1}`, map[string]bool{"/a": false}},
	} {
		folder := home
		if tt.client == "gemini" {
			folder = filepath.Join(home, ".gemini")
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		writeTestFile(t, filepath.Join(folder, "settings.json"), tt.settings)
		writeTestFile(t, filepath.Join(folder, tt.file), tt.content)
		client := clients.Named(tt.client)
		for project, want := range tt.folders {
			target, err := client.Target(clients.ProjectScope, project)
			if err != nil {
				t.Fatal(err)
			}
			if got := target.Unapproved(); (got == "") != want {
				t.Errorf("%s with %s, %s: %q", tt.client, tt.settings, project, got)
			}
		}
		target, _ := client.Target(clients.UserScope, "/d")
		if got := target.Unapproved(); got != "" {
			t.Errorf("%s, the user's files: %q", tt.client, got)
		}
	}
}

// Clients write down where links lead.
func TestTrustedFolderBehindALink(t *testing.T) {
	home, project := t.TempDir(), clients.Resolved(t.TempDir())
	t.Setenv("COPILOT_HOME", home)
	t.Setenv("CODEX_HOME", home)
	link := filepath.Join(t.TempDir(), "link")
	systemtest.Symlink(t, project, link)
	writeTestFile(t, filepath.Join(home, "config.json"), `{"trustedFolders": ["`+filepath.ToSlash(project)+`"]}`)
	writeTestFile(t, filepath.Join(home, "config.toml"), "[projects.'"+project+"']\ntrust_level = \"trusted\"\n")
	for name, want := range map[string]string{"copilot": "", "codex": "hooks that no one has reviewed"} {
		client := clients.Named(name)
		target, err := client.Target(clients.ProjectScope, link)
		if err != nil {
			t.Fatal(err)
		}
		if got := target.Unapproved(); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func writeTestFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
