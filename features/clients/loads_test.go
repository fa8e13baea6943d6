package clients

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memctl/clients"
)

func TestLoads(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "code", "shop")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, c := range clients.All() {
		t.Setenv(c.User.Variable, "")
	}
	const names = "See @docs/more.md and\n@../../outside.md `@span.md` @gone.md @docs/comma.md, (@docs/brackets.md)\n```\n@code.md\n```\n"
	files := map[string]string{
		"CLAUDE.md": names, "AGENTS.md": names, "GEMINI.md": names, "QWEN.md": "a", ".github/copilot-instructions.md": "@docs/never.md",
		"code.md": "a", "span.md": "a", "docs/more.md": "a @deep.md", "docs/deep.md": "a", "docs/comma.md": "a", "docs/brackets.md": "a", "docs/never.md": "a",
		"CLAUDE.local.md": "a", ".claude/CLAUDE.md": "a", ".claude/rules/all.md": "a", ".claude/rules/go/deep.md": "a", ".claude/rules/some.md": "---\npaths: src/**\n---\na",
		".github/instructions/all.instructions.md": "---\napplyTo: \"**\"\n---\na", ".github/instructions/ts.instructions.md": "---\napplyTo: \"**/*.ts\"\n---\na",
		"sub/CLAUDE.md": "a @../docs/up.md", "sub/AGENTS.md": "a", "sub/GEMINI.md": "a @../docs/up.md", "docs/up.md": "a",
		"../outside.md": "a", "../AGENTS.md": "a", "../GEMINI.md": "a", "../CLAUDE.md": "a",
	}
	for name, data := range files {
		write(t, filepath.Join(project, filepath.FromSlash(name)), data)
	}
	for _, name := range []string{".claude/CLAUDE.md", ".codex/AGENTS.md", ".gemini/GEMINI.md", ".qwen/AGENTS.md", ".config/opencode/AGENTS.md", ".copilot/copilot-instructions.md"} {
		write(t, filepath.Join(home, filepath.FromSlash(name)), "@own.md\n@~/far.md\n")
		write(t, filepath.Join(home, filepath.FromSlash(path.Dir(name)), "own.md"), "a")
	}
	write(t, filepath.Join(home, ".copilot/instructions/mine.instructions.md"), "a")
	write(t, filepath.Join(home, ".claude/rules/mine.md"), "a")
	write(t, filepath.Join(home, "far.md"), "a")
	write(t, filepath.Join(clients.ProjectNotes(project), "MEMORY.md"), "---\nname: x\n---\n@topic.md")
	write(t, filepath.Join(clients.ProjectNotes(project), "topic.md"), "a")

	const (
		above  = "~/code/CLAUDE.md "
		own    = "~/.claude/CLAUDE.md ~/.claude/own.md ~/.claude/rules/mine.md ~/far.md MEMORY.md "
		claude = "CLAUDE.md CLAUDE.local.md .claude/CLAUDE.md .claude/rules/all.md .claude/rules/go/deep.md "
	)
	tests := map[string]struct {
		client *clients.Client
		cwd    string
		want   string
	}{
		"Claude Code":                {clients.Claude, "", claude + "docs/more.md docs/deep.md " + above + own},
		"Claude Code in a subfolder": {clients.Claude, "sub", claude + "sub/CLAUDE.md " + above + own},
		"Codex CLI":                  {Codex, "", "AGENTS.md ~/.codex/AGENTS.md"},
		"Codex CLI in a subfolder":   {Codex, "sub", "AGENTS.md sub/AGENTS.md ~/.codex/AGENTS.md"},
		"Gemini CLI":                 {Gemini, "", "GEMINI.md docs/more.md docs/deep.md ~/.gemini/GEMINI.md ~/.gemini/own.md"},
		"Gemini CLI in a subfolder":  {Gemini, "sub", "GEMINI.md sub/GEMINI.md docs/more.md docs/deep.md docs/up.md ~/.gemini/GEMINI.md ~/.gemini/own.md"},
		"opencode":                   {OpenCode, "", "AGENTS.md ~/.config/opencode/AGENTS.md"},
		"Qwen Code":                  {Qwen, "", "AGENTS.md QWEN.md docs/more.md docs/deep.md ~/code/AGENTS.md ~/.qwen/AGENTS.md ~/.qwen/own.md"},
		"Copilot CLI": {Copilot, "sub", "AGENTS.md CLAUDE.md GEMINI.md .github/copilot-instructions.md .github/instructions/all.instructions.md " +
			".claude/rules/all.md .claude/rules/go/deep.md sub/AGENTS.md sub/CLAUDE.md sub/GEMINI.md docs/more.md docs/deep.md docs/comma.md docs/brackets.md docs/up.md " +
			"~/.copilot/copilot-instructions.md ~/.copilot/own.md ~/.copilot/instructions/mine.instructions.md"},
	}
	loaded := func(c *clients.Client, cwd string) (list []string) {
		for _, file := range c.Loads(project, filepath.Join(project, cwd)) {
			name, err := filepath.Rel(project, file.Path)
			if err == nil && !filepath.IsLocal(name) {
				name, err = filepath.Rel(home, file.Path)
				name = "~/" + name
			}
			if err != nil || filepath.Base(name) == "MEMORY.md" {
				name = filepath.Base(file.Path)
			}
			list = append(list, filepath.ToSlash(name))
		}
		slices.Sort(list)
		return list
	}
	sorted := func(names string) []string { return slices.Sorted(slices.Values(strings.Fields(names))) }
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got, want := loaded(test.client, test.cwd), sorted(test.want); !slices.Equal(got, want) {
				t.Errorf("got %q\nwant %q", got, want)
			}
		})
	}
	t.Run("the first name", func(t *testing.T) {
		write(t, filepath.Join(project, "sub/AGENTS.override.md"), "a")
		write(t, filepath.Join(home, ".codex/AGENTS.override.md"), "a")
		if got, want := loaded(Codex, "sub"), sorted("AGENTS.md sub/AGENTS.override.md ~/.codex/AGENTS.override.md"); !slices.Equal(got, want) {
			t.Errorf("Codex CLI: got %q\nwant %q", got, want)
		}
		for _, name := range []string{filepath.Join(project, "AGENTS.md"), filepath.Join(home, ".config/opencode/AGENTS.md")} {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
		for cwd, want := range map[string]string{"": "CLAUDE.md ~/.claude/CLAUDE.md", "sub": "sub/AGENTS.md ~/.claude/CLAUDE.md"} {
			if got := loaded(OpenCode, cwd); !slices.Equal(got, sorted(want)) {
				t.Errorf("opencode in %q: got %q, want %s", cwd, got, want)
			}
		}
	})

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
		if got := loaded(Gemini, ""); slices.Contains(got, "GEMINI.md") {
			t.Errorf("got %q", got)
		}
	})
	t.Run("notes in a folder of the user's choice", func(t *testing.T) {
		settings := filepath.Join(home, ".claude", "settings.json")
		write(t, filepath.Join(home, "my notes", "MEMORY.md"), "elsewhere")
		write(t, settings, `{"autoMemoryDirectory": "~/my notes"}`)
		if got := clients.Claude.Loads(project, project); got[len(got)-1].Text != "elsewhere" {
			t.Errorf("got %v", got)
		}
		write(t, settings, `{"autoMemoryDirectory": "my notes"}`)
		if got := clients.ProjectNotes(project); !strings.HasPrefix(got, filepath.Join(home, ".claude", "projects")) {
			t.Errorf("a relative path: got %s", got)
		}
	})
	t.Run("notes that are switched off", func(t *testing.T) {
		write(t, filepath.Join(project, ".claude", "settings.json"), `{"autoMemoryEnabled": false}`)
		if got := loaded(clients.Claude, ""); slices.Contains(got, "MEMORY.md") {
			t.Errorf("got %q", got)
		}
	})
}

// What Claude Code 2.1.329 had in its request of files made for that.
func TestLoadsNoMore(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "shop")
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, c := range clients.All() {
		t.Setenv(c.User.Variable, "")
	}
	loaded := func(c *clients.Client) (names []string) {
		for _, file := range c.Loads(project, project) {
			names = append(names, filepath.Base(file.Path))
		}
		slices.Sort(names)
		return names
	}
	check := func(c *clients.Client, want ...string) {
		t.Helper()
		if got := loaded(c); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.Title, got, want)
		}
	}
	for name, data := range map[string]string{
		"CLAUDE.md": "@d1.md <!-- @inline.md -->\n\n<!--\n@comment.md\n-->\n\n~~~\n@tildes.md\n~~~\n\n    @indented.md\n",
		"inline.md": "a", "comment.md": "a", "tildes.md": "a", "indented.md": "a",
		"d1.md": "@d2.md", "d2.md": "@d3.md", "d3.md": "@d4.md", "d4.md": "@d5.md", "d5.md": "a",
		".claude/rules/crlf.md":   "---\r\npaths: src/**\r\n---\r\na",
		".claude/rules/quoted.md": "---\n\"paths\":\n  - src/**\n---\na",
		".claude/rules/all.md":    "---\ndescription: x\n---\na",
		"GEMINI.md":               "a", "QWEN.md": "a", "AGENTS.md": strings.Repeat("a", 30<<10),
	} {
		write(t, filepath.Join(project, filepath.FromSlash(name)), data)
	}
	check(clients.Claude, "CLAUDE.md", "all.md", "d1.md", "d2.md", "d3.md", "d4.md")

	write(t, filepath.Join(clients.ProjectNotes(project), "MEMORY.md"),
		strings.Repeat(strings.Repeat("a", 399)+"\n", 100))
	for _, file := range clients.Claude.Loads(project, project) {
		if filepath.Base(file.Path) == "MEMORY.md" && len(file.Text) != 62*400 {
			t.Errorf("%d bytes of MEMORY.md", len(file.Text))
		}
	}

	check(Codex, "AGENTS.md")
	write(t, filepath.Join(home, ".codex", "AGENTS.md"), strings.Repeat("a", 3<<10))
	if files := Codex.Loads(project, project); len(files) != 1 || len(files[0].Text) != 3<<10 {
		t.Errorf("Codex CLI: got %d files, want the user's alone", len(files))
	}

	check(Gemini, "GEMINI.md")
	write(t, filepath.Join(project, ".gemini", "settings.json"), `{"context": {"fileName": ["AGENTS.md"]}}`)
	check(Gemini)
	check(Qwen, "AGENTS.md", "QWEN.md")
	write(t, filepath.Join(home, ".qwen", "settings.json"), `{"context": {"fileName": "RULES.md"}}`)
	check(Qwen)
	write(t, filepath.Join(project, ".claude", "settings.local.json"), `{"claudeMdExcludes": ["**/CLAUDE.md"]}`)
	check(clients.Claude)
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
