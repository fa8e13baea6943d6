package main

import (
	"context"
	"strings"

	"memctl/cmd/console"
	"memctl/term"

	"github.com/urfave/cli/v2"
)

// consent is the user's decision, by a flag or an answer.
type consent int

const (
	undecided consent = iota
	granted
	declined
)

// consentArg reads a flag and its opposite, --no-NAME.
func consentArg(c *cli.Context, name string) (consent, error) {
	yes, no := c.Bool(name), c.Bool("no-"+name)
	switch {
	case yes && no:
		return undecided, console.Usagef("--%s and --no-%s contradict each other", name, name)
	case yes:
		return granted, nil
	case no:
		return declined, nil
	}
	return undecided, nil
}

func decided(yes bool) consent {
	if yes {
		return granted
	}
	return declined
}

// canAsk reports whether there is a user who can answer.
func canAsk(std streams) bool { return term.IsTerminal(std.In) && term.IsTerminal(std.Err) }

// ask asks a question on a terminal. An empty line is the default answer; the end of
// input, and what is neither yes nor empty, means no.
func ask(ctx context.Context, std streams, question string, byDefault bool) (yes bool, err error) {
	choices := "[y/N]"
	if byDefault {
		choices = "[Y/n]"
	}
	answer, err := newDialog(ctx, std).line(question + "\n" + choices + " ")
	if err != nil {
		return false, ctx.Err()
	}
	word := strings.ToLower(answer)
	return word == "y" || word == "yes" || word == "" && byDefault, nil
}
