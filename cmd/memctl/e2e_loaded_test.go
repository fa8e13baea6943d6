package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Of each rule in the project's files, the request has the client's own text or not. memctl gives those that it has
// not, and those that are in comments and code, besides.
func TestLoadedInTheClient(t *testing.T) {
	c := newClientIn(newProject(t), findClient(t), "bypassPermissions")
	t.Setenv("HOME", filepath.Join(c.base, "home"))
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(c.base, "config"))
	c.install()
	for name, text := range map[string]string{
		"CLAUDE.md": "---\nnote: x\n\nrule: Zebras graze in the north.\n---\n# Rules\n\n- Lanterns are painted in cobalt blue.\n\n" +
			"<!--\nMangos travel in boxes of forty.\n-->\n\n- <!-- Falcons eat before sunrise. -->\n\n```\nBamboo dries for six weeks.\n```\n\n" +
			"See @more.md and <!-- @hidden.md -->\n",
		"more.md":                   "Parsnips stay in sand.\n",
		"hidden.md":                 "Sextants are calibrated in Lisbon.\n",
		".claude/rules/violins.md":  "---\r\npaths: src/**\r\n---\r\nViolin strings come from Kraków.\r\n",
		".claude/rules/harpoons.md": "---\ndescription: x\n---\nHarpoons are lent twice a year.\n",
		"sub/CLAUDE.md":             "Quokkas sleep at noon.\n",
	} {
		path := filepath.Join(c.dir, filepath.FromSlash(name))
		c.check(os.MkdirAll(filepath.Dir(path), 0o755))
		c.check(os.WriteFile(path, []byte(text), 0o644))
	}
	rules := map[string]struct{ loaded, given int }{
		"Lanterns are painted in cobalt blue": {1, 0},
		"Parsnips stay in sand":               {1, 0},
		"Harpoons are lent twice a year":      {1, 0},
		"Zebras graze in the north":           {0, 1},
		"Mangos travel in boxes of forty":     {0, 1},
		"Sextants are calibrated in Lisbon":   {0, 1},
		"Violin strings come from Kraków":     {0, 1},
		"Quokkas sleep at noon":               {0, 1},
		"Falcons eat before sunrise":          {1, 1},
		"Bamboo dries for six weeks":          {1, 1},
	}
	for rule := range rules {
		memctl(t, c.dir, "", "add", "constraint", "--anyway", rule+".")
	}
	asked := c.ask(newModel(t, reply{text: "Yes."}), "hello")
	if len(asked) != 1 {
		t.Fatal(c.said)
	}
	for rule, want := range rules {
		if got := asked[0].count(rule); got != want.loaded+want.given {
			t.Errorf("%q is %d times in the request, want %d by the client and %d by memctl", rule, got, want.loaded, want.given)
		}
	}
}
