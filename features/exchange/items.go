package exchange

import (
	"fmt"
	"slices"
	"strings"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func fresh(im *Import) string {
	n, sessions := im.Fresh()
	var parts []string
	if n > 0 {
		parts = append(parts, command.Memories(n))
	}
	if n := im.Counts[Updated]; n > 0 {
		parts = append(parts, text.Plural(n, "update", "updates"))
	}
	if sessions > 0 {
		parts = append(parts, "the tool runs of "+text.Plural(sessions, "session", "sessions"))
	}
	return strings.Join(parts, " and ")
}

// printImport prints what became of each item. It fails if something was refused.
func printImport(c *cli.Context, std command.Streams, im *Import) error {
	if err := command.PrintParts(c, std, im, importTable(std)); err != nil {
		return err
	}
	return refusedItems(im)
}

func importTable(std command.Streams) func(console.Screen, *Import) error {
	return func(s console.Screen, im *Import) error { return printImportTable(std, s, im, 0) }
}

func refusedItems(im *Import) error {
	if im.Counts[Refused]+im.Counts[Conflict]+im.Counts[Missing] > 0 {
		return console.ErrFindings
	}
	return nil
}

// shortRows is how many rows of each state a person sees before a question.
const shortRows = 8

// printImportTable writes what becomes of each item of a source, by state, then the counts. Of each
// state it has at most that many rows, all if most is 0.
func printImportTable(std command.Streams, s console.Screen, im *Import, most int) error {
	var items []*Item
	var more []string
	for _, state := range States {
		rows := slices.DeleteFunc(slices.Clone(im.Items), func(i *Item) bool { return i.State != state })
		if hidden := len(rows) - most; most > 0 && hidden > 0 {
			rows, more = rows[:most], append(more, fmt.Sprintf("%d more %s", hidden, state))
		}
		items = append(items, rows...)
	}
	if len(items) > 0 {
		if err := std.Say(s, "import items", items); err != nil {
			return err
		}
	}
	for _, line := range more {
		fmt.Fprintln(s, line)
	}
	return std.Say(s, "import counts", im)
}

func importTitle(item *Item) string {
	if item.Title == "" {
		return text.OneLine(item.Text, 200)
	}
	return item.Title
}

// importPlace is where a person looks: at the memory that there is, else at the source.
func importPlace(item *Item) string {
	switch item.State {
	case Same, Changed, Similar, Updated, Conflict, Missing:
		return item.Path
	}
	file, _, _ := strings.Cut(item.Origin, "#")
	return importOrigin(item, file)
}

// importReason says why an item is not new, or which memory a new one may be about.
func importReason(item *Item) string {
	if item.Near != "" && item.State == New {
		return "compare " + item.Near
	}
	return item.Reason
}

func importFrom(item *Item) string {
	origin := importOrigin(item, item.Origin)
	if item.Path == "" || origin == "" {
		return item.Path + origin
	}
	return item.Path + " <- " + origin
}

func importOrigin(item *Item, origin string) string { return lineOf(origin, item.Line) }

// lineOf names a line of a file, all of it for 0.
func lineOf(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}
