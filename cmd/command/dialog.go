package command

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"memctl/cmd/console"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// AskPerson asks on the terminal itself, because anything may be on stdin. It returns the refusal for what is not yes.
func AskPerson(ctx context.Context, std Streams, question string, refusal error) error {
	console.Unfiltered(std.Err) // nothing else is drawn there
	t, err := Terminal()
	if err != nil {
		return console.Refused("run it in a terminal of your own", "only a person on a terminal may do this, and "+
			"there is none")
	}
	defer t.Close()
	d := &Dialog{ctx, bufio.NewReader(t), t}
	answer, err := d.Line(text.Printable(question) + "\n[y/N] ")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || !isYes(answer, false) {
		return refusal
	}
	return nil
}

// Dialog asks a person on a terminal. All questions of a command share one, because it
// reads ahead what is typed ahead.
type Dialog struct {
	ctx context.Context
	in  *bufio.Reader
	out io.Writer
}

func NewDialog(ctx context.Context, std Streams) *Dialog {
	return &Dialog{ctx, bufio.NewReader(std.In), std.Err}
}

func (d *Dialog) Say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// Line returns what is typed after a prompt, without outer white space. The error is
// io.EOF at the end of input, and that of the context after Ctrl-C.
func (d *Dialog) Line(prompt string) (string, error) {
	for {
		fmt.Fprint(d.out, prompt)
		line, err := console.Interruptible(d.ctx, func() (string, error) { return d.in.ReadString('\n') })
		if err != nil {
			fmt.Fprintln(d.out)
		}
		if line = strings.TrimSpace(line); err == nil && strings.ContainsFunc(line, unicode.IsControl) {
			d.Say("that has control characters (arrow keys do not work here): type it again")
			continue
		}
		return line, err
	}
}

// Yes asks a question whose answer is yes unless another one is typed.
func (d *Dialog) Yes(question string) (bool, error) {
	answer, err := d.Line(question + " [Y/n] ")
	return err == nil && isYes(answer, true), err
}

// isYes reports whether an answer is yes, which an empty one may be.
func isYes(answer string, byDefault bool) bool {
	word := strings.ToLower(answer)
	return word == "y" || word == "yes" || word == "" && byDefault
}

// ErrNothingSaved ends a dialog whose input ended early.
var ErrNothingSaved = errors.New("the answers ended early; nothing was saved")

// Consent is the user's decision, by a flag or an answer; nil if there is none yet.
type Consent *bool

// ConsentArg reads a flag and its opposite, --no-NAME.
func ConsentArg(c *cli.Context, name string) (Consent, error) {
	yes, no := c.Bool(name), c.Bool("no-"+name)
	switch {
	case yes && no:
		return nil, console.Usagef("--%s and --no-%s contradict each other", name, name)
	case yes || no:
		return &yes, nil
	}
	return nil, nil
}

func CanAsk(std Streams) bool { return console.IsTerminal(std.In) && console.IsTerminal(std.Err) }

// Ask asks a question on a terminal. An empty line is the default answer; the end of
// input, and what is neither yes nor empty, means no.
func Ask(ctx context.Context, std Streams, question string, byDefault bool) (yes bool, err error) {
	choices := "[y/N]"
	if byDefault {
		choices = "[Y/n]"
	}
	answer, err := NewDialog(ctx, std).Line(question + "\n" + choices + " ")
	if err == io.EOF && byDefault { // silence is no yes
		return false, cmp.Or(ctx.Err(), ErrNothingSaved)
	}
	if err != nil {
		return false, ctx.Err()
	}
	return isYes(answer, byDefault), nil
}
