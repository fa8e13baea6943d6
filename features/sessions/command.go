package sessions

import (
	"context"
	"embed"
	"errors"
	"os"
	"strconv"
	"strings"
	"text/template"
	"time"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "sessions", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command { return []*cli.Command{sessionsCommand(std)} },
		Words:    template.FuncMap{"shortSession": shortSession},
		Flags: map[string][]cli.Flag{
			"search": {&cli.BoolFlag{Name: "sessions", Usage: "search past sessions with coding agents",
				DisableDefaultText: true}},
			"explain": {&cli.BoolFlag{Name: "sessions", Usage: "explain a search of past sessions with coding agents",
				DisableDefaultText: true}},
		},
		Reaching: []command.FlagAccess{
			{Flag: "sessions", Of: "search",
				May: command.NoAgent(store.OtherProjects, command.ReadSessions).When("with --all", command.All)},
			{Flag: "all", Of: "sessions,sessions list,sessions show,sessions save,sessions forget",
				May: command.NoAgent(store.OtherProjects, command.ReadSessions)},
		},
		Searches: map[string]func(*cli.Context, command.Streams, string, retrieve.Filter) error{
			"sessions": searchSessions},
		Explains: map[string]func(*cli.Context, command.Streams, string) error{"sessions": explainSessions},
		AfterStart: func(ctx context.Context, std command.Streams, root files.Root) {
			_ = Note(ctx, Scope{Folder: root.Project, UserModel: std.UserModel()}) // no one waits for it
		},
		OpenSessions:  openForAgents,
		AfterReindex:  remakeSessionVectors,
		CountSessions: Count,
	}
}

func remakeSessionVectors(c *cli.Context, std command.Streams, root files.Root) (int, error) {
	if store.At(root, command.StoreOptions(std)).Model() == nil {
		return 0, nil
	}
	l, err := Open(c.Context, Scope{Folder: root.Project, UserModel: std.UserModel()},
		console.Progress(std.Err, "reading sessions"))
	if errors.Is(err, ErrOff) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.MakeVectors(c.Context, console.Progress(std.Err, "making vectors of sessions"))
}

func sessionsCommand(std command.Streams) *cli.Command {
	limit := command.NumberFlag("limit", 20, 1, command.MaxLimit, "at most `N`", "n")
	return command.Group(command.NewCommand(std, "sessions", command.PastHere, runSessions, limit),
		command.NewCommand(std, "sessions list", command.PastHere, runSessions, limit),
		command.NewCommand(std, "sessions show", command.PastHere, runSessionsShow,
			&cli.IntFlag{Name: "around", Usage: "only turn `TURN` and three on each side",
				Action: command.Between("around", 1, Everything)}),
		command.NewCommand(std, "sessions save", command.PastHere, runSessionsSave,
			command.ChoiceFlag("category", "", "the memory is of category `C`: "+command.CategoryNames(),
				schemas.CategoryNames())),
		command.NewCommand(std, "sessions forget",
			command.APerson(store.ThisProject, "forget sessions", forgetQuestion), runSessionsForget))
}

// openSessions opens the past sessions of the project that the command line or the working folder
// names, or of all. Agents get those of the project that their own session is of.
func openSessions(c *cli.Context, std command.Streams) (*Library, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	scope := Scope{Folder: folder, All: c.Bool("all"), UserModel: std.UserModel()}
	if p := command.Places(c); p.Named() {
		root, err := command.FindRoot(c)
		if err != nil {
			return nil, err
		}
		scope.Folder = root.Project
	}
	progress := console.Progress(std.Err, "reading sessions")
	l, err := console.Interruptible(c.Context, func() (*Library, error) {
		return Open(c.Context, scope, progress)
	})
	if err != nil {
		return nil, err
	}
	if l.Stale != nil {
		console.Warning(std.Err, "what was said last may be missing: %s", text.Printable(l.Stale.Error()))
	}
	if l.ByWords != nil {
		console.Warning(std.Err, "sessions are found by words alone: %v", l.ByWords)
	}
	// An agent's working folder may have changed since its session began.
	if err := l.Admit(c.Context, clients.AgentSessions()); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// withSessions runs fn on the past sessions.
func withSessions[T any](c *cli.Context, std command.Streams, fn func(*Library) (T, error)) (result T, err error) {
	l, err := openSessions(c, std)
	if err != nil {
		return result, err
	}
	defer l.Close()
	return fn(l)
}

const noSessions = "no session: memctl reads those that clients keep in their own folders (memctl sessions --help)"

func runSessions(c *cli.Context, std command.Streams) error {
	return command.Listed[Session](c, std, "sessions", noSessions)(withSessions(c, std,
		func(l *Library) ([]Session, error) {
			return l.List(c.Context, time.Time{}, c.Int("limit"))
		}))
}

// shortSession is enough of an id for people.
func shortSession(id string) string { return text.Printable(text.Truncate(id, 13)) }

func searchSessions(c *cli.Context, std command.Streams, words string, _ retrieve.Filter) error {
	err := command.Excludes(c, "sessions", "hub", "smart", "batch", "strategy", "status", "include-retired",
		"category", "tag")
	if err != nil {
		return err
	}
	return command.Listed[Match](c, std, "found sessions", "no session matches")(withSessions(c, std,
		func(l *Library) ([]Match, error) {
			return l.Search(c.Context, words, c.Int("limit"))
		}))
}

func explainSessions(c *cli.Context, std command.Streams, words string) error {
	return command.PagedFor(c, std, "sessions explained")(withSessions(c, std, func(l *Library) (Explanation, error) {
		return l.Explain(c.Context, words, 10)
	}))
}

func runSessionsShow(c *cli.Context, std command.Streams) error {
	const sides = 3
	from, to := 0, 0
	if at := c.Int("around"); at > 0 {
		from, to = at-sides, at+sides
	}
	return command.PagedFor(c, std, "conversation")(withSessions(c, std, func(l *Library) (Conversation, error) {
		return l.Conversation(c.Context, c.Args().First(), from, to)
	}))
}

func runSessionsSave(c *cli.Context, std command.Streams) error {
	turn, err := strconv.Atoi(c.Args().Get(1))
	if err != nil || turn < 1 {
		return console.Usagef("TURN: expected a number from 1 on, got %q", c.Args().Get(1))
	}
	d, err := withSessions(c, std, func(l *Library) (Draft, error) {
		return l.Draft(c.Context, c.Args().First(), turn, "", "")
	})
	if err != nil {
		return err
	}
	s, w, err := command.NewWriter(c, std)
	if err != nil {
		return err
	}
	added, err := s.Add(c.Context, command.Anyway(c), store.Note{Text: d.Text,
		Category: schemas.Category(c.String("category")), Given: &d.Fields})
	if errors.Is(err, writer.ErrNoText) {
		return console.Usagef("the turn has no text")
	}
	if err != nil {
		return err
	}
	return command.ShowAdded(c, std, s, w, added)
}

type forgottenSessions struct {
	Status   string    `json:"status"` // forgotten, or would_forget
	Sessions []Session `json:"sessions"`
}

func runSessionsForget(c *cli.Context, std command.Streams) error {
	var before time.Time
	if age := c.String("older-than"); age != "" {
		var ok bool
		if before, ok = schemas.ParseSince(age, time.Now()); !ok {
			return console.Usagef("--older-than: expected a date or an age such as 90d, got %q", age)
		}
	}
	if before.IsZero() == !c.Args().Present() {
		return console.Usagef("sessions forget takes an ID or --older-than")
	}
	forgotten, err := withSessions(c, std, func(l *Library) (forgotten forgottenSessions, err error) {
		if !before.IsZero() {
			forgotten.Sessions, err = l.List(c.Context, before, Everything)
		}
		for _, id := range c.Args().Slice() {
			s, err := l.WithID(c.Context, id)
			if err != nil {
				return forgotten, err
			}
			forgotten.Sessions = append(forgotten.Sessions, s)
		}
		if forgotten.Status = "would_forget"; err == nil && !c.Bool("dry-run") && len(forgotten.Sessions) > 0 {
			forgotten.Status, err = "forgotten", l.Forget(c.Context, forgotten.Sessions)
		}
		return forgotten, err
	})
	if err != nil {
		return err
	}
	forgotten.Sessions = command.NotNil(forgotten.Sessions)
	command.NoteNone(c, std, len(forgotten.Sessions), "no session is that old")
	return command.PrintResult(c, std, forgotten, "sessions forgotten")
}

func forgetQuestion(c *cli.Context, _ command.Streams) string {
	what := "sessions that ended before " + c.String("older-than")
	switch ids := c.Args().Slice(); {
	case c.Bool("dry-run") || c.IsSet("older-than") == (len(ids) > 0):
		return ""
	case len(ids) > 0:
		what = strings.Join(ids, ", ")
	}
	return "memctl removes these from its database of sessions for good: " + what + ". Allow it?"
}
