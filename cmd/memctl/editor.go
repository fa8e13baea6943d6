package main

import (
	"cmp"
	"os"
	"os/exec"
	"os/signal"

	"memctl/cmd/console"
	"memctl/term"
)

// editors are looked for, in this order, where the environment names none.
var editors = []string{"editor", "nano", "vim", "vi", "notepad"}

// runEditor opens a file in the user's editor and waits for it to end. From then on
// memctl ignores Ctrl-C, until signal.NotifyContext is called again.
func runEditor(std streams, path string) error {
	cmd, err := editorCommand(path)
	if err != nil {
		return err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = std.In, unfiltered(std.Out), std.Err
	if term.IsTerminal(std.Err) { // stdout may be redirected
		cmd.Stdout = std.Err
	}
	if err := cmd.Start(); err != nil {
		return editorFailed(err)
	}
	signal.Ignore(os.Interrupt) // Ctrl-C is for the editor
	err = cmd.Wait()
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
