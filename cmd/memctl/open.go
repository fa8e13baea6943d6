package main

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/store"
	"memctl/term"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func openCommand(std streams) *cli.Command {
	return newCommand(std, "open", runOpen, append(ownFlags(),
		rootFlag(),
		targetFlag("the memory at `PATH`; an id will do"),
		&cli.BoolFlag{Name: "editor", Usage: "open the file in $VISUAL or $EDITOR"},
		jsonFlag(),
	)...)
}

// opened is the answer of open.
type opened struct {
	ID   string `json:"id"`
	Path string `json:"path"`
}

func runOpen(c *cli.Context, std streams) error {
	root, ref, err := findMemory(c, std)
	if there := new(inOther); errors.As(err, &there) { // to open it is to read it
		root, ref, err = there.root, there.ref, nil
	}
	if err != nil {
		return err
	}
	file := root.Join(ref.Path)
	if !c.Bool("editor") {
		if c.Bool("json") {
			return writeJSON(std.Out, opened{stemOf(ref.Path), filepath.ToSlash(file)})
		}
		_, err := fmt.Fprintln(std.Out, fromHere(file))
		return err
	}
	if err := runEditor(std, file); err != nil {
		return err
	}
	violations := writer.CheckPath(root, ref.Path)
	for _, v := range violations {
		term.Warning(std.Err, "%s: %s", ref.Path, v)
	}
	if len(violations) > 0 {
		return console.ErrFindings
	}
	return nil
}

// stemOf returns the id that the path of a memory gives it, also one whose file is
// broken.
func stemOf(file string) string { return strings.TrimSuffix(path.Base(file), ".json") }

// findMemory returns the memory that a command is given by an id, the beginning of one,
// or a path.
func findMemory(c *cli.Context, std streams) (root memdir.Root, ref retrieve.Ref, err error) {
	name, err := memoryName(c)
	if err != nil {
		return root, ref, err
	}
	scope, err := readScope(c)
	if err != nil {
		return root, ref, err
	}
	s := scopedStore(c, std, scope)
	if root, err = s.Root(); err == nil {
		ref, err = resolveMemory(c, root, name)
	}
	if err != nil {
		err = lookInOther(c, s, name, err)
	}
	return root, ref, err
}

func resolveMemory(c *cli.Context, root memdir.Root, name string) (retrieve.Ref, error) {
	ref, err := readIndex(c.Context, root,
		func(s retrieve.Source) (retrieve.Ref, error) { return s.Alone().Resolve(c.Context, name) })
	if err == nil && ref.Type != retrieve.MemoryType {
		err = fmt.Errorf("%s is an observation, not a memory", name)
	}
	return ref, err
}

// inOther is the error for a memory that is in the root of the other scope.
type inOther struct {
	cause error
	root  memdir.Root
	ref   retrieve.Ref
}

func (e *inOther) Error() string { return e.cause.Error() }
func (e *inOther) Unwrap() error { return e.cause }

// Hint says how to name it.
func (e *inOther) Hint() string {
	return fmt.Sprintf("add --scope %s: it is among %s", e.root.Scope, e.root.Scope.Own())
}

// lookInOther makes an inOther of err if the root of the other scope has the memory.
func lookInOther(c *cli.Context, s *store.Store, name string, err error) error {
	other := s.Other()
	if other.Path == "" {
		return err
	}
	ref, otherErr := resolveMemory(c, other, name)
	if otherErr != nil {
		return err
	}
	return &inOther{err, other, ref}
}
