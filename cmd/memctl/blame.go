package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"memctl/git"
	"memctl/schemas"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func blameCommand(std streams) *cli.Command {
	return newCommand(std, "blame", runBlame,
		rootFlag(),
		targetFlag("the memory at `PATH`; an id will do, and so will an argument"),
		jsonFlag(),
		colorFlag(),
	)
}

func runBlame(c *cli.Context, std streams) error {
	name, err := memoryName(c)
	if err != nil {
		return err
	}
	root, err := findRoot(c)
	if err != nil {
		return err
	}
	path, err := memoryPath(c.Context, root, name)
	if err != nil {
		return err
	}
	origins, err := git.Blame(c.Context, root, path)
	if err != nil {
		return err
	}
	return printPaged(c, std, origins, printBlame)
}

// printBlame writes a line for each value of a memory, but not its history, whose entries
// have dates of their own. On a terminal it is a table that fits.
func printBlame(s term.Screen, origins []git.Origin) {
	t := term.Table{Columns: []term.Column{{Head: "FIELD", Style: term.Bold}, {Head: "COMMIT", Style: term.Cyan}, {Head: "DATE", Optional: true}, {Head: "AUTHOR", Cut: true}, {Head: "VALUE", Cut: true}}}
	last := ""
	for _, o := range origins {
		if o.Field == "changes" {
			continue
		}
		field, date := o.Field, ""
		if field == last {
			field = ""
		}
		if o.ID != "" {
			date = day(o.Date)
		}
		t.Rows = append(t.Rows, []string{field, commitID(o.Commit), date, o.Author, stringOrJSON(o.Value)})
		last = o.Field
	}
	if s.IsTerminal() {
		t.Print(s)
		return
	}
	lines := tabwriter.NewWriter(s, 0, 0, 2, ' ', 0)
	for _, row := range t.Rows {
		fmt.Fprintln(lines, text.Printable(row[0])+"\t"+row[1]+"\t"+row[2]+"\t"+text.Printable(row[3])+"\t"+text.Printable(row[4]))
	}
	lines.Flush()
}

// stringOrJSON is the text of a string, and the JSON of any other value.
func stringOrJSON(raw json.RawMessage) string {
	return cmp.Or(schemas.String(raw), string(raw))
}
