package exchange

import (
	"bytes"
	"io"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

var exportForms = []command.Suggestion{
	{Word: "jsonl", Meaning: "all memories of every status as they are, one on each line, for memctl import jsonl"},
	{Word: "markdown", Meaning: "a folder with a file for each active memory and an index, for git, a site " +
		"or Obsidian"},
	{Word: "claude-md", Meaning: "a digest of constraints and preferences in AGENTS.md or CLAUDE.md, " +
		"for clients without hooks"},
	{Word: "html", Meaning: "one static page of the active memories"},
}

type exported struct {
	Path     string   `json:"path"`
	Memories int      `json:"memories"`
	Digest   *Digest  `json:"digest,omitempty"`
	Unread   []Unread `json:"unread"`
}

func runExport(c *cli.Context, std command.Streams) error {
	if c.NArg() != 1 {
		return console.Usagef("export needs a format")
	}
	name, output := c.Args().First(), c.String("output")
	root, cfg, err := command.FindConfigured(c, std)
	if err != nil {
		return err
	}
	x := &Exporter{Root: root, Filter: cfg.Privacy.Filter()}
	if x.Categories, err = command.ReadCategories(c); err != nil {
		return err
	}
	result := exported{Path: output}
	switch name {
	case "jsonl", "html":
		write := x.Lines
		if name == "html" {
			write = x.Page
		}
		if output == "" || output == "-" {
			_, err = write(c.Context, printable{console.Unfiltered(std.Out)})
			return exportEnd(std, x, err)
		}
		var page bytes.Buffer
		if result.Memories, err = write(c.Context, &page); err == nil {
			err = x.WriteFile(output, page.Bytes())
		}
	case "markdown":
		if output == "" {
			return console.Usagef("export markdown needs --output with a folder")
		}
		result.Memories, err = x.Pages(c.Context, output)
	case "claude-md":
		if len(x.Categories) > 0 {
			return console.Usagef("--category cannot be combined with claude-md, which takes constraints and " +
				"preferences")
		}
		if output == "" {
			result.Path = x.InstructionFile()
		}
		d, digestErr := x.Digest(c.Context, result.Path, c.Int("budget"))
		result.Memories, result.Digest, err = d.Lines, &d, digestErr
	default:
		return unknownFormat(name, "name ", exportForms)
	}
	if err == nil {
		result.Unread = command.NotNil(x.Unread)
		err = command.PrintResult(c, std, result, "exported")
	}
	return exportEnd(std, x, err)
}

// printable escapes what a terminal must not see. For any other stream the bytes stay.
type printable struct{ io.Writer }

func (p printable) Write(data []byte) (int, error) {
	if !console.IsTerminal(p.Writer) {
		return p.Writer.Write(data)
	}
	_, err := p.Writer.Write(text.EscapeJSON(data))
	return len(data), err
}

// exportEnd names the files that could not be read.
func exportEnd(std command.Streams, x *Exporter, err error) error {
	if err != nil {
		return err
	}
	if x.Undated != nil {
		console.Warning(std.Err, "the times of changes are those of the files: %v", x.Undated)
	}
	for _, u := range x.Unread {
		console.Warning(std.Err, "%s is not exported: %s", u.Path, u.Reason)
	}
	if len(x.Unread) > 0 {
		return console.ErrFindings
	}
	return nil
}
