package exchange

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/privacy"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// worklistRun returns what import does with the work list, nil if it was asked for something else.
func worklistRun(c *cli.Context) (func(*cli.Context, command.Streams) error, error) {
	modes := map[string]func(*cli.Context, command.Streams) error{"next": runNext, "done": runDone, "list": runWorkList}
	given := slices.DeleteFunc([]string{"next", "done", "list", "update"}, func(flag string) bool {
		return !c.Bool(flag)
	})
	switch {
	case len(given) > 1:
		return nil, console.Usagef("--%s and --%s contradict each other", given[0], given[1])
	case c.IsSet("reason") && !c.Bool("done"):
		return nil, console.Usagef("--reason works only with --done")
	case len(given) == 1:
		return modes[given[0]], nil
	case c.Bool("sessions") && c.NArg() > 0:
		return nil, console.Usagef("--sessions takes no source: it finds the sessions of the project")
	case c.Bool("sessions"):
		return runCollect, nil
	case c.NArg() != 1:
		return nil, nil
	}
	if _, isFormat := FormatNamed(c.Args().First()); isFormat {
		return nil, nil
	}
	if _, err := gate.Stat(c.Args().First()); err != nil {
		return nil, nil
	}
	return runCollect, nil
}

// collected is the result of import SOURCE.
type collected struct {
	WorkAdded
	Source   string         `json:"source"`
	Format   string         `json:"format,omitempty"`         // of another tool
	Sorted   int            `json:"sorted,omitempty"`         // entries that name a category, which the format takes
	Older    int            `json:"older_sessions,omitempty"` // that were not read, because newer ones fill the list
	DryRun   bool           `json:"dry_run"`
	Privacy  privacy.Report `json:"privacy"`
	Redacted []string       `json:"redacted_files,omitempty"`
	Refused  []*Item        `json:"refused"`
	Items    []WorkItem     `json:"items,omitempty"` // of a dry run
}

// runCollect adds the prose of a source to the work list.
func runCollect(c *cli.Context, std command.Streams) error {
	w, err := command.ExistingWriter(c, std)
	if err != nil {
		return err
	}
	p, err := readCollected(c, std, w)
	if err != nil {
		return err
	}
	done := collected{Source: c.Args().First(), Format: p.format, Sorted: p.sorted, Older: p.older,
		DryRun: c.Bool("dry-run"), Privacy: p.privacy,
		Redacted: p.redacted, Refused: command.NotNil(p.refused)}
	add := func(list *Worklist) (err error) {
		done.WorkAdded, err = list.Add(p.files, p.items, func(hash string) bool { return p.saved[hash] != "" })
		return err
	}
	if done.DryRun {
		var list *Worklist
		if list, err = ReadWorklist(w.Root); err == nil {
			done.Items, err = p.items, add(list)
		}
	} else {
		err = changeWorklist(c.Context, w.Root, add)
	}
	if err == nil {
		err = command.PrintResult(c, std, done, "work added")
	}
	if err == nil && len(p.refused) > 0 {
		return console.ErrFindings
	}
	return err
}

// readCollected reads what a person names, or the sessions of the project.
func readCollected(c *cli.Context, std command.Streams, w *writer.Writer) (proseSource, error) {
	list, err := ReadWorklist(w.Root)
	if err != nil {
		return proseSource{}, err
	}
	if !c.Bool("sessions") {
		return readWork(c.Context, w, c.Args().First(), c.Bool("loaded"), list)
	}
	sessions, err := projectSessions(w)
	switch {
	case len(sessions) > 0 && err != nil:
		console.Note(std.Err, "%v", err)
	case len(sessions) == 0:
		return proseSource{}, cmp.Or(err, noSessions())
	}
	return readSessions(c.Context, w, sessions, list)
}

// nextItems are the items of a turn.
type nextItems struct {
	Waiting int         `json:"waiting"` // with these
	Items   []*WorkItem `json:"items"`
}

func runNext(c *cli.Context, std command.Streams) error {
	n := maxNext
	args := c.Args().Slice()
	if len(args) > 0 {
		if number, err := strconv.Atoi(args[0]); err == nil {
			n, args = number, args[1:]
		}
	}
	if n < 1 || n > maxNext || len(args) > 1 {
		return console.Usagef("--next: expected a number from 1 to %d, and a file or folder", maxNext)
	}
	_, list, err := findWorklist(c)
	if err != nil {
		return err
	}
	place := strings.Join(args, "")
	waiting := list.count(func(item *WorkItem) bool { return item.State == Waiting && item.isBelow(place) })
	return command.PrintResult(c, std, nextItems{waiting, command.NotNil(list.Next(n, place))}, "work next")
}

func findWorklist(c *cli.Context) (files.Root, *Worklist, error) {
	root, err := command.FindRoot(c)
	if err != nil {
		return root, nil, err
	}
	list, err := ReadWorklist(root)
	return root, list, err
}

func runDone(c *cli.Context, std command.Streams) error {
	root, err := command.FindRoot(c)
	if err != nil {
		return err
	}
	if c.NArg() == 0 {
		return console.Misused("memctl import --done 3 4 --reason \"describes the code\"", "--done needs items")
	}
	done, left, err := SettleItems(c.Context, root, c.Args().Slice(), c.String("reason"))
	if err != nil {
		return err
	}
	return command.PrintResult(c, std, struct {
		Done    int `json:"done"`
		Waiting int `json:"waiting"`
	}{done, left}, "work done")
}

// SettleItems settles items of the work list of a root that are no memories, all or none: those that waited are done.
// It returns how many were named, and how many wait then.
func SettleItems(ctx context.Context, root files.Root, names []string, reason string) (done, left int, err error) {
	err = changeWorklist(ctx, root, func(list *Worklist) error {
		for _, name := range names {
			items, err := list.named(name)
			if err != nil {
				return console.Misused("memctl import --list shows the items", "%v; nothing was changed", err)
			}
			for _, item := range items {
				if len(item.Memories) == 0 { // what was saved stays so
					item.settle(Done, text.OneLine(text.Printable(reason), 300))
				}
			}
			done += len(items)
		}
		left = list.count(isWaiting)
		return nil
	})
	return done, left, err
}

func runWorkList(c *cli.Context, std command.Streams) error {
	if c.NArg() > 1 {
		return console.Usagef("--list takes one file or folder")
	}
	_, list, err := findWorklist(c)
	if err != nil {
		return err
	}
	list.Items = slices.DeleteFunc(command.NotNil(list.Items), func(item *WorkItem) bool {
		return !item.isBelow(c.Args().First())
	})
	return command.PrintParts(c, std, list, func(s console.Screen, list *Worklist) error {
		return std.Say(s, "work list", list.Items)
	})
}

// workResult says what an item became.
func workResult(item *WorkItem) string {
	if len(item.Memories) > 0 {
		return item.Memories[0] + text.AndMore(len(item.Memories)-1)
	}
	return item.Reason
}
