package main

import (
	"bytes"
	"crypto/md5"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path"
	"time"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/store"
	"memctl/term"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func editCommand(std streams) *cli.Command {
	return newCommand(std, "edit", runEdit, append(ownFlags(),
		rootFlag(),
		targetFlag("the memory at `PATH`; an id will do"),
		jsonFlag(),
	)...)
}

// edit is a memory that a person changes in a copy of its file.
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
	if errors.Is(err, memdir.ErrNoRoot) && !errors.As(err, new(*inOther)) {
		return &console.Failure{Err: err,
			Hint: `"memctl add" saves the first memory; --root names a root that lies elsewhere`, Code: console.ExitFailed}
	}
	if err != nil {
		return err
	}
	w, err := store.At(root, storeOptions(std)).Writer()
	if err != nil {
		return err
	}
	e := edit{std: std, w: w, path: ref.Path}
	if scope, _ := readScope(c); scope == memdir.UserScope {
		e.scope = " --scope user"
	}
	if e.stored, err = root.ReadFile(ref.Path); err != nil {
		return fmt.Errorf("%s: %w", ref.Path, err)
	}
	if err := e.copy(); err != nil {
		return err
	}
	for {
		done, again, err := e.once(c)
		switch {
		case again:
			continue
		case err != nil:
			return err
		}
		return e.print(c, done)
	}
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
		return done, false, errors.Join(editorErr, os.Remove(e.copied))
	case editorErr != nil:
		return done, false, e.kept(editorErr)
	case err == nil:
		done, err = e.w.Edit(ctx, e.shown(), in, e.hash())
	}
	if err == nil {
		return done, false, os.Remove(e.copied)
	}
	problems := writer.Problems(err, in.Data)
	if len(problems) == 0 {
		return done, false, e.kept(e.conflict(err))
	}
	for _, problem := range problems {
		term.Note(e.std.Err, "%s", problem)
	}
	e.noteKept()
	if canAsk(e.std) {
		again, _ = newDialog(ctx, e.std).yes("Open the editor again?")
	}
	return done, again, console.Refused(
		fmt.Sprintf("correct the text and run: memctl update%s --target %s --hash %s --input %s", e.scope,
			text.ShellWord(e.shown()), e.hash(), text.ShellWord(e.copied)),
		"nothing was saved")
}

// conflict words an OCC_CONFLICT for a person, and leaves other errors as they are.
func (e *edit) conflict(err error) error {
	if refused := new(writer.Error); !errors.As(err, &refused) || refused.Code != writer.OCCConflict {
		return err
	}
	return console.Refused("run \"memctl edit\" again and make your change to what it says now",
		"%s has changed since the editor was opened; nothing was saved", e.shown())
}

// shown is the path of the memory as memctl shows it.
func (e *edit) shown() string { return e.w.Root.Shown + "/" + e.path }

func (e *edit) hash() string { return fmt.Sprintf("%x", md5.Sum(e.stored)) }

// kept is the error of an edit whose text is kept.
func (e *edit) kept(err error) error {
	e.noteKept()
	return err
}

func (e *edit) noteKept() { term.Note(e.std.Err, "your text is in %s", e.copied) }

func (e *edit) print(c *cli.Context, done writer.Saved) error {
	unchanged := done.Status == "unchanged"
	if unchanged {
		term.Note(e.std.Err, "nothing was changed")
	}
	if c.Bool("json") {
		return writeJSON(e.std.Out, done)
	}
	if unchanged {
		return nil
	}
	_, err := fmt.Fprintln(e.std.Out, fromHere(e.w.Root.Join(path.Dir(e.path)+"/"+done.ID+".json")))
	return err
}
