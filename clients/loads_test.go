package clients

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestLoads(t *testing.T) {
	project, home := t.TempDir(), t.TempDir()
	for _, variable := range []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"} {
		t.Setenv(variable, filepath.Join(home, "."+variable))
	}
	t.Setenv("CLAUDE_CONFIG_DIR", home)
	t.Setenv("HOME", home)
	files := map[string]string{
		"CLAUDE.md": "See @docs/more.md, @../outside.md, `@span.md` and @gone.md.\n```\n@code.md\n```\n",
		"code.md":   "a", "span.md": "a", "CLAUDE.local.md": "a", ".claude/CLAUDE.md": "a", "AGENTS.md": "a", "GEMINI.md": "a", "QWEN.md": "a", ".github/copilot-instructions.md": "a", "docs/more.md": "a @deep.md", "docs/deep.md": "a",
		".claude/rules/all.md": "a", ".claude/rules/some.md": "---\npaths: src/**\n---\na", "sub/CLAUDE.md": "a", "sub/AGENTS.md": "a",
	}
	for name, data := range files {
		write(t, filepath.Join(project, filepath.FromSlash(name)), data)
	}
	write(t, filepath.Join(home, "CLAUDE.md"), "a")
	write(t, filepath.Join(ProjectNotes(project), "MEMORY.md"), "a")
	write(t, filepath.Join(ProjectNotes(project), "topic.md"), "a")

	claude := []string{"CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md", ".claude/rules/all.md", "docs/more.md", "docs/deep.md"}
	notes := []string{"HOME/CLAUDE.md", "HOME/MEMORY.md"}
	tests := map[string]struct {
		client *Client
		cwd    string
		want   []string
	}{
		"Claude Code":                {Claude, "", slices.Concat(claude, notes)},
		"Claude Code in a subfolder": {Claude, "sub", slices.Concat([]string{"sub/CLAUDE.md"}, claude[:4], notes)},
		"Codex CLI":                  {Codex, "", []string{"AGENTS.md"}},
		"Gemini CLI":                 {Gemini, "", []string{"GEMINI.md"}},
		"opencode":                   {OpenCode, "", []string{"AGENTS.md"}},
		"Qwen Code":                  {Qwen, "", []string{"AGENTS.md", "QWEN.md"}},
		"Copilot CLI":                {Copilot, "", []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, file := range test.client.Loads(project, filepath.Join(project, test.cwd)) {
				below, err := filepath.Rel(project, file.Path)
				if err != nil || !filepath.IsLocal(below) {
					below = "HOME/" + filepath.Base(file.Path)
				}
				got = append(got, filepath.ToSlash(below))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q\nwant %q", got, test.want)
			}
		})
	}

	t.Run("a link that leads out is not read", func(t *testing.T) {
		path := filepath.Join(project, "GEMINI.md")
		secret := filepath.Join(home, "secret")
		write(t, secret, "a")
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(secret, path); err != nil {
			t.Skip(err)
		}
		if got := Gemini.Loads(project, project); len(got) > 0 {
			t.Errorf("got %v", got)
		}
	})
	t.Run("notes that are switched off", func(t *testing.T) {
		write(t, filepath.Join(project, ".claude", "settings.json"), `{"autoMemoryEnabled": false}`)
		if got := Claude.Loads(project, project); len(got) != len(claude)+1 {
			t.Errorf("got %v", got)
		}
	})
}

func write(t *testing.T, path, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}
