package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"

	"memctl/cmd/console"
	"memctl/term"

	"github.com/urfave/cli/v2"
)

// pagerHelp ends the help of the commands that call paged.
// paged runs print on the screen that stdout is. If that is a terminal and shorter than
// the text, the text goes through the user's pager, also if print fails midway.
func paged(c *cli.Context, std streams, print func(term.Screen) error) error {
	terminal := terminalOf(std.Out)
	styled := terminal != nil && term.Styles(terminal)
	color := c.String("color") == "always" || c.String("color") == "auto" && styled && os.Getenv("NO_COLOR") == ""
	out, width, height := unfiltered(std.Out), 0, 0
	if terminal != nil {
		width, height = term.TerminalSize(terminal)
	}
	var text bytes.Buffer
	err := print(term.NewScreen(&text, width, color))
	if terminal != nil && term.LinesOn(width, text.String()) >= height && page(terminal, std.Err, text.Bytes()) {
		return err
	}
	_, writeErr := out.Write(text.Bytes())
	return errors.Join(err, writeErr)
}

// terminalOf returns out as a terminal, nil if it is not one.
func terminalOf(out io.Writer) *os.File {
	file, isFile := unfiltered(out).(*os.File)
	if !isFile || !term.IsTerminal(file) {
		return nil
	}
	return file
}

// unfiltered returns what is below stdout's filter, which would remove colours. A Screen
// filters what it prints.
func unfiltered(out io.Writer) io.Writer {
	if filtered, ok := out.(*console.Stdout); ok {
		return filtered.Writer
	}
	return out
}

// page shows text in the user's pager until the user leaves it. It reports whether there
// is a pager. The pager handles Ctrl-C itself; memctl waits for it and ignores how it ends.
func page(terminal *os.File, errOut io.Writer, text []byte) bool {
	command, chosen := os.LookupEnv("PAGER")
	if !chosen {
		command = "less -FRX"
	}
	if command == "" {
		return false
	}
	pager := exec.Command("sh", "-c", command)
	pager.Stdin, pager.Stdout, pager.Stderr = bytes.NewReader(text), terminal, errOut
	if _, chosen := os.LookupEnv("LESS"); !chosen {
		pager.Env = append(os.Environ(), "LESS=FRX") // shows colours also where PAGER is less
	}
	err := pager.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode() != 126 && exit.ExitCode() != 127 // the shell cannot run it, or finds none
	}
	return err == nil
}
