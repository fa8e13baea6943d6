package main

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"memctl/cmd/console"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// The scripts ask memctl itself what may come next: "memctl complete -- WORDS" prints
// a word, a tab and what it means on each line. PowerShell may drop an empty argument, so
// its script gives the word that is being completed as a flag.
//
//go:embed completions
var completions embed.FS

// shells are those that have a completion, and completionFiles their scripts.
var (
	shells          = []string{"bash", "zsh", "fish", "powershell"}
	completionFiles = []string{"memctl.bash", "memctl.zsh", "memctl.fish", "memctl.ps1"}
)

func completionCommand(std streams) *cli.Command { return newCommand(std, "completion", runCompletion) }

func runCompletion(c *cli.Context, std streams) error {
	i := slices.Index(shells, c.Args().First())
	if i < 0 || c.NArg() != 1 {
		return console.Usagef("completion: expected one of %s, got %q", strings.Join(shells, ", "), c.Args().First())
	}
	script, err := completions.ReadFile("completions/" + completionFiles[i])
	if err != nil {
		return err
	}
	_, err = std.Out.Write(script)
	return err
}

// completeCommand answers the scripts.
func completeCommand(std streams) *cli.Command {
	cmd := newCommand(std, "complete", runComplete,
		&cli.StringFlag{Name: "typed", Usage: "the `WORD` to complete, after the others"})
	cmd.Hidden = true
	return cmd
}

func runComplete(c *cli.Context, std streams) error {
	words := c.Args().Slice()
	if c.IsSet("typed") {
		words = append(words, c.String("typed"))
	}
	for _, s := range suggest(c.App, words) {
		fmt.Fprintf(std.Out, "%s\t%s\n", text.Printable(s.word), s.meaning)
	}
	return nil
}
