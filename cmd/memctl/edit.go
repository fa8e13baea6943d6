package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"strings"
	"time"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/retrieve"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

type edit struct {
	std    streams
	w      *writer.Writer
	scope  string // the flag of its scope
	path   string // of the memory, below the root
	stored []byte
	copied string // the path of the copy
}

func runEdit(c *cli.Context, std streams) error {
	root, ref, err := findMemory(c, std)
	if errors.Is(err, files.ErrNoRoot) && !errors.As(err, new(*inOther)) {
		return &console.Failure{Err: err,
			Hint: `"memctl add" saves the first memory; --root names a root elsewhere`,
			Code: console.ExitFailed}
	}
	if err != nil {
		return err
	}
	w, err := store.At(root, storeOptions(std)).Writer()
	if err != nil {
		return err
	}
	w.Read = !clients.InAgentShell()
	e := edit{std: std, w: w, path: ref.Path}
	if scope, _ := readScope(c); scope == files.UserScope {
		e.scope = " --scope user"
	}
	return e.run(c)
}

// run opens the editor until what it leaves is saved, or the person gives up.
func (e *edit) run(c *cli.Context) (err error) {
	if e.stored, err = e.w.Root.ReadFile(e.path); err != nil {
		return fmt.Errorf("%s: %w", e.path, err)
	}
	if err := e.copy(); err != nil {
		return err
	}
	done, again, err := e.once(c)
	for again {
		done, again, err = e.once(c)
	}
	if err != nil {
		return err
	}
	return e.print(c, done)
}

// copy writes the copy to the staging folder, which no other user can read.
func (e *edit) copy() error {
	staging, err := e.w.Root.OpenStaging()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("edit-%s-%s", time.Now().Format("150405.000"), path.Base(e.path))
	e.copied, err = staging.Write(name, string(e.stored))
	return errors.Join(err, staging.Close())
}

// once opens the editor and saves what it leaves. Again means that the person wants to
// open it once more.
func (e *edit) once(c *cli.Context) (done writer.Saved, again bool, err error) {
	editorErr := runEditor(e.std, e.copied)
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
	defer stop()
	in, err := writer.ReadInput(e.w.Root, e.copied, nil)
	switch {
	case err == nil && bytes.Equal(in.Data, e.stored):
		done = writer.Saved{Status: "unchanged", Target: e.shown(), ID: stemOf(e.path)}
		return done, false, errors.Join(editorErr, gate.Remove(e.copied))
	case editorErr != nil:
		return done, false, e.kept(editorErr)
	case err == nil:
		done, err = e.w.Edit(ctx, e.shown(), in, e.hash())
	}
	if err == nil {
		return done, false, gate.Remove(e.copied)
	}
	problems := writer.Problems(err, in.Data)
	if len(problems) == 0 {
		return done, false, e.kept(e.conflict(err))
	}
	for _, problem := range problems {
		console.Note(e.std.Err, "%s", problem)
	}
	err = e.kept(console.Refused(
		fmt.Sprintf("correct the text and run: memctl update%s --target %s --hash %s --input %s", e.scope,
			text.ShellWord(e.shown()), e.hash(), text.ShellWord(e.copied)),
		"nothing was saved"))
	if canAsk(e.std) {
		again, _ = newDialog(ctx, e.std).yes("Open the editor again?")
	}
	return done, again, err
}

// conflict words an OCC_CONFLICT for a person, and leaves other errors as they are.
func (e *edit) conflict(err error) error {
	if refused := new(writer.Error); !errors.As(err, &refused) || refused.Code != writer.OCCConflict {
		return err
	}
	return console.Refused("run \"memctl edit\" again and make your change to what it says now",
		"%s has changed since the editor was opened; nothing was saved", e.shown())
}

func (e *edit) shown() string { return e.w.Root.Shown + "/" + e.path }

func (e *edit) hash() string { return fmt.Sprintf("%x", md5.Sum(e.stored)) }

func (e *edit) kept(err error) error {
	console.Note(e.std.Err, "your text is in %s", e.copied)
	return err
}

func (e *edit) print(c *cli.Context, done writer.Saved) error {
	if done.Status == "unchanged" {
		console.Note(e.std.Err, "nothing was changed")
	}
	if c.Bool("json") {
		return writeJSON(e.std.Out, done)
	}
	if done.Status != "unchanged" {
		fmt.Fprintln(e.std.Out, fromHere(e.w.Root.Join(path.Dir(e.path)+"/"+done.ID+".json")))
	}
	return nil
}

// stemOf returns the id that the path of a memory gives it, also one whose file is
// broken.
func stemOf(file string) string { return strings.TrimSuffix(path.Base(file), ".json") }

// findMemory returns the memory that a command is given by an id, the beginning of one,
// or a path.
func findMemory(c *cli.Context, std streams) (root files.Root, ref retrieve.Ref, err error) {
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
		ref, err = resolveMemory(c.Context, root, name)
	}
	if err != nil {
		err = lookInOther(c, s, name, err)
	}
	return root, ref, err
}

// resolveMemory returns the memory of a root that a name stands for.
func resolveMemory(ctx context.Context, root files.Root, name string) (retrieve.Ref, error) {
	ref, err := readIndex(ctx, root,
		func(s retrieve.Source) (retrieve.Ref, error) { return s.Alone().Resolve(ctx, name) })
	if err == nil && ref.Type != retrieve.MemoryType {
		err = fmt.Errorf("%s is an observation, not a memory", name)
	}
	return ref, err
}

// inOther is the error for a memory that is in the root of the other scope.
type inOther struct {
	cause error
	root  files.Root
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
	ref, otherErr := resolveMemory(c.Context, other, name)
	if otherErr != nil {
		return err
	}
	return &inOther{err, other, ref}
}

// editors are looked for, in this order, where the environment names none.
var editors = []string{"editor", "nano", "vim", "vi", "notepad"}

// runEditor opens a file in the user's editor and waits for it to end. From then on
// memctl ignores Ctrl-C, until signal.NotifyContext is called again.
func runEditor(std streams, path string) error {
	cmd, err := editorCommand(path)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = std.In, console.Unfiltered(std.Out), console.Unfiltered(std.Err)
	if console.IsTerminal(std.Err) { // stdout may be redirected
		cmd.Stdout = cmd.Stderr
	}
	if err = cmd.Start(); err == nil {
		signal.Ignore(os.Interrupt) // Ctrl-C is for the editor
		err = cmd.Wait()
	}
	if err != nil {
		return editorFailed(err)
	}
	return nil
}

func editorFailed(err error) error {
	return console.Refused("VISUAL and EDITOR name the editor, for example: EDITOR=nano",
		"the editor failed, so nothing was saved: %w", err)
}

// editorCommand returns the command of $VISUAL or $EDITOR, which may have arguments
// ("code --wait"), or of the first editor that is found.
func editorCommand(path string) (*exec.Cmd, error) {
	named := cmp.Or(os.Getenv("VISUAL"), os.Getenv("EDITOR"))
	if named == "" {
		for _, name := range editors {
			if found, err := exec.LookPath(name); err == nil {
				return exec.Command(found, path), nil
			}
		}
		return nil, console.Refused("set VISUAL or EDITOR to the editor of your choice", "no editor found")
	}
	if found, err := exec.LookPath(named); err == nil {
		return exec.Command(found, path), nil
	}
	return shellCommand(named, path)
}
