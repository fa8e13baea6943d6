package proposals

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/store"
	"memctl/text"
)

// walk goes through the proposals one by one.
func (r run) walk() error {
	if len(r.list.Waiting) == 0 {
		console.Note(r.std.Err, noProposals)
		return nil
	}
	st, total, answered := store.At(r.root, command.StoreOptions(r.std)), len(r.list.Waiting), 0
	dialog := command.NewDialog(r.Context.Context, r.std)
	for i, p := range r.list.Waiting {
		fmt.Fprintf(r.std.Err, "\n%d of %d\n", i+1, total)
		width, _ := console.TerminalSize(command.TerminalOf(r.std.Err))
		if err := r.print(console.NewScreen(r.std.Err, width, false), p); err != nil {
			return err
		}
		done, err := r.ask(dialog, st, p)
		if errors.Is(err, io.EOF) { // the person has had enough
			break
		}
		if err != nil {
			return err
		}
		if done {
			answered++
		}
	}
	_, err := fmt.Fprintf(r.std.Out, "answered %d of %s\n", answered, text.Plural(total, "proposal", "proposals"))
	return err
}

// ask asks until a proposal is taken, dropped or left. After a failure it asks again, and keeps the edited text.
func (r run) ask(dialog *command.Dialog, st *store.Store, p *Proposal) (done bool, err error) {
	question := "t take, e edit, d drop, l later, q quit > "
	if len(p.Memory) == 0 {
		question = strings.Replace(question, "e edit, ", "", 1)
	}
	var edited []byte
	for {
		typed, err := dialog.Line(question)
		if err != nil {
			return false, err
		}
		switch typed = strings.ToLower(typed); {
		case typed == "q":
			return false, io.EOF
		case typed == "l" || typed == "":
			return false, nil
		case typed == "d":
			return true, r.dropOne(dialog, p)
		case typed == "e" && len(p.Memory) > 0:
			if edited != nil {
				p.Memory = edited
			}
			if edited, err = command.EditCopy(r.std, r.root, p.Path, p.lines()); err != nil {
				dialog.Say("%s", text.Printable(err.Error()))
				continue
			}
		case typed != "t":
			continue
		}
		a := r.takeOne(st, p, edited)
		if r.Context.Context.Err() != nil {
			return false, r.Context.Context.Err()
		}
		if a.Error == "" {
			dialog.Say("taken: %s", text.Printable(a.Target))
			return true, nil
		}
		dialog.Say("not taken: %s", text.Paragraph(a.Error))
	}
}

// lines is the memory as its file would have it.
func (p *Proposal) lines() []byte {
	var b bytes.Buffer
	if json.Indent(&b, p.Memory, "", "  ") != nil {
		return command.WithNewline(p.Memory) // as the person has left it
	}
	return command.WithNewline(b.Bytes())
}

func (r run) dropOne(dialog *command.Dialog, p *Proposal) error {
	reason, err := dialog.Line("why? Return: no reason > ")
	if err != nil {
		return err
	}
	return Drop(r.Context.Context, r.root, []int{p.Number}, reason)
}
