package install

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

type setup struct {
	Root     files.Initialized `json:"root"`
	New      bool              `json:"new"` // the memory root had no configuration yet
	Clients  []installReport   `json:"clients"`
	Others   []string          `json:"not_registered"` // clients of this machine that the project's files leave out
	Git      *gitSetup         `json:"git,omitempty"`  // nil without a repository
	Import   []*command.Offer  `json:"import"`
	Sessions *pastSessions     `json:"sessions,omitempty"` // nil for none
	Parts    *parts            `json:"parts,omitempty"`    // nil for a project without any
	Commit   *toCommit         `json:"commit,omitempty"`   // nil without a repository
	OnPath   bool              `json:"on_path"`            // whether the hooks find this memctl by its name
	DryRun   bool              `json:"dry_run"`

	project   string
	imports   bool
	installed []*installation
	notes     *notesPlan
}

// pastSessions are those that a search finds.
type pastSessions struct {
	Count int  `json:"count"`
	All   bool `json:"all"` // there are no more
}

// runSetup looks at everything, prints its plan and asks, before it changes a file.
func runSetup(c *cli.Context, std command.Streams) error {
	s, err := planSetup(c, std)
	if err != nil {
		return err
	}
	if console.IsTerminal(std.Err) && !s.DryRun && len(s.Changes()) > 0 {
		if err := std.Say(std.Err, "setup plan", s); err != nil {
			return err
		}
	}
	if command.CanAsk(std) && !c.Bool("yes") && !s.DryRun {
		if err := s.ask(c, std); err != nil {
			return err
		}
	}
	if _, err := s.notes.movable(clients.ProjectScope); err != nil {
		return err
	}
	if err := s.carryOut(c, std); err != nil {
		return err
	}
	if c.Bool("diff") && !c.Bool("json") {
		if err := printReports(c, std, s.Clients); err != nil {
			return err
		}
	}
	if err := command.PrintResult(c, std, s, "setup"); err != nil {
		return err
	}
	warnOfPath(std.Err, clients.FindProgram(clients.ProjectScope))
	return nil
}

// planSetup finds the changes to make, and makes none.
func planSetup(c *cli.Context, std command.Streams) (*setup, error) {
	s := &setup{Clients: []installReport{}, Others: []string{}, Import: []*command.Offer{},
		OnPath: clients.FindProgram(clients.ProjectScope).IsOnPath(), DryRun: c.Bool("dry-run"), imports: c.Bool("yes")}
	var err error
	if s.project, err = projectFolder(command.RootArg(c)); err != nil {
		return nil, err
	}
	if files.IsHome(s.project) {
		console.Warning(std.Err, "this is your home folder: its memories and settings are for every project")
		console.Hint(std.Err, "run setup in a project; Ctrl-C leaves your home folder as it is")
	}
	path, err := files.Target(s.project)
	if err != nil {
		return nil, err
	}
	s.Root = files.Initialized{Root: path, Created: []string{}, Kept: []string{}}
	_, err = gate.Lstat(filepath.Join(path, files.ConfigName))
	s.New = errors.Is(err, fs.ErrNotExist)
	chosen, err := s.chooseClients(c)
	if err != nil {
		return nil, err
	}
	if s.installed, err = readInstallations(c, std, chosen, clients.ProjectScope); err != nil {
		return nil, err
	}
	mayAsk := command.CanAsk(std) && !c.Bool("yes") && !s.DryRun && s.New
	if s.notes, err = planNotes(c, std, chosen, mayAsk); err != nil {
		return nil, err
	}
	if s.Git, err = planGit(c, std, s.project); err != nil {
		return nil, err
	}
	s.Parts = partsOf(s.project)
	return s, s.look(c, std)
}

// look collects the offers of features.
func (s *setup) look(c *cli.Context, std command.Streams) error {
	for _, f := range std.Features {
		if f.Offers == nil {
			continue
		}
		offers, err := f.Offers(c, std, s.project)
		if err != nil {
			return err
		}
		s.Import = append(s.Import, offers...)
	}
	count := std.CountSessions()
	if count == nil {
		return nil
	}
	n, all, err := count(c.Context, s.project)
	if n > 0 {
		s.Sessions = &pastSessions{n, all}
	}
	if err != nil && c.Context.Err() == nil {
		console.Warning(std.Err, "past sessions cannot be counted: %v", err)
	}
	return c.Context.Err()
}

// ask asks the questions that the project's files leave open.
func (s *setup) ask(c *cli.Context, std command.Streams) (err error) {
	if s.notes.isOpen() {
		if err := s.notes.ask(c, std); err != nil {
			return err
		}
	}
	if s.Git.isOpen() {
		if s.Git.wanted, err = command.Ask(c.Context, std, s.Git.question(), true); err != nil {
			return err
		}
	}
	if records := s.records(); records != nil && !s.Git.isDecided() {
		question := fmt.Sprintf("Import %s from %s? That writes as many memories into %s/decisions/.",
			decisions(records.New), records.Source, files.RootPath)
		s.imports, err = command.Ask(c.Context, std, question, true)
	}
	return err
}

// carryOut makes the changes, or lists them in a dry run.
func (s *setup) carryOut(c *cli.Context, std command.Streams) (err error) {
	foreign := files.Foreign(s.Root.Root)
	if !s.DryRun {
		if s.Root, err = git.Init(c.Context, s.Root.Root); err != nil {
			return err
		}
	}
	if foreign != nil {
		console.Note(std.Err, "%s", text.Printable(foreign.Shared()))
	}
	if root, err := files.At(s.project); err == nil && !s.DryRun {
		_ = store.Meet(c.Context, root) // or the next session's start does
	}
	if s.Clients, err = installAll(c, std, s.installed, s.notes); err != nil {
		return err
	}
	if s.Git != nil {
		if err := s.Git.carryOut(c.Context, s.root(), s.DryRun); err != nil {
			return err
		}
	}
	if records := s.records(); s.imports && records != nil && !s.DryRun {
		if records.Imported, err = records.Write(c.Context); err != nil {
			return err
		}
	}
	if s.Git != nil {
		s.Commit, err = s.findUncommitted(c.Context)
	}
	return err
}

func (s *setup) root() files.Root {
	return files.Root{Path: s.Root.Root, Shown: files.RootPath, Project: s.project}
}

// chooseClients returns those that --client names, else those that the project's files register already, so that a
// clone's setup changes no file, else those on this machine, else Claude Code.
func (s *setup) chooseClients(c *cli.Context) (chosen []*clients.Client, err error) {
	if c.IsSet("client") {
		return clientsArg(c)
	}
	var here []*clients.Client
	for _, client := range clients.All() {
		target, err := client.Target(clients.ProjectScope, s.project)
		if err != nil {
			return nil, err
		}
		if e, err := target.Entries(); err != nil || len(e.Hooks) > 0 { // install reports a file that cannot be read
			chosen = append(chosen, client)
		}
		if client.IsOnMachine() {
			here = append(here, client)
		}
	}
	switch {
	case len(chosen) > 0:
		for _, client := range here {
			if !slices.Contains(chosen, client) {
				s.Others = append(s.Others, client.Name)
			}
		}
		return chosen, nil
	case len(here) > 0:
		return here, nil
	}
	return clientsArg(c)
}

// plannedChange is a file that setup changes without a question.
type plannedChange struct{ Path, What string }

// Changes lists the files that setup changes without a question.
func (s *setup) Changes() (list []plannedChange) {
	if s.New {
		list = append(list, plannedChange{files.RootPath + "/", "made, for the memories of the project"})
	}
	for _, in := range s.installed {
		for i, change := range in.planned.parts() {
			what := "registers memctl with " + in.Client.Title
			if i == 0 && in.Client.Name == clients.Claude.Name {
				what += ", and approves its server and tools"
			}
			if change.Changed {
				list = append(list, plannedChange{s.Below(change.Settings), what})
			}
		}
	}
	if s.Git != nil && s.Git.wanted && s.Git.changes() {
		list = append(list, plannedChange{s.Git.places(), "git merges memories field by field"})
	}
	if records := s.records(); s.imports && records != nil {
		list = append(list, plannedChange{files.RootPath + "/decisions/",
			fmt.Sprintf("%s from %s", decisions(records.New), records.Source)})
	}
	return list
}

// records are the decision records that a question is about, nil if there are none.
func (s *setup) records() *command.Offer {
	if i := slices.IndexFunc(s.Import, func(o *command.Offer) bool { return o.Format == "adr" }); i >= 0 {
		return s.Import[i]
	}
	return nil
}

func decisions(n int) string { return text.Plural(n, "decision", "decisions") }

// NotesKept says what became of Claude Code's notes on the project, "" if there are none.
func (s *setup) NotesKept() string {
	if s.notes == nil || s.notes.notes.Path == "" {
		return ""
	}
	return map[string]string{schemas.ReadNotes: "prompts and searches find them where they are",
		schemas.MoveNotes: "made into memories", schemas.LeaveNotes: "left alone"}[s.notes.choice]
}

// Below is a path as seen from the project.
func (s *setup) Below(path string) string {
	if rel, err := filepath.Rel(s.project, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return cmp.Or(filepath.ToSlash(path), ".")
}

// ProjectName is the name of the project's folder.
func (s *setup) ProjectName() string { return filepath.Base(s.project) }

// maxFiles is how many files a line names.
const maxFiles = 2

// InFiles names the files of an offer.
func (s *setup) InFiles(o *command.Offer) string {
	var names []string
	for _, file := range o.Files[:min(len(o.Files), maxFiles)] {
		names = append(names, text.Printable(file.Path))
	}
	return strings.Join(names, ", ") + text.AndMore(len(o.Files)-maxFiles)
}
