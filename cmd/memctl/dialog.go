package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"memctl/cmd/console"
	"memctl/term"

	"github.com/urfave/cli/v2"
)

// dialog asks a person on a terminal. All questions of a command share one, because it
// reads ahead what is typed ahead.
type dialog struct {
	ctx context.Context
	in  *bufio.Reader
	out io.Writer
}

func newDialog(ctx context.Context, std streams) *dialog {
	return &dialog{ctx, bufio.NewReader(std.In), std.Err}
}

func (d *dialog) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// line returns what is typed after a prompt, without outer white space. The error is
// io.EOF at the end of input, and that of the context after Ctrl-C.
func (d *dialog) line(prompt string) (string, error) {
	for {
		fmt.Fprint(d.out, prompt)
		line, err := console.Interruptible(d.ctx, func() (string, error) { return d.in.ReadString('\n') })
		if err != nil {
			fmt.Fprintln(d.out)
		}
		if line = strings.TrimSpace(line); err == nil && strings.ContainsFunc(line, unicode.IsControl) {
			d.say("that has control characters (arrow keys do not work here): type it again")
			continue
		}
		return line, err
	}
}

// yes asks a question whose answer is yes unless another one is typed.
func (d *dialog) yes(question string) (bool, error) {
	answer, err := d.line(question + " [Y/n] ")
	word := strings.ToLower(answer)
	return err == nil && (word == "" || word == "y" || word == "yes"), err
}

// errNothingSaved ends a dialog whose input ended early.
var errNothingSaved = errors.New("the answers ended early; nothing was saved")

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
