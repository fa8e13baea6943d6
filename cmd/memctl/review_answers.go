package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"memctl/cmd/console"
	"memctl/review"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// answerFindings goes through findings one by one. The letters are the keys of the start page of
// "memctl ui".
func answerFindings(c *cli.Context, std streams, w *writer.Writer, findings []review.Finding) error {
	if !canAsk(std) {
		return console.Misused("without it the findings are listed", "--interactive asks, but there is no terminal to ask on")
	}
	answered := 0
	for i, f := range findings {
		fmt.Fprintf(std.Err, "\n%d of %d  %s  %s\n  %s\n", i+1, len(findings), f.Kind, text.Printable(f.Title), text.Printable(f.Reason))
		for _, line := range f.Further() {
			fmt.Fprintf(std.Err, "  | %s\n", text.Printable(line))
		}
		done, err := answerFinding(c, std, w, f)
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
	fmt.Fprintf(std.Out, "answered %d of %s\n", answered, text.Plural(len(findings), "finding", "findings"))
	return nil
}

// answerFinding asks until a finding is answered or skipped. What fails is said, and asked again.
func answerFinding(c *cli.Context, std streams, w *writer.Writer, f review.Finding) (done bool, err error) {
	choices := []string{"e correct"}
	for _, a := range f.Answers() {
		choices = append(choices, fmt.Sprintf("%c %s", a[0], a))
	}
	if f.Kind == review.Similar {
		choices = append(choices, "m merge")
	}
	question := strings.Join(append(choices, "s skip", "q quit"), ", ") + " > "
	for {
		typed, err := newDialog(c.Context, std).line(question)
		if err != nil {
			return false, err
		}
		typed = strings.ToLower(strings.TrimSpace(typed))
		at := slices.IndexFunc(f.Answers(), func(a review.Answer) bool { return typed != "" && strings.HasPrefix(string(a), typed) })
		switch {
		case typed == "q":
			return false, io.EOF
		case typed == "s" || typed == "":
			return false, nil
		case typed == "e":
			err = correct(c, std, w, f.Path)
		case typed == "m" && f.Kind == review.Similar:
			err = mergeInto(c, std, w, f)
		case at >= 0:
			err = f.Settle(c.Context, w, f.Answers()[at])
		default:
			continue
		}
		if err == nil || c.Context.Err() != nil {
			return err == nil, c.Context.Err()
		}
		console.Note(std.Err, "%v", err)
	}
}

// correct opens a memory in the editor.
func correct(c *cli.Context, std streams, w *writer.Writer, shown string) error {
	e := edit{std: std, w: w, path: strings.TrimPrefix(shown, w.Root.Shown+"/")}
	return e.run(c)
}

// mergeInto opens the newer of two memories that say the same, and retires the other if the person agrees.
func mergeInto(c *cli.Context, std streams, w *writer.Writer, f review.Finding) error {
	if err := correct(c, std, w, f.Other.Path); err != nil {
		return err
	}
	yes, err := ask(c.Context, std, fmt.Sprintf("Retire %s, which %s now says too?", f.ID, f.Other.ID), true)
	if err != nil || !yes {
		return err
	}
	_, err = w.Move(c.Context, writer.Retire, f.Path, "merged into "+f.Other.ID)
	return err
}
