package install

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/files"
	"memctl/files/gate"
	"memctl/files/git"
	"memctl/text"

	"github.com/rogpeppe/go-internal/diff"
)

// gitOptions say which repository merges the memories of a root by memctl.
type gitOptions struct {
	Root   files.Root
	Remove bool // undo the registration
	Clone  bool // change only the settings of the clone
	DryRun bool
	Step   func() // called between the steps of a write, for tests
}

// gitChange is the result of registerGit, also of a dry run. The settings are of
// one clone. The files are shared by all: a clone without the settings merges as git
// does by itself.
type gitChange struct {
	Root     string   `json:"root"`
	Changed  bool     `json:"changed"`
	DryRun   bool     `json:"dry_run"`
	Settings []string `json:"settings"` // KEY=VALUE that were set, KEY that were unset
	Diff     string   `json:"diff,omitempty"`
	Ignored  bool     `json:"ignored"` // git ignores the memories
	Removed  bool     `json:"-"`       // it is no registration, but the end of one
}

const ignoreName = ".gitignore"

// attributes are the lines of the root's .gitattributes. The files of the root itself,
// such as the configuration, are not memories.
var attributes = []string{
	`# How git merges and shows memories once a clone has run "memctl install --git".`,
	"*/*.json merge=memctl diff=memctl",
	files.SourcesAttributes,
}

// formerAttributes are lines of earlier versions, which go with the others.
var formerAttributes = []string{files.SourcesName + " merge=union"}

// ignored are the lines of the root's .gitignore.
var ignored = []string{"*" + files.ConflictSuffix}

type gitSetting struct{ key, value string }

// gitSettings register a program as merge driver and as text converter. Git runs both by
// a shell. Where the program is missing, they do what git does by itself: otherwise a
// merge would silently keep ours, and git diff would fail.
func gitSettings(program string) []gitSetting {
	word := text.ShellWord(filepath.ToSlash(program))
	inDriver := strings.ReplaceAll(word, "%", "%%")
	return []gitSetting{
		{"merge.memctl.name", "memctl: field by field"},
		{"merge.memctl.driver",
			fmt.Sprintf("if command -v %[1]s >/dev/null 2>&1; then %[1]s merge-driver -- %%O %%A %%B %%L %%P; "+
				"else git merge-file --marker-size=%%L %%A %%O %%B; fi", inDriver)},
		// Between two common ancestors, a conflict is no one's to resolve.
		{"merge.memctl.recursive", "binary"},
		{"diff.memctl.textconv", fmt.Sprintf(`f() { %s textconv -- "$1" 2>/dev/null || cat -- "$1"; }; f`, word)},
	}
}

// registerGit has git merge and show the memories of a root by memctl, or undoes that. The
// line of .gitignore stays, because a conflict may be open.
func registerGit(ctx context.Context, o gitOptions) (gitChange, error) {
	c := gitChange{Root: o.Root.Path, DryRun: o.DryRun, Removed: o.Remove, Settings: []string{}}
	if err := git.CheckWorkTree(ctx, o.Root.Path); err != nil {
		return c, err
	}
	lines := attributes
	if o.Remove {
		lines = slices.Concat(attributes, formerAttributes)
	}
	var err error
	if !o.Clone {
		err = o.edit(ctx, &c, files.AttributesName, lines)
	}
	if err == nil && !o.Remove && !o.Clone {
		err = o.edit(ctx, &c, ignoreName, ignored)
	}
	for _, s := range gitSettings(clients.FindProgram(clients.LocalScope).Command) {
		if err == nil {
			err = o.set(ctx, &c, s)
		}
	}
	if err == nil && !o.Remove {
		_, notIgnored := git.Run(ctx, o.Root.Path, "check-ignore", "--quiet", "decisions/x.json")
		c.Ignored = notIgnored == nil
	}
	return c, err
}

// set changes a setting by git config, if it has to be.
func (o gitOptions) set(ctx context.Context, c *gitChange, s gitSetting) error {
	value, found, err := git.Setting(ctx, o.Root.Path, s.key)
	change, args := s.key+"="+s.value, []string{s.key, s.value}
	unchanged := value == s.value
	if o.Remove {
		change, args, unchanged = s.key, []string{"--unset-all", s.key}, !found
	}
	if err != nil || unchanged {
		return err
	}
	c.Changed, c.Settings = true, append(c.Settings, change)
	if !o.DryRun {
		_, err = git.Run(ctx, o.Root.Path, append([]string{"config", "--local"}, args...)...)
	}
	return err
}

// edit adds lines to a file of the memory root, or removes them.
func (o gitOptions) edit(ctx context.Context, c *gitChange, name string, lines []string) error {
	path := filepath.Join(o.Root.Path, name)
	place := gate.Place{Folder: o.Root.Path}
	if files.IsHome(o.Root.Project) {
		place.Owner = gate.User
	}
	return edit(ctx, place, path, o.Step, func(f file) error {
		after := editLines(f.data, lines, o.Remove)
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

// editLines adds the lines that a file lacks, or removes them. It returns nil if nothing
// is left.
func editLines(data []byte, lines []string, remove bool) (after []byte) {
	var found []string
	for line := range bytes.Lines(data) {
		content := string(bytes.TrimSpace(line))
		found = append(found, content)
		if !remove || !slices.Contains(lines, content) {
			after = append(after, line...)
		}
	}
	for _, line := range lines {
		if remove || slices.Contains(found, line) {
			continue
		}
		if len(after) > 0 && !bytes.HasSuffix(after, []byte("\n")) {
			after = append(after, '\n')
		}
		after = append(after, line+"\n"...)
	}
	return after
}
