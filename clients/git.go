package clients

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"memctl/git"
	"memctl/memdir"
	"memctl/text"

	"github.com/rogpeppe/go-internal/diff"
)

// GitOptions say which repository merges the memories of a root by memctl.
type GitOptions struct {
	Root   memdir.Root
	DryRun bool
	Step   func() // called between the steps of a write, for tests
}

// GitChange is what RegisterGit or UnregisterGit did, or would do. The settings are of
// one clone. The files are shared by all: a clone without the settings merges as git
// does by itself.
type GitChange struct {
	Root     string   `json:"root"`
	Changed  bool     `json:"changed"`
	DryRun   bool     `json:"dry_run"`
	Settings []string `json:"settings"` // KEY=VALUE that were set, KEY that were unset
	Diff     string   `json:"diff,omitempty"`
	Ignored  bool     `json:"ignored"` // git ignores the memories
}

const (
	attributesName = ".gitattributes"
	ignoreName     = ".gitignore"
)

// attributes are the lines of the root's .gitattributes. The files of the root itself,
// such as the configuration, are not memories.
var attributes = []string{
	`# How git merges and shows memories once a clone has run "memctl install --git".`,
	"*/*.json merge=memctl diff=memctl",
}

// ignored are the lines of the root's .gitignore.
var ignored = []string{"*" + memdir.ConflictSuffix}

// gitSetting is a setting of a repository.
type gitSetting struct{ key, value string }

// gitSettings register a program as merge driver and as text converter. Git runs both by
// a shell. Where the program is missing, they do what git does by itself: otherwise a
// merge would silently keep ours, and git diff would fail.
func gitSettings(program string) []gitSetting {
	word := text.ShellWord(filepath.ToSlash(program))
	inDriver := strings.ReplaceAll(word, "%", "%%")
	return []gitSetting{
		{"merge.memctl.name", "memctl: field by field"},
		{"merge.memctl.driver", fmt.Sprintf("if command -v %[1]s >/dev/null 2>&1; then %[1]s merge-driver -- %%O %%A %%B %%L %%P; else git merge-file --marker-size=%%L %%A %%O %%B; fi", inDriver)},
		// Between two common ancestors, a conflict is no one's to resolve.
		{"merge.memctl.recursive", "binary"},
		{"diff.memctl.textconv", fmt.Sprintf(`f() { %s textconv -- "$1" 2>/dev/null || cat -- "$1"; }; f`, word)},
	}
}

// RegisterGit has git merge and show the memories of a root by memctl.
func RegisterGit(ctx context.Context, o GitOptions) (GitChange, error) {
	c := GitChange{Root: o.Root.Path, DryRun: o.DryRun, Settings: []string{}}
	if err := git.CheckWorkTree(ctx, o.Root.Path); err != nil {
		return c, err
	}
	if err := o.edit(ctx, &c, attributesName, func(data []byte) []byte { return withLines(data, attributes) }); err != nil {
		return c, err
	}
	if err := o.edit(ctx, &c, ignoreName, func(data []byte) []byte { return withLines(data, ignored) }); err != nil {
		return c, err
	}
	for _, s := range gitSettings(FindProgram(LocalScope).Command) {
		if err := o.set(ctx, &c, s); err != nil {
			return c, err
		}
	}
	_, err := git.Run(ctx, o.Root.Path, "check-ignore", "--quiet", "decisions/x.json")
	c.Ignored = err == nil
	return c, nil
}

// UnregisterGit undoes RegisterGit. The line of .gitignore stays, because a conflict may
// be open.
func UnregisterGit(ctx context.Context, o GitOptions) (GitChange, error) {
	c := GitChange{Root: o.Root.Path, DryRun: o.DryRun, Settings: []string{}}
	if err := git.CheckWorkTree(ctx, o.Root.Path); err != nil {
		return c, err
	}
	if err := o.edit(ctx, &c, attributesName, func(data []byte) []byte { return withoutLines(data, attributes) }); err != nil {
		return c, err
	}
	for _, s := range gitSettings("") {
		if _, found, err := o.get(ctx, s.key); err != nil || !found {
			if err != nil {
				return c, err
			}
			continue
		}
		if err := o.configure(ctx, &c, s.key, "--unset-all", s.key); err != nil {
			return c, err
		}
	}
	return c, nil
}

// GitRegistration says how git merges the memories of a root.
type GitRegistration struct {
	Attributes bool   // git is to merge them by memctl
	Driver     string // the command of this clone, "" if it has none
}

// FindGitRegistration returns how git merges memories.
func FindGitRegistration(ctx context.Context, root memdir.Root) (r GitRegistration, err error) {
	out, err := git.Run(ctx, root.Path, "check-attr", "-z", "merge", "--", "decisions/x.json")
	if err != nil {
		return r, err
	}
	r.Attributes = bytes.HasSuffix(out, []byte("\x00memctl\x00"))
	r.Driver, _, err = GitOptions{Root: root}.get(ctx, "merge.memctl.driver")
	return r, err
}

// get returns a setting of the repository.
func (o GitOptions) get(ctx context.Context, key string) (value string, found bool, err error) {
	out, err := git.Run(ctx, o.Root.Path, "config", "--local", "--get", key)
	var failed *git.Error
	if errors.As(err, &failed) && failed.Status == 1 {
		return "", false, nil
	}
	return strings.TrimSuffix(string(out), "\n"), err == nil, err
}

func (o GitOptions) set(ctx context.Context, c *GitChange, s gitSetting) error {
	value, _, err := o.get(ctx, s.key)
	if err != nil || value == s.value {
		return err
	}
	return o.configure(ctx, c, s.key+"="+s.value, s.key, s.value)
}

// configure changes a setting by git config.
func (o GitOptions) configure(ctx context.Context, c *GitChange, change string, args ...string) error {
	c.Changed = true
	c.Settings = append(c.Settings, change)
	if o.DryRun {
		return nil
	}
	_, err := git.Run(ctx, o.Root.Path, append([]string{"config", "--local"}, args...)...)
	return err
}

// edit changes a file of the memory root.
func (o GitOptions) edit(ctx context.Context, c *GitChange, name string, change func([]byte) []byte) error {
	path := filepath.Join(o.Root.Path, name)
	return edit(ctx, path, o.Step, func(f file) error {
		after := change(f.data)
		if bytes.Equal(after, f.data) {
			return nil
		}
		c.Changed = true
		shown := o.Root.Shown + "/" + name
		lines := string(diff.Diff(shown, f.data, shown, after))
		_, lines, _ = strings.Cut(lines, "\n") // the command line of a diff
		c.Diff += lines
		if o.DryRun {
			return nil
		}
		return f.write(after)
	})
}

// withLines adds the lines that a file lacks.
func withLines(data []byte, lines []string) []byte {
	missing := slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return hasLine(data, line) })
	if len(missing) == 0 {
		return data
	}
	after := slices.Clone(data)
	if len(after) > 0 && !bytes.HasSuffix(after, []byte("\n")) {
		after = append(after, '\n')
	}
	return append(after, strings.Join(missing, "\n")+"\n"...)
}

// withoutLines removes lines from a file. It returns nil if nothing is left.
func withoutLines(data []byte, lines []string) []byte {
	var after []byte
	for line := range bytes.Lines(data) {
		if !slices.Contains(lines, string(bytes.TrimSpace(line))) {
			after = append(after, line...)
		}
	}
	return after
}

func hasLine(data []byte, wanted string) bool {
	for line := range bytes.Lines(data) {
		if string(bytes.TrimSpace(line)) == wanted {
			return true
		}
	}
	return false
}
