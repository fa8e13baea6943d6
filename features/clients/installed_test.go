package clients

import (
	"os"
	"path/filepath"
	"testing"

	"memctl/clients"
	"memctl/features/install"
)

// A client has the server once it is installed, Claude Code only if it starts it without asking.
func TestHasServer(t *testing.T) {
	project, home := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(home, "claude"))
	for _, c := range clients.All() {
		t.Setenv(c.User.Variable, filepath.Join(home, c.Name))
	}
	// the last two share a file
	for _, c := range []*clients.Client{Codex, Gemini, OpenCode, Qwen, clients.Claude, Copilot} {
		if c != Copilot && c.HasServer(project) {
			t.Errorf("%s has the server of nobody", c.Name)
		}
		target, err := c.Target(clients.ProjectScope, project)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := install.Install(t.Context(), install.Options{Options: clients.Options{Target: target, Server: true}}); err != nil {
			t.Fatal(err)
		}
		if !c.HasServer(project) {
			t.Errorf("%s does not have the server that was installed", c.Name)
		}
	}
	settings := filepath.Join(project, ".claude", "settings.local.json")
	if err := os.WriteFile(settings, []byte(`{"disabledMcpjsonServers": ["memctl"]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if clients.Claude.HasServer(project) {
		t.Error("Claude Code has a server that it was told not to start")
	}
}

// The file that a release has for an extension is found where the client puts it.
func TestExtension(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, variable := range []string{"CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME", "QWEN_HOME"} {
		t.Setenv(variable, "")
	}
	for client, folder := range map[*clients.Client]string{
		Codex:   ".codex/plugins/cache/memctl/memctl/0.2.0/hooks",
		Copilot: ".copilot/installed-plugins/memctl/memctl",
		Gemini:  ".gemini/extensions/memctl/hooks",
		Qwen:    ".qwen/extensions/memctl/hooks",
	} {
		if _, _, found := client.Extension("project"); found {
			t.Errorf("%s: an extension is found in an empty home", client.Name)
		}
		data, err := client.HooksFile("memctl")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(home, filepath.FromSlash(folder))
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, "hooks.json"), data, 0o644); err != nil {
			t.Fatal(err)
		}
		target, e, found := client.Extension("project")
		if !found || filepath.Dir(target.Settings) != path || len(e.Hooks) != len(client.Hooks("memctl")) {
			t.Errorf("%s: %v, %s, %d hooks", client.Name, found, target.Settings, len(e.Hooks))
		}
	}
}
