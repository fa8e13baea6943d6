// Package git is the feature that keeps memories in git: the history of a memory, merging and resolving. It owns the
// commands; features/git/versions compares and merges, and files/git runs git.
package git

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/features/git/versions"
	"memctl/files"
	"memctl/files/gate"
	"memctl/files/git"
	"memctl/files/trust"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "git", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command {
			commands := []*cli.Command{
				command.NewCommand(std, "history", command.InProject, runHistory,
					&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Value: 20, Usage: "at most `N`; 0 is all",
						Action: command.OrAll}),
				command.NewCommand(std, "resolve", command.InProject, runResolve),
				command.NewCommand(std, "merge-driver", command.FileHere, runMergeDriver),
				command.NewCommand(std, "textconv", command.FileHere, runTextconv),
			}
			for _, c := range commands[2:] { // git runs these
				c.Hidden = true
			}
			return commands
		},
		Words: template.FuncMap{"commit": commitID, "meaningful": meaningful},
	}
}

func runMergeDriver(c *cli.Context, std command.Streams) error {
	args := c.Args().Slice()
	d := mergeDriver{base: args[0], ours: args[1], theirs: args[2], markerSize: args[3],
		path: filepath.ToSlash(args[4])}
	m, err := d.merge(std)
	if err != nil {
		return d.mergeText(c.Context, std, err)
	}
	return d.save(c.Context, std, m)
}

type mergeDriver struct {
	base, ours, theirs string // files of git's
	markerSize         string
	path               string // of the memory, from the top of the working tree
}

type merged struct {
	versions.Result
	data  []byte
	below string // its path below the root
	w     *writer.Writer
}

// merge merges the versions field by field. The error says why that cannot be done.
func (d mergeDriver) merge(std command.Streams) (m merged, err error) {
	root, below, err := d.memory()
	if err != nil {
		return m, err
	}
	cfg, _, err := root.Config()
	if err != nil {
		cfg = schemas.DefaultConfig() // it may be in conflict too
	}
	m.below, m.w = below, store.At(root, command.StoreOptions(std)).WriterWith(root, cfg)
	var texts schemas.Texts
	for _, file := range []struct {
		name string
		into *[]byte
	}{{d.base, &texts.Base}, {d.ours, &texts.Ours}, {d.theirs, &texts.Theirs}} {
		if *file.into, err = gate.ReadRegular(file.name, schemas.MaxFileBytes); err != nil {
			return m, err
		}
	}
	if m.Result, err = versions.MergeTexts(m.w, texts); err != nil {
		return m, err
	}
	if id := newID(texts.Base, m.Memory); id != "" { // if both sides renamed it, git gives its old path
		m.below = path.Dir(below) + "/" + id + ".json"
	}
	if m.data, err = m.Memory.Encode(); err == nil {
		trust.Rewrote(m.data, texts.Ours, texts.Theirs)
	}
	return m, err
}

func (d mergeDriver) save(ctx context.Context, std command.Streams, m merged) error {
	for _, notice := range m.Notices {
		console.Note(std.Err, "%s: %s", d.path, text.Printable(notice))
	}
	if err := d.put(m.data); err != nil || len(m.Conflicts) == 0 {
		return err
	}
	d.explain(std, versions.RecordConflict(ctx, m.w.Root, m.below, m.Conflicts), m.below, m.Conflicts)
	return console.ErrFindings
}

// memory returns the memory root of the path and the path below it. The error says why
// the path is not a memory's.
func (d mergeDriver) memory() (root files.Root, below string, err error) {
	top, err := os.Getwd()
	if err != nil {
		return root, "", err
	}
	folder := path.Dir(d.path)
	below = path.Base(folder) + "/" + path.Base(d.path)
	if _, ok := schemas.CategoryOfPath(below); !ok || !filepath.IsLocal(filepath.FromSlash(d.path)) {
		return root, "", errors.New("not the path of a memory")
	}
	root = files.Root{Path: filepath.Join(top, filepath.FromSlash(path.Dir(folder)))}
	root.Shown, root.Project = path.Dir(folder), top
	if _, err := (gate.Place{Folder: top}).Leads(root.Path); err != nil {
		return root, below, errors.New("it is behind a link")
	}
	return root, below, nil
}

// newID returns the id of a merged memory that was renamed, else "".
func newID(base []byte, merged *schemas.Memory) string {
	before, err := schemas.Decode(base)
	if err != nil || merged.ID == before.ID || merged.ID != text.Slug(merged.ID) {
		return ""
	}
	return merged.ID
}

func (d mergeDriver) explain(std command.Streams, recordErr error, below string, conflicts []schemas.Conflict) {
	console.Warning(std.Err, "%s: both sides changed %s; the memory has ours", d.path,
		text.Brief(schemas.ConflictFields(conflicts)))
	if recordErr != nil {
		console.Warning(std.Err, "the other values could not be recorded: %v", recordErr)
	}
	console.Hint(std.Err, "run \"memctl resolve %s\"", text.ShellWord(strings.TrimSuffix(path.Base(below), ".json")))
}

// exitNoMerge is the exit status above which git takes a driver's for a failure, not for a
// conflict (gitattributes(5)).
const exitNoMerge = 129

// put replaces ours, whole or not at all.
func (d mergeDriver) put(data []byte) error {
	if err := files.Put(gate.Place{Folder: filepath.Dir(d.ours), Owner: gate.User}, d.ours, data); err != nil {
		return &console.Failure{Err: fmt.Errorf("%s: %w; it has ours", d.path, err), Code: exitNoMerge}
	}
	return nil
}

func (d mergeDriver) mergeText(ctx context.Context, std command.Streams, reason error) error {
	console.Note(std.Err, "%s: merged line by line: %v", d.path, reason)
	merged, err := git.Run(ctx, "", "merge-file", "-p", "--marker-size="+d.markerSize,
		"-L", "ours", "-L", "base", "-L", "theirs", "--", d.ours, d.base, d.theirs)
	var failed *git.Error
	conflicts := errors.As(err, &failed) && failed.Status > 0 && failed.Status < 128 // their number
	if err != nil && !conflicts {
		return &console.Failure{Err: fmt.Errorf("%s: %w; it has ours", d.path, err), Code: exitNoMerge}
	}
	if err := d.put(merged); err != nil {
		return err
	}
	if conflicts {
		return console.ErrFindings
	}
	return nil
}

func runTextconv(c *cli.Context, std command.Streams) error {
	data, err := gate.ReadRegular(c.Args().First(), schemas.MaxFileBytes)
	if err != nil {
		return err // git then prints the file
	}
	m, err := schemas.Decode(data)
	if err != nil {
		_, err = std.Out.Write(data)
		return err
	}
	content := command.ContentOf(console.Screen{}, schemas.ContentOf(data), true)
	return std.Say(std.Out, "memory for git", command.ShownMemory{Memory: m, Content: content})
}

func runHistory(c *cli.Context, std command.Streams) error {
	name, err := command.MemoryName(c)
	if err != nil {
		return err
	}
	root, err := command.FindRoot(c)
	if err != nil {
		return err
	}
	ref, err := command.ResolveMemory(c.Context, root, name)
	if c.Bool("fields") {
		if err != nil {
			return err
		}
		return command.PagedFor(c, std, "origins")(versions.Blame(c.Context, root, ref.Path))
	}
	limit := c.Int("limit")
	var revisions []versions.Revision
	if err == nil {
		revisions, err = versions.Revisions(c.Context, root, ref.Path, limit)
	} else if deleted := deletedMemory(c.Context, root, name, limit); deleted != nil {
		revisions, err = deleted, nil
	}
	return command.PagedFor(c, std, "revisions")(revisions, err)
}

// deletedMemory returns the revisions of a memory that was deleted, nil if there never
// was one of that id or path.
func deletedMemory(ctx context.Context, root files.Root, name string, limit int) []versions.Revision {
	below, err := root.Below(name)
	if err != nil {
		return nil
	}
	paths := []string{below}
	if !strings.Contains(below, "/") {
		paths = nil
		for _, info := range schemas.Categories {
			paths = append(paths, info.Folder+"/"+strings.TrimSuffix(below, ".json")+".json")
		}
	}
	for _, path := range paths {
		if _, ok := schemas.CategoryOfPath(path); !ok {
			continue
		}
		if revisions, err := versions.Revisions(ctx, root, path, limit); err == nil && len(revisions) > 0 {
			return revisions
		} else if errors.Is(err, context.Canceled) {
			return nil
		}
	}
	return nil
}

// shortCommit is how much of a commit's id a person reads.
const shortCommit = 10

func commitID(c git.Commit) string {
	if c.ID == "" {
		return "not committed"
	}
	return c.ID[:min(shortCommit, len(c.ID))]
}

// meaningful are the fields of a revision that a person wants to know about: not all of a
// new memory, and not those that every update changes.
func meaningful(r versions.Revision) []string {
	if r.Change == versions.Added {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Fields), func(field string) bool {
		return field == "changes" || field == "times_updated" || field == "updated_at"
	})
}
