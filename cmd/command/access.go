package command

import (
	"os"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/store"

	"github.com/urfave/cli/v2"
)

// Access says who may run a command or give a flag.
type Access struct {
	store.Access
	When condition
	// asks returns what a person is asked before, naming all that is allowed; "" for nothing, because there is
	// nothing to allow or the command is going to fail.
	asks func(*cli.Context, Streams) string
}

// condition chooses the runs of a command that a rule is about; without words, all of them.
type condition struct {
	Words string
	holds func(*cli.Context) bool
}

// May says who may run a command: the rule for all of its runs, then the rules for some.
type May []Access

func Anyone(touches string) May {
	return May{{Access: store.Access{Who: store.Anyone, Touches: touches}}}
}

func NoAgent(touches, does string) May {
	return May{{Access: store.Access{Who: store.NotAgents, Touches: touches, Does: does}}}
}

func APerson(touches, does string, asks func(*cli.Context, Streams) string) May {
	return May{{Access: store.Access{Who: store.APerson, Touches: touches, Does: does}, asks: asks}}
}

// And adds rules.
func (m May) And(more ...May) May { return slices.Concat(append([]May{m}, more...)...) }

// When restricts the last rule to some runs.
func (m May) When(words string, holds func(*cli.Context) bool) May {
	m = slices.Clone(m)
	m[len(m)-1].When = condition{words, holds}
	return m
}

// FlagAccess is who may give a flag.
type FlagAccess struct {
	Flag string
	Of   string // names of commands, with commas between them; "" for all that have the flag
	May
}

// Reaching are the flags that reach beyond the project. A test names all others. Where a flag stands twice for a
// command, both rules count.
func (std Streams) Reaching() (list []FlagAccess) {
	for _, f := range std.Features {
		list = append(list, f.Reaching...)
	}
	return list
}

// What agents may not.
const (
	ReadSessions = "read the sessions of other projects"
	ReadOutside  = "read files outside of the project"
)

// Declared, unless it is nil, is told who may run each command, for tests.
var Declared func(name string, rules May)

// Guarded is an action that only those can run who may.
func Guarded(std Streams, name string, rules May, run action) cli.ActionFunc {
	if Declared != nil {
		Declared(name, rules)
	}
	return func(c *cli.Context) error {
		if err := permit(c, std, name, rules); err != nil {
			return err
		}
		return run(c, std)
	}
}

// permit is the one place that refuses. It asks the table about a command and the flags that are given.
func permit(c *cli.Context, std Streams, name string, rules May) error {
	agent := clients.InAgentShell()
	for _, f := range std.Reaching() {
		if (f.Of == "" || slices.Contains(strings.Split(f.Of, ","), name)) && isGiven(c, f.Flag) {
			rules = rules.And(f.May)
		}
	}
	for _, a := range rules {
		if a.Who == store.Anyone || a.Who == store.NotAgents && !agent || a.When.holds != nil && !a.When.holds(c) {
			continue
		}
		if agent {
			if err := a.RefuseAgent(); err != nil {
				return err
			}
		} else if question := a.asks(c, std); question != "" {
			refusal := console.Refused("answer yes to allow it", "not allowed: nothing was changed")
			if err := AskPerson(c.Context, std, question, refusal); err != nil {
				return err
			}
		}
	}
	return nil
}

// isGiven reports whether a flag stands before or after the command.
func isGiven(c *cli.Context, flag string) bool {
	return slices.ContainsFunc(c.Lineage(), func(level *cli.Context) bool { return level.IsSet(flag) })
}

func All(c *cli.Context) bool { return isGiven(c, "all") }
func isOutside(path string) bool {
	return path != "" && path != "-" && files.PlacesFromEnv("", "").Outside(path)
}

// sessionsElsewhere reports whether a command is about the past sessions of another project.
func sessionsElsewhere(c *cli.Context) bool {
	isSearch := c.Command.Name == "search" || c.Command.Name == "explain"
	if isSearch && !c.Bool("sessions") || !Places(c).Named() {
		return false
	}
	folder, err := os.Getwd()
	root, findErr := FindRoot(c)
	return err == nil && findErr == nil && store.ProjectOf(root.Project) != store.ProjectOf(folder)
}

// FlagOutside reports whether a flag names a file outside of the project.
func FlagOutside(flag string) func(*cli.Context) bool {
	return func(c *cli.Context) bool { return isOutside(c.String(flag)) }
}

// ArgumentsOutside reports whether an argument, from one on, names a file outside of the project.
func ArgumentsOutside(from int) func(*cli.Context) bool {
	return func(c *cli.Context) bool {
		args := c.Args().Slice()
		return slices.ContainsFunc(args[min(from, len(args)):], isOutside)
	}
}

// What several commands declare.
var (
	InProject = Anyone(store.ThisProject)
	OnlyTells = Anyone("nothing")
	Outside   = NoAgent(store.FilesOutside, ReadOutside)
	PastHere  = InProject.And(
		NoAgent(store.OtherProjects, ReadSessions).When("past ones of another project", sessionsElsewhere))
	FileHere = InProject.And(Outside.When("a file outside", ArgumentsOutside(0)))
)

// Terminal opens the terminal of the person. Tests put their answers there.
var Terminal = console.OpenTerminal
