package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"memctl/memdir"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

const initDescription = `Creates .claude/memory/ with a folder for each category, a memory-config.json that
holds the settings at their defaults, and a .gitignore for the index. What is there
already is left as it is, so it is safe to run again.

--observations also has the agent's tools observed (docs/observations.md): what each
did is kept, filtered and cut, in observations/, which git ignores.`

const gitignore = `# Derived from the memory files; memctl makes it anew when it is gone.
index.db*
# What tools did in a session: not for review.
observations/
`

func initCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "init",
		Usage:       "create the memory root of a project",
		Description: initDescription,
		Flags:       []cli.Flag{rootFlag(), jsonFlag(), &cli.BoolFlag{Name: "observations", Usage: "observe the agent's tools from now on"}},
		Action: func(c *cli.Context) error {
			if err := noArguments(c, "; use --root DIR"); err != nil {
				return err
			}
			path, err := runInit(std, rootArg(c), c.Bool("json"))
			if err != nil || !c.Bool("observations") {
				return err
			}
			return switchOnObservations(c, std, path)
		},
	}
}

// switchOnObservations says so on stderr: stdout has the answer of init.
func switchOnObservations(c *cli.Context, std streams, path string) error {
	root, err := memdir.At(path)
	if err != nil {
		return err
	}
	w, err := writerOf(root, std)
	if err == nil {
		err = setObserving(c.Context, w, true)
	}
	if err == nil {
		fmt.Fprintln(std.Err, "memctl: tools are observed from now on")
	}
	return err
}

// initReport says what init did.
type initReport struct {
	Root    string   `json:"root"`
	Created []string `json:"created"`
	Kept    []string `json:"kept"`
}

func runInit(std streams, dir string, asJSON bool) (path string, err error) {
	path, err = memdir.Target(cmp.Or(dir, "."))
	if err != nil {
		return "", err
	}
	r, err := makeRoot(path)
	switch {
	case err != nil:
		return "", err
	case asJSON:
		return path, writeJSON(std.Out, r)
	}
	r.print(std)
	return path, nil
}

// makeRoot makes what a memory root lacks.
func makeRoot(path string) (r initReport, err error) {
	r = initReport{Root: path, Created: []string{}, Kept: []string{}}
	for _, info := range schemas.Categories {
		if err := r.makeFolder(info.Folder); err != nil {
			return r, err
		}
	}
	if err := r.makeFile(memdir.ConfigName, schemas.InitialConfig); err != nil {
		return r, err
	}
	if err := r.makeFile(".gitignore", []byte(gitignore)); err != nil {
		return r, err
	}
	return r, nil
}

func (r *initReport) note(name string, created bool) {
	if created {
		r.Created = append(r.Created, name)
	} else {
		r.Kept = append(r.Kept, name)
	}
}

func (r *initReport) makeFolder(name string) error {
	path := filepath.Join(r.Root, name)
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		return fmt.Errorf("%s is in the way: expected a folder", path)
	}
	if err == nil {
		r.note(name+"/", false)
		return nil
	}
	r.note(name+"/", true)
	return os.MkdirAll(path, 0o755)
}

// makeFile creates a file unless there is one, or a link of that name.
func (r *initReport) makeFile(name string, data []byte) error {
	file, err := os.OpenFile(filepath.Join(r.Root, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		r.note(name, false)
		return nil
	}
	if err != nil {
		return err
	}
	r.note(name, true)
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

func (r *initReport) print(std streams) {
	if len(r.Created) == 0 {
		fmt.Fprintf(std.Out, "%s is complete already; nothing was created\n", r.Root)
	} else {
		fmt.Fprintf(std.Out, "%s: created %s\n", r.Root, strings.Join(r.Created, " "))
		if len(r.Kept) > 0 {
			fmt.Fprintf(std.Out, "kept as it was: %s\n", strings.Join(r.Kept, " "))
		}
	}
	if !ignoresIndex(r.Root) {
		fmt.Fprintf(std.Err, "memctl: hint: add index.db* to %s: the index is derived and should not be committed\n", filepath.Join(r.Root, ".gitignore"))
	}
}

// ignoresIndex tells whether a root's own .gitignore names the index.
func ignoresIndex(root string) bool {
	ignored, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	return err == nil && strings.Contains(string(ignored), memdir.IndexName)
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print JSON, for programs"}
}
