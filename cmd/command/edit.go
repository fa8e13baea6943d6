package command

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"time"

	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

type Edit struct {
	Std    Streams
	W      *writer.Writer
	Scope  string // the flag of its scope
	Path   string // of the memory, below the root
	stored []byte
	copied string // the path of the copy
}

// Run opens the editor until what it leaves is saved, or the person gives up.
func (e *Edit) Run(c *cli.Context) (err error) {
	if e.stored, err = e.W.Root.ReadFile(e.Path); err != nil {
		return fmt.Errorf("%s: %w", e.Path, err)
	}
	if e.copied, err = writeCopy(e.W.Root, e.Path, e.stored); err != nil {
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

// EditCopy opens the editor on a copy of a memory that is no file yet, and returns the text that it leaves.
func EditCopy(std Streams, root files.Root, memory string, data []byte) ([]byte, error) {
	copied, err := writeCopy(root, memory, data)
	if err != nil {
		return nil, err
	}
	defer signal.Reset(os.Interrupt)
	err = runEditor(std, copied)
	var in writer.Input
	if err == nil {
		in, err = writer.ReadInput(root, copied, nil)
	}
	if err != nil {
		console.Note(std.Err, "your text is in %s", copied)
		return nil, err
	}
	return in.Data, gate.Remove(copied)
}

// Rename gives the file the name that the title says.
func (e *Edit) Rename(c *cli.Context) error {
	done, err := e.W.Rename(c.Context, e.shown())
	if err != nil {
		return err
	}
	return e.print(c, done)
}

// OfferName says how a memory gets the name that its title says, if its own says something else.
func OfferName(std Streams, id, title string) {
	if title != "" && !writer.SaysTitle(id, title) {
		console.Hint(std.Err, "the name of its file no longer says the title: memctl edit %s --rename",
			text.ShellWord(id))
	}
}

// writeCopy writes a copy of a memory to the staging folder, which no other user can read.
func writeCopy(root files.Root, memory string, data []byte) (copied string, err error) {
	staging, err := root.OpenStaging()
	if err != nil {
		return "", err
	}
	name := fmt.Sprintf("edit-%s-%s", time.Now().Format("150405.000"), path.Base(memory))
	copied, err = staging.Write(name, string(data))
	return copied, errors.Join(err, staging.Close())
}

// once opens the editor and saves what it leaves. Again means that the person wants to
// open it once more.
func (e *Edit) once(c *cli.Context) (done writer.Saved, again bool, err error) {
	editorErr := runEditor(e.Std, e.copied)
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt)
	defer stop()
	in, err := writer.ReadInput(e.W.Root, e.copied, nil)
	switch {
	case err == nil && bytes.Equal(in.Data, e.stored):
		done = writer.Saved{Status: "unchanged", Target: e.shown(), ID: StemOf(e.Path)}
		return done, false, errors.Join(editorErr, gate.Remove(e.copied))
	case editorErr != nil:
		return done, false, e.kept(editorErr)
	case err == nil:
		done, err = e.W.Edit(ctx, e.shown(), in, e.hash())
	}
	if err == nil {
		return done, false, gate.Remove(e.copied)
	}
	problems := writer.Problems(err, in.Data)
	if len(problems) == 0 {
		return done, false, e.kept(e.conflict(err))
	}
	for _, problem := range problems {
		console.Note(e.Std.Err, "%s", problem)
	}
	err = e.kept(console.Refused(
		fmt.Sprintf("correct the text and run: memctl update%s --target %s --hash %s --input %s", e.Scope,
			text.ShellWord(e.shown()), e.hash(), text.ShellWord(e.copied)),
		"nothing was saved"))
	if CanAsk(e.Std) {
		again, _ = NewDialog(ctx, e.Std).Yes("Open the editor again?")
	}
	return done, again, err
}

// conflict words an OCC_CONFLICT for a person, and leaves other errors as they are.
func (e *Edit) conflict(err error) error {
	if refused := new(writer.Error); !errors.As(err, &refused) || refused.Code != writer.OCCConflict {
		return err
	}
	return console.Refused("run \"memctl edit\" again and make your change to what it says now",
		"%s has changed since the editor was opened; nothing was saved", e.shown())
}

func (e *Edit) shown() string { return e.W.Root.Shown + "/" + e.Path }

func (e *Edit) hash() string { return fmt.Sprintf("%x", md5.Sum(e.stored)) }

func (e *Edit) kept(err error) error {
	console.Note(e.Std.Err, "your text is in %s", e.copied)
	return err
}

func (e *Edit) print(c *cli.Context, done writer.Saved) error {
	if done.Status == "unchanged" {
		console.Note(e.Std.Err, "nothing was changed")
	}
	OfferName(e.Std, done.ID, done.Title)
	if c.Bool("json") {
		return WriteJSON(e.Std.Out, done)
	}
	if done.Status == writer.Proposed {
		_, err := fmt.Fprintln(e.Std.Out, done.Name())
		return err
	}
	if done.Status != "unchanged" {
		fmt.Fprintln(e.Std.Out, FromHere(e.W.Root.Join(path.Dir(e.Path)+"/"+done.ID+".json")))
	}
	return nil
}

// editors are looked for, in this order, where the environment names none.
var editors = []string{"editor", "nano", "vim", "vi", "notepad"}

// runEditor opens a file in the user's editor and waits for it to end. From then on
// memctl ignores Ctrl-C, until signal.NotifyContext is called again.
func runEditor(std Streams, path string) error {
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
