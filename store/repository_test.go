package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"memctl/files/systemtest"

	"github.com/google/go-cmp/cmp"
)

// write writes files, by path below dir.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(content, "DIR", dir)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRepositoryOf(t *testing.T) {
	const config = "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@example.com:x/shop.git\n"
	shop := map[string]string{
		"shop/.git/config":               config,
		"shop/.git/worktrees/fix/gitdir": "DIR/fix/.git\n",
		"fix/.git":                       "gitdir: DIR/shop/.git/worktrees/fix\n",
	}
	for name, test := range map[string]struct {
		files  map[string]string
		link   [2]string // a symbolic link and its target
		of     string
		common string // "" for none
		place  string
		remote string
		main   string
	}{
		"a repository":            {files: shop, of: "shop/.claude/memory", common: "shop/.git", place: ".claude/memory", remote: "git@example.com:x/shop.git", main: "shop/.claude/memory"},
		"a folder of one":         {files: shop, of: "shop/api/.claude/memory", common: "shop/.git", place: "api/.claude/memory", remote: "git@example.com:x/shop.git", main: "shop/api/.claude/memory"},
		"a worktree":              {files: shop, of: "fix/.claude/memory", common: "shop/.git", place: ".claude/memory", remote: "git@example.com:x/shop.git", main: "shop/.claude/memory"},
		"a worktree by relatives": {files: map[string]string{"shop/.git/worktrees/fix/gitdir": "../../../../fix/.git\n", "fix/.git": "gitdir: ../shop/.git/worktrees/fix\n"}, of: "fix/.claude/memory", common: "shop/.git", place: ".claude/memory", main: "shop/.claude/memory"},
		"a worktree of a bare one": {files: map[string]string{"shop.git/worktrees/fix/gitdir": "DIR/fix/.git\n", "fix/.git": "gitdir: DIR/shop.git/worktrees/fix\n"},
			of: "fix/.claude/memory", common: "shop.git", place: ".claude/memory"},
		"no repository": {of: "shop/.claude/memory"},
		"a submodule":   {files: map[string]string{"shop/.git/modules/lib/config": config, "shop/lib/.git": "gitdir: ../.git/modules/lib\n"}, of: "shop/lib/.claude/memory"},
		"a file that names another's repository": {
			files: map[string]string{"shop/.git/config": config, "evil/.git": "gitdir: DIR/shop/.git\n"}, of: "evil/.claude/memory"},
		"a file that names another's worktree": {
			files: map[string]string{"shop/.git/worktrees/fix/gitdir": "DIR/fix/.git\n", "fix/.git": "x", "evil/.git": "gitdir: DIR/shop/.git/worktrees/fix\n"}, of: "evil/.claude/memory"},
		"a made-up worktree that names another's repository": {
			files: map[string]string{"shop/.git/config": config, "evil/own/commondir": "DIR/shop/.git\n", "evil/own/gitdir": "DIR/evil/.git\n", "evil/.git": "gitdir: DIR/evil/own\n"}, of: "evil/.claude/memory"},
		"a link to another's worktree":   {files: shop, link: [2]string{"evil/.git", "fix/.git"}, of: "evil/.claude/memory"},
		"a link to another's repository": {files: shop, link: [2]string{"evil/.git", "shop/.git"}, of: "evil/.claude/memory"},
		"no file of git's":               {files: map[string]string{"shop/.git": "hello\n"}, of: "shop/.claude/memory"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			at := func(path string) string {
				if path == "" {
					return ""
				}
				return filepath.Join(dir, filepath.FromSlash(path))
			}
			write(t, dir, test.files)
			if err := os.MkdirAll(at(test.of), 0o755); err != nil {
				t.Fatal(err)
			}
			if test.link[0] != "" {
				systemtest.Symlink(t, at(test.link[1]), at(test.link[0]))
			}
			want := repository{at(test.common), test.place, test.remote}
			got := repositoryOf(at(test.of))
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(repository{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if main := got.main(); main != at(test.main) {
				t.Errorf("main: %q, want %q", main, at(test.main))
			}
		})
	}
}

func TestRemoteOf(t *testing.T) {
	for config, want := range map[string]string{
		"": "",
		"[remote \"up\"]\nurl = https://example.com/a\n[remote \"origin\"]\nurl=https://example.com/b\n": "https://example.com/b",
		"[remote \"up\"]\n url = https://example.com/a\n[branch \"main\"]\n url = x\n":                   "https://example.com/a",
		"[remote \"origin\"]\nurl = https://jin:s3cret@example.com/a.git?token=s3cret#s3cret":            "https://example.com/a.git",
		"[remote \"origin\"]\nurl = https://%zz:s3cret@example.com":                                      "",
		"[remote \"origin\"]\nurl = ssh://git@example.com/a":                                             "ssh://example.com/a",
		"[remote \"origin\"]\nurl = /srv/\x1b[31mgit":                                                    "/srv/[31mgit",
	} {
		path := filepath.Join(t.TempDir(), "config")
		if err := os.WriteFile(path, []byte(config), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := remoteOf(path); got != want {
			t.Errorf("%q: %q, want %q", config, got, want)
		}
	}
}

// FuzzRepositoryOf reads a project's own ".git", which may be anything.
func FuzzRepositoryOf(f *testing.F) {
	f.Add("gitdir: ../shop/.git/worktrees/fix", "../fix/.git", "[remote \"origin\"]\nurl = https://x:y@example.com/z")
	f.Add("gitdir: .", ".", "url")
	f.Fuzz(func(t *testing.T, entry, back, config string) {
		dir := t.TempDir()
		write(t, dir, map[string]string{"fix/.git": entry, "shop/.git/worktrees/fix/gitdir": back, "shop/.git/config": config})
		r := repositoryOf(filepath.Join(dir, "fix"))
		if r.common == "" && r != (repository{}) {
			t.Errorf("a place without a repository: %+v", r)
		}
		if strings.ContainsFunc(remoteOf(filepath.Join(dir, "shop", ".git", "config")), unicode.IsControl) {
			t.Errorf("the remote of %q is not printable", config)
		}
	})
}
