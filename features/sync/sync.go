// Package sync is the feature that brings the user's own memories to every machine, over a git remote of the user's
// own. The root is a repository of its own, whose objects git keeps and moves; the files in it are written by memctl
// alone, under the locks of every writer, and merged field by field.
package sync

import (
	"bytes"
	"context"
	"crypto/rand"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "sync", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command {
			access := command.NoAgent(store.Network, "send your own memories to another machine")
			return []*cli.Command{command.Group(command.NewCommand(std, "sync", access, runSync),
				command.NewCommand(std, "sync init", access, runInit))}
		},
	}
}

func runSync(c *cli.Context, std command.Streams) error {
	r, address, err := open(c.Context, std)
	if err != nil {
		return err
	}
	return r.answer(c, std, Synced{Remote: address, DryRun: c.Bool("dry-run")})
}

// answer syncs and prints the result.
func (r *repository) answer(c *cli.Context, std command.Streams, s Synced) error {
	s.Root = r.root.Shown
	if err := r.sync(c.Context, &s); err != nil {
		for _, notice := range r.notices { // the next sync does not repeat them
			console.Note(std.Err, "%s", text.Printable(notice))
		}
		return err
	}
	if !s.DryRun {
		_, _ = store.At(r.root, command.StoreOptions(std)).Refresh(c.Context, r.root) // or the next command does
		s.Conflicts = r.open()
	}
	for _, moved := range []*Moved{&s.Sent, &s.Received} {
		moved.Memories = command.NotNil(moved.Memories)
	}
	s.Conflicts, s.Notices = command.NotNil(s.Conflicts), command.NotNil(r.notices)
	return command.PrintResult(c, std, s, "synced")
}

const notSetUp = `run "memctl sync init URL", with the address of an empty git repository of your own`

// open returns the repository of the user's root, if it is set up.
func open(ctx context.Context, std command.Streams) (r *repository, address string, err error) {
	root, found, err := files.UserRoot()
	if err != nil {
		return nil, "", err
	}
	if found {
		if err := checkOwn(ctx, root); err == nil {
			address, _, _ = git.Setting(ctx, root.Path, "remote.origin.url")
		} else if !errors.Is(err, git.ErrNoRepository) {
			return nil, "", err
		}
	}
	if address == "" {
		return nil, "", text.WithHint(errors.New("sync is not set up on this machine"), notSetUp)
	}
	r, err = newRepository(ctx, std, root)
	return r, address, err
}

func newRepository(ctx context.Context, std command.Streams, root files.Root) (*repository, error) {
	w, err := store.At(root, command.StoreOptions(std)).Writer()
	if err != nil {
		return nil, err
	}
	r := &repository{root: root, w: w, data: map[string][]byte{}}
	if head, err := r.git(ctx, "symbolic-ref", "HEAD"); err != nil || head != branch {
		return nil, text.WithHint(errors.New("the branch main is not checked out in "+root.Shown),
			"run \"git -C "+text.ShellWord(root.Path)+" switch main\"")
	}
	return r, nil
}

// checkOwn returns an error unless a root is a repository of its own: git.ErrNoRepository if it may become one.
func checkOwn(ctx context.Context, root files.Root) error {
	folder := root.Path
	for !exists(folder) && folder != filepath.Dir(folder) {
		folder = filepath.Dir(folder)
	}
	if err := git.CheckWorkTree(ctx, folder); err != nil {
		return err
	}
	out, err := git.Run(ctx, folder, "rev-parse", "--show-toplevel")
	top := strings.TrimSpace(string(out))
	if err != nil || gate.SameFile(top, root.Path) {
		return err
	}
	if _, err := git.Run(ctx, folder, "check-ignore", "--quiet", root.Path); err == nil {
		return git.ErrNoRepository
	}
	return text.WithHint(fmt.Errorf("%s belongs to the git repository %s", root.Shown, text.Brief(top)),
		"your memories are part of that one; to sync them separately, set MEMCTL_USER_ROOT to a folder outside of it")
}

func exists(path string) bool {
	_, err := gate.Stat(path)
	return err == nil
}

func runInit(c *cli.Context, std command.Streams) error {
	ctx, address := c.Context, c.Args().First()
	if err := git.CheckRemote(address); err != nil {
		return withHint(fmt.Errorf("the address of the repository: %w", err), notSetUp)
	}
	if _, report := schemas.DefaultConfig().Privacy.Filter().Lines(address); report.Found() {
		return text.WithHint(errors.New("the address contains a secret, which git would store in plain text"),
			"leave it out; git asks its credential helper")
	}
	if info, err := gate.Stat(address); err == nil && info.IsDir() {
		if address, err = filepath.Abs(address); err != nil {
			return err
		}
	}
	roots, err := command.ConsentArg(c, "roots")
	if err != nil {
		return err
	}
	root, _, err := files.FindOrPlanUser()
	if err != nil {
		return err
	}
	before := ""
	if err = checkOwn(ctx, root); err == nil {
		before, _, err = git.Setting(ctx, root.Path, "remote.origin.url")
	}
	if err != nil && !errors.Is(err, git.ErrNoRepository) {
		return err
	}
	if before != "" && before != address {
		return text.WithHint(fmt.Errorf("%s is synced with %s already", root.Shown, text.Brief(before)),
			"to change that, run \"git -C "+text.ShellWord(root.Path)+" remote set-url origin "+
				text.ShellWord(address)+"\"")
	}
	if before == "" { // before anything is changed
		if _, err := git.Online(ctx, os.TempDir(), "ls-remote", "--", address, branch); err != nil {
			return text.WithHint(err, "nothing was set up: check the address, your rights and the connection")
		}
	}
	if _, err := git.Init(ctx, root.Path); err != nil {
		return err
	}
	if root, _, err = files.UserRoot(); err != nil {
		return err
	}
	if err := setUp(ctx, root, address, before, roots); err != nil {
		return fmt.Errorf("set up the repository: %w", err)
	}
	r, err := newRepository(ctx, std, root)
	if err == nil {
		err = r.ignore(ctx)
	}
	if err != nil {
		return err
	}
	return r.answer(c, std, Synced{Remote: address, SetUp: before == ""})
}

// setUp makes what the repository of the root lacks.
func setUp(ctx context.Context, root files.Root, address, before string, roots command.Consent) error {
	var commands [][]string
	if before == "" {
		commands = [][]string{
			{"init", "--quiet", "--template=", "--initial-branch=main", "--object-format=sha1"},
			{"remote", "add", "--", "origin", address},
			{"config", "branch.main.remote", "origin"},
			{"config", "branch.main.merge", branch},
		}
	}
	if roots != nil {
		commands = append(commands, []string{"config", "memctl.roots", fmt.Sprint(*roots)})
	}
	for _, args := range commands {
		if _, err := git.Run(ctx, root.Path, args...); err != nil {
			return err
		}
	}
	return nil
}

// ignore adds the lines that .gitignore lacks.
func (r *repository) ignore(ctx context.Context) error {
	return r.locked(ctx, func(ours tree) error {
		data := r.data[ours[ignoreName]]
		if bytes.Contains(data, []byte(ignored)) {
			return nil
		}
		return r.write(map[string][]byte{ignoreName: slices.Concat(data, []byte("\n"+ignored))})
	})
}

// ignored are lines of .gitignore that let in the files that a sync sends, for people who use git there.
const ignored = `# memctl sync sends only memories.
/*
!/.gitignore
!/.gitattributes
!/sources.jsonl
!/machines/
!/sessions/
!/decisions/
!/runbooks/
!/constraints/
!/tech-debt/
!/preferences/
/*/*
!/*/*.json
`

const ignoreName = ".gitignore"

// writeMachine writes the file of this machine, if the user wants it, or removes it.
func (r *repository) writeMachine(ctx context.Context) error {
	wanted, _ := r.git(ctx, "config", "memctl.roots")
	name, _ := r.git(ctx, "config", "memctl.machine")
	if name == "" && wanted != "true" {
		return nil
	}
	host, _ := os.Hostname()
	if name == "" {
		some := make([]byte, 2)
		_, _ = rand.Read(some) // never fails
		name = text.Slug(text.Truncate(host, 40) + " " + hex.EncodeToString(some))
		if _, err := r.git(ctx, "config", "memctl.machine", name); err != nil {
			return err
		}
	}
	var data []byte
	if wanted == "true" {
		list, err := store.Catalogue{}.Roots(ctx)
		if err != nil {
			return fmt.Errorf("list the projects: %w", err)
		}
		m := store.Machine{Machine: host, Projects: []store.MachineProject{}}
		for _, root := range list {
			if !root.Gone && root.Path != r.root.Path {
				m.Projects = append(m.Projects, store.MachineProject{Label: filepath.Base(root.Project),
					Remote: root.Remote, Path: command.AtHome(root.Project)})
			}
		}
		if data, err = json.MarshalIndent(m, "", "  "); err != nil {
			return err
		}
		clean, _ := r.w.Filter().Lines(string(data) + "\n")
		data = []byte(clean)
	}
	at := store.MachinesFolder + "/" + name + ".json"
	return r.locked(ctx, func(ours tree) error {
		if bytes.Equal(r.data[ours[at]], data) {
			return nil
		}
		return r.write(map[string][]byte{at: data})
	})
}
