package exchange

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/privacy"
	"memctl/text"

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

// collected is what import SOURCE did.
type collected struct {
	WorkAdded
	Source  string         `json:"source"`
	DryRun  bool           `json:"dry_run"`
	Privacy privacy.Report `json:"privacy"`
	Refused []*Item        `json:"refused"`
	Items   []WorkItem     `json:"items,omitempty"` // of a dry run
}

// runCollect adds the prose of a source to the work list.
func runCollect(c *cli.Context, std command.Streams) error {
	w, err := command.ExistingWriter(c, std)
	if err != nil {
		return err
	}
	p, err := readProse(c.Context, w, c.Args().First(), c.Bool("loaded"))
	if err != nil {
		return err
	}
	done := collected{Source: c.Args().First(), DryRun: c.Bool("dry-run"), Privacy: p.privacy,
		Refused: command.NotNil(p.refused)}
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

// nextItems are the items of a turn.
type nextItems struct {
	Waiting int         `json:"waiting"` // with these
	Items   []*WorkItem `json:"items"`
}

func runNext(c *cli.Context, std command.Streams) error {
	n := maxNext
	if c.NArg() > 0 {
		var err error
		if n, err = strconv.Atoi(c.Args().First()); err != nil || n < 1 || n > maxNext || c.NArg() > 1 {
			return console.Usagef("--next: expected a number from 1 to %d, got %q", maxNext, c.Args().First())
		}
	}
	_, list, err := findWorklist(c)
	if err != nil {
		return err
	}
	return command.PrintResult(c, std, nextItems{list.count(Waiting), command.NotNil(list.Next(n))}, "work next")
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
	var numbers []int
	for _, arg := range c.Args().Slice() {
		n, err := strconv.Atoi(arg)
		if err != nil {
			return console.Usagef("--done: expected the number of an item, got %q", text.Brief(arg))
		}
		numbers = append(numbers, n)
	}
	left, err := SettleItems(c.Context, root, numbers, c.String("reason"))
	if err != nil {
		return err
	}
	return command.PrintResult(c, std, struct {
		Done    int `json:"done"`
		Waiting int `json:"waiting"`
	}{len(numbers), left}, "work done")
}

// SettleItems settles items of the work list of a root that are no memories, all or none. It returns how many wait.
func SettleItems(ctx context.Context, root files.Root, numbers []int, reason string) (left int, err error) {
	err = changeWorklist(ctx, root, func(list *Worklist) error {
		for _, n := range numbers {
			item, err := list.Item(n)
			if err != nil {
				return console.Misused("memctl import --list shows the items", "%v; nothing was changed", err)
			}
			if len(item.Memories) == 0 { // what was saved stays so
				item.State, item.Reason = Done, text.OneLine(text.Printable(reason), 300)
			}
		}
		left = list.count(Waiting)
		return nil
	})
	return left, err
}

func runWorkList(c *cli.Context, std command.Streams) error {
	if c.NArg() > 0 {
		return console.Usagef("--list takes no arguments")
	}
	_, list, err := findWorklist(c)
	if err != nil {
		return err
	}
	list.Items = command.NotNil(list.Items)
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

func workPlace(item *WorkItem) string { return fmt.Sprintf("%s:%d", item.File, item.Line) }
