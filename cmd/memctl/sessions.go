package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/schemas"
	"memctl/sessions"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// sessionsFlag chooses past sessions instead of memories.
func sessionsFlag(does string) cli.Flag {
	return &cli.BoolFlag{Name: "sessions", Usage: does + " past sessions with coding agents"}
}

func sessionsCommand(std streams) *cli.Command {
	all := &cli.BoolFlag{Name: "all", Usage: "those of all of your projects"}
	list := []cli.Flag{rootFlag(), jsonFlag(), colorFlag(), all, numberFlag("limit", 20, 1, maxLimit, "at most `N`", "n")}
	return group(newCommand(std, "sessions", runSessions, list...),
		newCommand(std, "sessions list", runSessions, list...),
		newCommand(std, "sessions show", runSessionsShow, rootFlag(), jsonFlag(), colorFlag(), all,
			&cli.IntFlag{Name: "around", Usage: "only turn `TURN` and three on each side", Action: between("around", 1, sessions.Everything)}),
		newCommand(std, "sessions save", runSessionsSave, rootFlag(), jsonFlag(), anywayFlag(), all,
			choiceFlag("category", "", "the memory is of category `C`: "+categoryNames(), strings.Split(categoryNames(), ", "))),
		newCommand(std, "sessions forget", runSessionsForget, rootFlag(), jsonFlag(), all, dryRunFlag(),
			&cli.StringFlag{Name: "older-than", Usage: "those that ended before `AGE`: a date, or an age such as 90d"}))
}

// openSessions opens the past sessions of the project that the command line or the working folder
// names, or of all. Agents get those of the project that they are in.
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
	if clients.InAgentShell() && (scope.All || store.ProjectOf(scope.Folder) != store.ProjectOf(folder)) {
		return nil, console.Refused("run it in a shell of your own", "agents may not read the sessions of other projects")
	}
	progress := console.Progress(std.Err, "reading sessions")
	l, err := console.Interruptible(c.Context, func() (*sessions.Library, error) {
		return sessions.Open(c.Context, scope, progress)
	})
	if err == nil && l.Stale != nil {
		console.Warning(std.Err, "what was said last may be missing: %s", text.Printable(l.Stale.Error()))
	}
	return l, err
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
	list, err := withSessions(c, std, func(l *sessions.Library) ([]sessions.Session, error) {
		return l.List(c.Context, time.Time{}, c.Int("limit"))
	})
	if err != nil {
		return err
	}
	noteNone(c, std, len(list), noSessions)
	return printPaged(c, std, notNil(list), printSessions)
}

// shortSession is enough of an id for people.
func shortSession(id string) string { return text.Printable(text.Truncate(id, 13)) }

func printSessions(s console.Screen, list []sessions.Session) {
	columns := []console.Column{{Head: "ENDED"}, {Head: "CLIENT", Optional: true}, {Head: "SESSION", Style: console.Cyan}, {Head: "TURNS"},
		{Head: "FILES", Cut: true, Optional: true}, {Head: "FIRST PROMPT", Cut: true}}
	if console.Tabulate(s, list, columns, func(e sessions.Session) []string {
		return []string{minute(e.Ended), e.Client, shortSession(e.ID), strconv.Itoa(e.Turns), text.Printable(strings.Join(e.Files, " ")),
			text.Printable(cmp.Or(e.FirstPrompt, e.Problem))}
	}) {
		return
	}
	for _, e := range list {
		fmt.Fprintf(s, "%s  %-11s %s  %s\n", minute(e.Ended), e.Client, text.Printable(e.ID), text.Plural(e.Turns, "turn", "turns"))
		printIndented(s, e.FirstPrompt)
		if len(e.Files) > 0 {
			printIndented(s, "files: "+strings.Join(e.Files, ", "))
		}
		if e.Problem != "" {
			printIndented(s, "problem: "+e.Problem+" ("+atHome(e.Path)+")")
		}
	}
}

func printIndented(out io.Writer, line string) {
	if line != "" {
		fmt.Fprintf(out, "%18s%s\n", "", text.Printable(line))
	}
}

// searchSessions prints the sessions in which some of the words were said.
func searchSessions(c *cli.Context, std streams, words string) error {
	for _, name := range []string{"hub", "smart", "batch", "strategy", "status", "include-retired", "category", "tag"} {
		if c.IsSet(name) {
			return console.Usagef("--sessions does not go with --%s", name)
		}
	}
	found, err := withSessions(c, std, func(l *sessions.Library) ([]sessions.Found, error) {
		return l.Search(c.Context, words, c.Int("limit"))
	})
	if err != nil {
		return err
	}
	noteNone(c, std, len(found), "no session matches")
	return printPaged(c, std, notNil(found), printFoundSessions)
}

func printFoundSessions(s console.Screen, list []sessions.Found) {
	for _, f := range list {
		fmt.Fprintf(s, "%s  %-11s %s  turn %d of %d\n", minute(f.Ended), f.Client, text.Printable(f.ID), f.Turn, f.Turns)
		printIndented(s, text.OneLine(f.Prompt, 200))
		if line := text.OneLine(f.Line, 200); !strings.HasPrefix(text.OneLine(f.Prompt, 200), line) {
			printIndented(s, "> "+line)
		}
	}
}

// explainSessions prints why a search of past sessions finds what it finds.
func explainSessions(c *cli.Context, std streams, words string) error {
	return pagedFor(c, std, printSessionExplanation)(withSessions(c, std, func(l *sessions.Library) (sessions.Explanation, error) {
		return l.Explain(c.Context, words, 10)
	}))
}

func printSessionExplanation(s console.Screen, e sessions.Explanation) {
	for _, p := range e.Parts {
		fmt.Fprintf(s, "%s words, times %g: %s\n", p.Name, p.Weight, text.Printable(strings.Join(p.Terms, ", ")))
	}
	for _, f := range e.Sessions {
		fmt.Fprintf(s, "%6.2f = %.2f of the best passage + %.2f / 2 of its best line  %s turn %d\n", f.Score, f.Points, f.LinePoints,
			text.Printable(f.ID), f.Turn)
		printIndented(s, text.OneLine(cmp.Or(f.Line, f.Prompt), 200))
	}
}

func runSessionsShow(c *cli.Context, std streams) error {
	if err := arguments(c, "ID"); err != nil {
		return err
	}
	const sides = 3
	from, to := 0, 0
	if at := c.Int("around"); at > 0 {
		from, to = at-sides, at+sides
	}
	return pagedFor(c, std, printConversation)(withSessions(c, std, func(l *sessions.Library) (sessions.Conversation, error) {
		return l.Conversation(c.Context, c.Args().First(), from, to)
	}))
}

func printConversation(s console.Screen, v sessions.Conversation) {
	fmt.Fprintf(s, "%s, session %s in %s, %s\n", v.Client, text.Printable(v.ID), text.Printable(atHome(v.Folder)), minute(v.Ended))
	for _, p := range v.Passages {
		s.Print(console.Bold, fmt.Sprintf("\nturn %d, %s\n", p.Turn, minute(p.Said)))
		fmt.Fprintln(s, text.Paragraph(p.Prompt))
		for _, part := range []struct{ title, said string }{{"agent", p.Answer}, {"tools", p.Tools}} {
			if part.said != "" {
				s.Print(console.Cyan, part.title+"\n")
				fmt.Fprintln(s, text.Paragraph(part.said))
			}
		}
	}
}

func runSessionsSave(c *cli.Context, std streams) error {
	if err := arguments(c, "ID", "TURN"); err != nil {
		return err
	}
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
	return addition{category: schemas.Category(c.String("category")), text: d.Text, given: &d.Given}.saveAndShow(c, std, s, w)
}

// forgottenSessions is the answer of sessions forget.
type forgottenSessions struct {
	Status   string             `json:"status"` // forgotten, or would_forget
	Sessions []sessions.Session `json:"sessions"`
}

func runSessionsForget(c *cli.Context, std streams) error {
	if clients.InAgentShell() {
		return console.Refused("run it in a shell of your own", "agents may not forget sessions: a person decides it")
	}
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
	return printResult(c, std, done, func(out io.Writer, d forgottenSessions) {
		for _, s := range d.Sessions {
			fmt.Fprintf(out, "%s %s, of %s: %s\n", strings.ReplaceAll(d.Status, "_", " "), text.Printable(s.ID), minute(s.Ended),
				text.Printable(s.FirstPrompt))
		}
	})
}
