package main

import (
	"fmt"
	"io"

	"memctl/cmd/console"
	"memctl/git"
	"memctl/git/merge"
	"memctl/schemas"
	"memctl/term"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func resolveCommand(std streams) *cli.Command {
	return newCommand(std, "resolve", runResolve,
		rootFlag(),
		targetFlag("the memory at `PATH`; an id will do, and so will an argument"),
		jsonFlag(),
		&cli.BoolFlag{Name: "ours", Usage: "keep what the memory has"},
		&cli.BoolFlag{Name: "theirs", Usage: "take the values of the branch that was merged"},
		&cli.StringSliceFlag{Name: "field", Usage: "decide only the field `F`; may be repeated"},
	)
}

func runResolve(c *cli.Context, std streams) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	choice, err := readChoice(c)
	if err != nil {
		return err
	}
	w, err := existingWriter(c, std)
	if err != nil {
		return err
	}
	path, err := memoryPath(c.Context, w.Root, name)
	if err != nil {
		return err
	}
	stages := func(path string) (merge.Texts, bool) {
		versions, found, err := git.Stages(c.Context, w.Root, path)
		return merge.Texts(versions), found && err == nil // without git there are the markers
	}
	done, err := w.Resolve(c.Context, w.Root.Shown+"/"+path, choice, c.StringSlice("field"), stages)
	if err != nil {
		return err
	}
	open := len(done.Conflicts) > 0
	if err := printFindings(c, std, done, printResolved, open); err != nil {
		return err
	}
	if git.CheckWorkTree(c.Context, w.Root.Path) == nil {
		term.Hint(std.Err, "run \"git add %s\"", text.ShellWord(fromHere(w.Root.Join(path))))
	}
	return nil
}

func readChoice(c *cli.Context) (writer.Choice, error) {
	ours, theirs := c.Bool("ours"), c.Bool("theirs")
	switch {
	case ours && theirs:
		return "", console.Usagef("--ours and --theirs contradict each other")
	case ours:
		return writer.TakeOurs, nil
	case theirs:
		return writer.TakeTheirs, nil
	case len(c.StringSlice("field")) > 0:
		return "", console.Usagef("--field needs --ours or --theirs")
	}
	return writer.Undecided, nil
}

// printResolved writes what became of a conflict.
func printResolved(out io.Writer, r writer.Resolved) {
	if r.Merged {
		fmt.Fprintf(out, "merged the two versions of %s\n", text.Printable(r.Target))
	}
	for _, notice := range r.Notices {
		fmt.Fprintf(out, "%s\n", text.Printable(notice))
	}
	for _, c := range r.Conflicts {
		fmt.Fprintf(out, "%s\n", text.Printable(c.Field))
		printSide(out, "base", c.Base)
		printSide(out, "ours", c.Ours)
		printSide(out, "theirs", c.Theirs)
	}
	if n := len(r.Conflicts); n > 0 {
		fmt.Fprintf(out, "%s in conflict, and the memory has ours: run it again with --ours or --theirs\n",
			text.Plural(n, "field is", "fields are"))
	} else {
		fmt.Fprintf(out, "resolved %s\n", text.Printable(r.Target))
	}
}

func printSide(out io.Writer, name string, value any) {
	shown := "(absent)"
	if s, ok := value.(string); ok {
		shown = s
	} else if value != nil {
		data, _ := schemas.EncodeJSON(value) // was decoded from JSON
		shown = string(data)
	}
	fmt.Fprintf(out, "  %-7s %s\n", name+":", text.Printable(shown))
}
