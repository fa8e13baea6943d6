package proposals

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "proposals", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command {
			return []*cli.Command{command.NewCommand(std, "proposals", command.InProject.And(
				command.NoAgent(store.ThisProject, "take or drop proposals").When("unless it only lists",
					answers)), runProposals)}
		},
		Words:         template.FuncMap{"proposedValue": valueOf},
		Propose:       Keep,
		ProposalsWait: Wait,
	}
}

func answers(c *cli.Context) bool { return c.Bool("take") || c.Bool("drop") }

// valueOf is a value of a memory as a person reads it.
func valueOf(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = valueOf(v[i])
		}
		return strings.Join(parts, "\n")
	}
	data, _ := schemas.EncodeJSON(value) // it was decoded from JSON
	return string(data)
}

// run is a run of the command.
type run struct {
	*cli.Context
	std  command.Streams
	root files.Root
	list *List
}

func runProposals(c *cli.Context, std command.Streams) error {
	root, err := command.FindRoot(c)
	if err != nil {
		return err
	}
	r := run{Context: c, std: std, root: root}
	if r.list, err = Read(root); err != nil {
		return err
	}
	switch {
	case c.Bool("take") && c.Bool("drop"):
		return console.Usagef("--take and --drop contradict each other")
	case c.IsSet("reason") && !c.Bool("drop"):
		return console.Usagef("--reason works only with --drop")
	case answers(c) && c.NArg() == 0:
		return console.Misused("memctl proposals --list lists them", "name the proposals, or all")
	case c.Bool("take"):
		return r.take()
	case c.Bool("drop"):
		return r.drop()
	case c.NArg() > 0:
		return r.show()
	case c.Bool("list") || c.Bool("json") || !command.CanAsk(std) || clients.InAgentShell():
		return command.Listed[*Proposal](c, std, "proposals", noProposals)(r.list.Waiting, nil)
	}
	return r.walk()
}

const noProposals = "no proposal waits"

// named returns the proposals that the arguments name.
func (r run) named() (list []*Proposal, err error) {
	if r.NArg() == 1 && r.Args().First() == "all" {
		return slices.Clone(r.list.Waiting), nil
	}
	for _, arg := range r.Args().Slice() {
		n, err := strconv.Atoi(arg)
		if err != nil {
			return nil, console.Usagef("expected the number of a proposal, got %q", text.Brief(arg))
		}
		p, err := r.list.Find(n)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list, nil
}

func (r run) show() error {
	list, err := r.named()
	if err != nil {
		return err
	}
	return command.PrintParts(r.Context, r.std, command.NotNil(list), func(s console.Screen, list []*Proposal) error {
		return command.EachApart(s, list, func(p *Proposal) error { return r.print(s, p) })
	})
}

// print prints all of a proposal.
func (r run) print(s console.Screen, p *Proposal) error {
	if err := r.std.Say(s, "proposal", p); err != nil {
		return err
	}
	switch p.Action {
	case "created":
		return r.std.PrintMemory(s, r.root.ShownPath(p.Path), p.Decoded(), p.Memory, "", true)
	case "updated":
		changes, err := p.Differences(r.root)
		if err != nil {
			_, err = fmt.Fprintf(s, "  the memory cannot be compared: %s\n", text.Printable(err.Error()))
			return err
		}
		return r.std.Say(s, "proposal changes", changes)
	}
	return nil
}

// answered is the end of a proposal.
type answered struct {
	Number int    `json:"number"`
	Status string `json:"status"` // taken, dropped or waits
	Target string `json:"target,omitempty"`
	Error  string `json:"error,omitempty"`
}

func (r run) take() error {
	list, err := r.named()
	if err != nil {
		return err
	}
	st := store.At(r.root, command.StoreOptions(r.std))
	done, failed := []answered{}, false
	for _, p := range list {
		a := r.takeOne(st, p, nil)
		if r.Context.Context.Err() != nil {
			return r.Context.Context.Err()
		}
		done, failed = append(done, a), failed || a.Error != ""
	}
	return command.PrintFindings(r.Context, r.std, done, "proposals answered", failed)
}

// takeOne takes a proposal, or says why it was not taken.
func (r run) takeOne(st *store.Store, p *Proposal, edited []byte) answered {
	policy := store.Refuse
	if r.Bool("anyway") {
		policy = store.Anyway
	}
	saved, err := Take(r.Context.Context, st, r.root, p.Number, policy, edited)
	if err != nil {
		return answered{p.Number, "waits", r.root.ShownPath(p.Path), err.Error() + hintOf(err)}
	}
	return answered{p.Number, "taken", saved.Target, ""}
}

func hintOf(err error) string {
	if errors.As(err, new(*store.DuplicateError)) {
		return "; --anyway takes it as a second memory"
	}
	return ""
}

func (r run) drop() error {
	list, err := r.named()
	if err != nil {
		return err
	}
	done, numbers := []answered{}, []int{}
	for _, p := range list {
		numbers = append(numbers, p.Number)
		done = append(done, answered{p.Number, "dropped", "", ""})
	}
	if err := Drop(r.Context.Context, r.root, numbers, r.String("reason")); err != nil {
		return err
	}
	return command.PrintResult(r.Context, r.std, done, "proposals answered")
}
