package install

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/schemas"
	"memctl/store"

	"github.com/urfave/cli/v2"
)

const notesKey = "sources.notes"

var notesChoices = []string{schemas.ReadNotes, schemas.MoveNotes, schemas.LeaveNotes}

// notesPlan is the plan of install for the notes that Claude Code keeps on the project.
type notesPlan struct {
	choice string
	save   bool // in the user's settings
	open   bool // a person may be asked for the choice
	notes  files.Root
	st     *store.Store
	dryRun bool
}

type notesChange struct {
	Choice string `json:"choice"`
	Moved  int    `json:"moved"`
	Known  int    `json:"known,omitempty"` // that were memories already
	Left   string `json:"left,omitempty"`  // the folder in which the files stay
	Off    bool   `json:"off,omitempty"`   // the client's own memory is switched off
	DryRun bool   `json:"-"`
}

// planNotes returns what the flag says, the user's settings or, once and if it may ask, a person.
// It returns nil if nothing is installed for Claude Code.
func planNotes(c *cli.Context, std command.Streams, chosen []*clients.Client, ask bool) (*notesPlan, error) {
	flag := c.String("notes")
	if !slices.Contains(chosen, clients.Claude) {
		if flag != "" {
			return nil, console.Usagef("--notes is about the notes of Claude Code, which --client leaves out")
		}
		return nil, nil
	}
	if flag == schemas.MoveNotes && c.String("scope") == clients.UserScope {
		return nil, console.Misused("run it in the project, without --scope user", "--notes move is for the notes on "+
			"one project")
	}
	user, decided, err := userNotes()
	if err != nil {
		return nil, err
	}
	project, err := projectFolder(command.RootArg(c))
	if err != nil {
		return nil, err
	}
	p := &notesPlan{choice: cmp.Or(flag, user), save: flag != "" && (flag != user || !decided),
		st: command.ScopedStore(c, std, files.ProjectScope), dryRun: c.Bool("dry-run")}
	_, cfg, err := command.FindConfigured(c, std)
	if err != nil {
		cfg = schemas.DefaultConfig() // there is no root yet
	}
	if read := std.Notes(); read != nil {
		if p.notes, err = read(project, true, cfg); err != nil {
			return nil, err
		}
	}
	p.open = flag == "" && !decided && p.notes.Path != "" && !p.dryRun && ask
	if c.String("scope") == clients.UserScope && p.choice == schemas.MoveNotes {
		p.notes = files.Root{} // each project's own install moves its notes
	}
	return p, err
}

// userNotes returns the user's choice, and whether they have made it.
func userNotes() (choice string, decided bool, err error) {
	root, found, err := files.UserRoot()
	if err != nil || !found {
		return schemas.ReadNotes, false, err
	}
	data, err := root.ReadConfig()
	if err != nil {
		return "", false, fmt.Errorf("read %s/%s: %w", root.Shown, files.ConfigName, err)
	}
	var file struct {
		Sources struct{ Notes json.RawMessage }
	}
	cfg, _ := schemas.DecodeConfig(data)
	return cfg.Sources.Notes, json.Unmarshal(data, &file) == nil && file.Sources.Notes != nil, nil
}

// isOpen reports whether a person is to be asked for the choice.
func (p *notesPlan) isOpen() bool { return p != nil && p.open }

// ask asks for the choice, which then goes into the user's settings.
func (p *notesPlan) ask(c *cli.Context, std command.Streams) (err error) {
	p.save = true
	p.choice, err = askNotes(c, std, p.notes)
	return err
}

func askNotes(c *cli.Context, std command.Streams, notes files.Root) (string, error) {
	question := "Claude Code's agent keeps notes of its own on a project, here in " + notes.Shown + ".\n" +
		"  read:  prompts and searches find them there, marked as notes; memctl never writes them\n" +
		"  move:  make memories of them, and switch Claude Code's own memory off in this project\n" +
		"  leave: memctl does not read them\n" +
		"The answer is kept in your own settings (sources.notes).\nWhich? [READ/move/leave] "
	for {
		answer, err := command.NewDialog(c.Context, std).Line(question)
		if err != nil {
			return schemas.ReadNotes, cmp.Or(c.Context.Err(), command.ErrNothingSaved)
		}
		choice := cmp.Or(strings.ToLower(answer), schemas.ReadNotes)
		if slices.Contains(notesChoices, choice) {
			return choice, nil
		}
	}
}

// moves reports whether the client's own memory is to be switched off.
func (p *notesPlan) moves(scope string) bool {
	return p != nil && p.choice == schemas.MoveNotes && scope != clients.UserScope
}

func (p *notesPlan) apply(c *cli.Context, std command.Streams) (*notesChange, error) {
	done := &notesChange{Choice: p.choice, DryRun: p.dryRun}
	paths, err := p.movable(c.String("scope"))
	if err != nil {
		return nil, err
	}
	if p.save && !p.dryRun {
		if err := p.keep(c, std); err != nil {
			return nil, err
		}
	}
	if done.Off = p.moves(c.String("scope")); !done.Off || p.notes.Path == "" {
		return done, nil
	}
	done.Left = p.notes.Shown
	for _, path := range paths {
		if p.dryRun {
			done.Moved++
			continue
		}
		duplicate := new(store.DuplicateError)
		switch _, err := p.st.Adopt(c.Context, store.Refuse, p.notes, path); {
		case err == nil:
			done.Moved++
		case errors.As(err, &duplicate), errors.Is(err, store.ErrAdopted):
			done.Known++
		default:
			return nil, err
		}
	}
	return done, command.CompleteRoot(std, p.st)
}

// movable returns the notes to move. Not even one may be left, since the client is to keep no more.
func (p *notesPlan) movable(scope string) (paths []string, err error) {
	if !p.moves(scope) || p.notes.Path == "" {
		return nil, nil
	}
	if paths, err = p.notes.MemoryPaths(); err != nil {
		return nil, err
	}
	all := clients.CountNotes(p.notes.Project)
	if left := all - len(paths); left > 0 {
		return nil, console.Refused(`"memctl import auto-memory" takes them, and `+
			`"memctl install --notes read" leaves the rest where it is`,
			"%d of %d notes of Claude Code cannot be moved (empty, too large, or over the limit); nothing was changed",
			left, all)
	}
	return paths, nil
}

// keep writes the choice into the user's settings. The default needs no root that is not there.
func (p *notesPlan) keep(c *cli.Context, std command.Streams) error {
	root, planned, err := files.FindOrPlanUser()
	if err != nil || planned && p.choice == schemas.ReadNotes {
		return err
	}
	if planned {
		if _, err := files.Init(root.Path); err != nil {
			return err
		}
		console.Note(std.Err, "made the memory root %s for your own memories and settings", root.Shown)
	}
	w, err := command.ScopedStore(c, std, files.UserScope).Writer()
	if err != nil {
		return err
	}
	return command.SetTo(c.Context, w, notesKey, p.choice)
}

func (p *notesPlan) tell(std command.Streams) {
	switch {
	case p.choice == schemas.ReadNotes:
		console.Note(std.Err, "prompts and searches also find the notes that Claude Code keeps on a project; "+
			"--notes leave or --notes move says otherwise (docs/guide.md)")
	case p.choice == schemas.LeaveNotes:
		console.Note(std.Err, "memctl does not read the notes that Claude Code keeps on a project")
	}
}
