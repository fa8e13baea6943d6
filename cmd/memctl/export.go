package main

import (
	"bytes"
	"fmt"
	"io"

	"memctl/cmd/console"
	"memctl/exchange"
	"memctl/privacy"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// exportForms are the forms that memories are exported to.
var exportForms = []struct{ name, about string }{
	{"jsonl", "all memories of every status as they stand, one on each line, for memctl import jsonl"},
	{"markdown", "a folder with a file for each active memory and an index, for git, a site or Obsidian"},
	{"claude-md", "a digest of constraints and preferences in AGENTS.md or CLAUDE.md, for clients without hooks"},
	{"html", "one static page of the active memories"},
}

const exportDescription = `Takes memories out. FORMAT is one of:

%s
jsonl and html go to stdout unless --output names a file, markdown needs --output with a
folder. Markdown pages are the same bytes for the same memories, and the next export
replaces and removes only pages that memctl wrote. claude-md writes between two lines of
the file and changes nothing else; a second run replaces what is between them. Private
sections and secrets are removed from all but jsonl, which is a copy.

   memctl export jsonl > memories.jsonl
   memctl export markdown --output docs/memories
   memctl export claude-md --budget 800

Exit status: 0 done, 1 refused or a memory could not be read, 2 wrong usage.`

func exportCommand(std streams) *cli.Command {
	var list bytes.Buffer
	for _, f := range exportForms {
		fmt.Fprintf(&list, "   %-10s %s\n", f.name, f.about)
	}
	return &cli.Command{
		Name:        "export",
		Usage:       "take memories out: JSON lines, Markdown, a digest, HTML",
		ArgsUsage:   "FORMAT",
		Description: fmt.Sprintf(exportDescription, list.String()),
		Flags: []cli.Flag{
			rootFlag(),
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `PATH`"},
			categoryFlag(),
			&cli.IntFlag{Name: "budget", Value: exchange.Budget, Usage: "of claude-md: take at most `N` tokens",
				Action: between("budget", 100, 100_000)},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error { return runExport(c, std) },
	}
}

// exported is the answer of an export to files.
type exported struct {
	Path     string            `json:"path"`
	Memories int               `json:"memories"`
	Digest   *exchange.Digest  `json:"digest,omitempty"`
	Unread   []exchange.Unread `json:"unread"`
}

func runExport(c *cli.Context, std streams) error {
	if c.NArg() != 1 {
		return console.Usagef("export needs a format")
	}
	name, output := c.Args().First(), c.String("output")
	root, cfg, err := findConfigured(c, std)
	if err != nil {
		return err
	}
	x := &exchange.Exporter{Root: root, Filter: privacy.New(privacy.Options(cfg.Privacy))}
	if x.Categories, err = readCategories(c); err != nil {
		return err
	}
	done := exported{Path: output}
	switch name {
	case "jsonl", "html":
		write := x.Lines
		if name == "html" {
			write = x.Page
		}
		if output == "" || output == "-" {
			_, err = write(c.Context, printable{std.Out})
			return exportEnd(std, x, err)
		}
		var page bytes.Buffer
		if done.Memories, err = write(c.Context, &page); err == nil {
			err = x.WriteFile(output, page.Bytes())
		}
	case "markdown":
		if output == "" {
			return console.Usagef("export markdown needs --output with a folder")
		}
		done.Memories, err = x.Pages(c.Context, output)
	case "claude-md":
		if len(x.Categories) > 0 {
			return console.Usagef("--category does not go with claude-md: it takes constraints and preferences")
		}
		if output == "" {
			done.Path = x.InstructionFile()
		}
		d, digestErr := x.Digest(c.Context, done.Path, c.Int("budget"))
		done.Memories, done.Digest, err = d.Lines, &d, digestErr
	default:
		return unknownFormat(name, exportForms, func(f struct{ name, about string }) string { return f.name })
	}
	if err == nil {
		done.Unread = notNil(x.Unread)
		err = printExported(c, std, done)
	}
	return exportEnd(std, x, err)
}

// printable escapes what a terminal must not see. For any other stream the bytes stay.
type printable struct{ io.Writer }

func (p printable) Write(data []byte) (int, error) {
	if !term.IsTerminal(p.Writer) {
		return p.Writer.Write(data)
	}
	_, err := p.Writer.Write(text.EscapeJSON(data))
	return len(data), err
}

func printExported(c *cli.Context, std streams, done exported) error {
	if c.Bool("json") {
		return writeJSON(std.Out, done)
	}
	switch d := done.Digest; {
	case d == nil:
		fmt.Fprintf(std.Out, "%s: %s\n", done.Path, memories(done.Memories))
	case !d.Changed:
		fmt.Fprintf(std.Out, "%s: unchanged, %s in %d tokens%s\n", done.Path, memories(d.Lines), d.Tokens,
			noRoom(d.LeftOut))
	default:
		fmt.Fprintf(std.Out, "%s: %s in %d tokens%s\n", done.Path, memories(d.Lines), d.Tokens, noRoom(d.LeftOut))
	}
	return nil
}

// noRoom names what the budget left out.
func noRoom(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", no room for %d more (--budget)", n)
}

// exportEnd names the files that could not be read.
func exportEnd(std streams, x *exchange.Exporter, err error) error {
	if err != nil {
		return err
	}
	for _, u := range x.Unread {
		term.Warning(std.Err, "%s is not exported: %s", u.Path, u.Reason)
	}
	if len(x.Unread) > 0 {
		return console.ErrFindings
	}
	return nil
}
