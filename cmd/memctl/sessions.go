package main

import (
	"errors"
	"os"
	"strconv"
	"time"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/features/sessions"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func sessionsCommand(std streams) *cli.Command {
	limit := numberFlag("limit", 20, 1, maxLimit, "at most `N`", "n")
	return group(newCommand(std, "sessions", pastHere, runSessions, limit),
		newCommand(std, "sessions list", pastHere, runSessions, limit),
		newCommand(std, "sessions show", pastHere, runSessionsShow,
			&cli.IntFlag{Name: "around", Usage: "only turn `TURN` and three on each side", Action: between("around", 1,
				sessions.Everything)}),
		newCommand(std, "sessions save", pastHere, runSessionsSave,
			choiceFlag("category", "", "the memory is of category `C`: "+categoryNames(), schemas.CategoryNames())),
		newCommand(std, "sessions forget", aPerson(store.ThisProject, "forget sessions", forgetQuestion),
			runSessionsForget))
}

// openSessions opens the past sessions of the project that the command line or the working folder
// names, or of all. Agents get those of the project that their own session is of.
func openSessions(c *cli.Context, std streams) (*sessions.Library, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	scope := sessions.Scope{Folder: folder, All: c.Bool("all")}
	if p := places(c); p.Named() {
		root, err := findRoot(c)
		if err != nil {
			return nil, err
		}
		scope.Folder = root.Project
	}
	progress := console.Progress(std.Err, "reading sessions")
	l, err := console.Interruptible(c.Context, func() (*sessions.Library, error) {
		return sessions.Open(c.Context, scope, progress)
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
func withSessions[T any](c *cli.Context, std streams, fn func(*sessions.Library) (T, error)) (result T, err error) {
	l, err := openSessions(c, std)
	if err != nil {
		return result, err
	}
	defer l.Close()
	return fn(l)
}

const noSessions = "no session: memctl reads those that clients keep in their own folders (memctl sessions --help)"

func runSessions(c *cli.Context, std streams) error {
	return listed[sessions.Session](c, std, "sessions", noSessions)(withSessions(c, std,
		func(l *sessions.Library) ([]sessions.Session, error) {
			return l.List(c.Context, time.Time{}, c.Int("limit"))
		}))
}

// shortSession is enough of an id for people.
func shortSession(id string) string { return text.Printable(text.Truncate(id, 13)) }

func searchSessions(c *cli.Context, std streams, words string) error {
	err := excludes(c, "sessions", "hub", "smart", "batch", "strategy", "status", "include-retired", "category", "tag")
	if err != nil {
		return err
	}
	return listed[sessions.Found](c, std, "found sessions", "no session matches")(withSessions(c, std,
		func(l *sessions.Library) ([]sessions.Found, error) {
			return l.Search(c.Context, words, c.Int("limit"))
		}))
}

func explainSessions(c *cli.Context, std streams, words string) error {
	return pagedFor(c, std, "sessions explained")(withSessions(c, std, func(l *sessions.Library) (sessions.Explanation,
		error) {
		return l.Explain(c.Context, words, 10)
	}))
}

func runSessionsShow(c *cli.Context, std streams) error {
	const sides = 3
	from, to := 0, 0
	if at := c.Int("around"); at > 0 {
		from, to = at-sides, at+sides
	}
	return pagedFor(c, std, "conversation")(withSessions(c, std, func(l *sessions.Library) (sessions.Conversation,
		error) {
		return l.Conversation(c.Context, c.Args().First(), from, to)
	}))
}

func runSessionsSave(c *cli.Context, std streams) error {
	turn, err := strconv.Atoi(c.Args().Get(1))
	if err != nil || turn < 1 {
		return console.Usagef("TURN: expected a number from 1 on, got %q", c.Args().Get(1))
	}
	d, err := withSessions(c, std, func(l *sessions.Library) (sessions.Draft, error) {
		return l.Draft(c.Context, c.Args().First(), turn)
	})
	if err != nil {
		return err
	}
	s, w, err := newWriter(c, std)
	if err != nil {
		return err
	}
	return addition{category: schemas.Category(c.String("category")), text: d.Text, given: &d.Given}.saveAndShow(c, std,
		s, w)
}

type forgottenSessions struct {
	Status   string             `json:"status"` // forgotten, or would_forget
	Sessions []sessions.Session `json:"sessions"`
}

func runSessionsForget(c *cli.Context, std streams) error {
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
	done, err := withSessions(c, std, func(l *sessions.Library) (done forgottenSessions, err error) {
		if !before.IsZero() {
			done.Sessions, err = l.List(c.Context, before, sessions.Everything)
		}
		for _, id := range c.Args().Slice() {
			s, err := l.Named(c.Context, id)
			if err != nil {
				return done, err
			}
			done.Sessions = append(done.Sessions, s)
		}
		if done.Status = "would_forget"; err == nil && !c.Bool("dry-run") && len(done.Sessions) > 0 {
			done.Status, err = "forgotten", l.Forget(c.Context, done.Sessions)
		}
		return done, err
	})
	if err != nil {
		return err
	}
	done.Sessions = notNil(done.Sessions)
	noteNone(c, std, len(done.Sessions), "no session is that old")
	return printResult(c, std, done, "sessions forgotten")
}
