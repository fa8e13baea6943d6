package install

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

type setup struct {
	Root    files.Initialized `json:"root"`
	Clients []installReport   `json:"clients"`
	Import  []*command.Offer  `json:"import"`
	OnPath  bool              `json:"on_path"` // whether the hooks find this memctl by its name
	DryRun  bool              `json:"dry_run"`

	project string
	notes   *notesPlan
}

// runSetup looks at everything and asks before it changes a file.
func runSetup(c *cli.Context, std command.Streams) error {
	project, err := projectFolder(command.RootArg(c))
	if err != nil {
		return err
	}
	path, err := files.Target(project)
	if err != nil {
		return err
	}
	chosen, err := setupClients(c)
	if err != nil {
		return err
	}
	all, err := readInstallations(c, std, chosen, clients.ProjectScope)
	if err != nil {
		return err
	}
	asks := command.CanAsk(std) && !c.Bool("yes") && !c.Bool("dry-run")
	done := setup{Clients: []installReport{}, OnPath: clients.FindProgram(clients.ProjectScope).IsOnPath(),
		DryRun: c.Bool("dry-run"), project: project}
	if done.notes, err = planNotes(c, std, chosen, asks); err != nil {
		return err
	}
	done.Import = []*command.Offer{}
	for _, f := range std.Features {
		if f.Offers == nil {
			continue
		}
		offers, err := f.Offers(c, std, project)
		if err != nil {
			return err
		}
		done.Import = append(done.Import, offers...)
	}
	imports := c.Bool("yes")
	if records := done.records(); asks && records != nil {
		question := fmt.Sprintf("Import %s from %s?", decisions(records.New), records.Source)
		if imports, err = command.Ask(c.Context, std, question, true); err != nil {
			return err
		}
	}
	foreign := files.Foreign(path)
	done.Root = files.Initialized{Root: path, Created: []string{}, Kept: []string{}}
	if !done.DryRun {
		if done.Root, err = git.Init(c.Context, path); err != nil {
			return err
		}
	}
	if foreign != nil {
		console.Note(std.Err, "%s", text.Printable(foreign.Shared()))
	}
	if done.Clients, err = installAll(c, std, all, done.notes); err != nil {
		return err
	}
	if records := done.records(); imports && records != nil && !done.DryRun {
		if records.Imported, err = records.Write(c.Context); err != nil {
			return err
		}
	}
	if c.Bool("diff") && !c.Bool("json") {
		if err := printReports(c, std, done.Clients); err != nil {
			return err
		}
	}
	if err := command.PrintResult(c, std, done, "setup"); err != nil {
		return err
	}
	warnOfPath(std.Err, clients.FindProgram(clients.ProjectScope))
	return nil
}

// setupClients are those that --client names, else those on this machine, else Claude Code.
func setupClients(c *cli.Context) ([]*clients.Client, error) {
	if !c.IsSet("client") {
		here := slices.DeleteFunc(clients.All(), func(client *clients.Client) bool { return !client.IsOnMachine() })
		if len(here) > 0 {
			return here, nil
		}
	}
	return clientsArg(c)
}

// records are the decision records that a question is about, nil if there are none.
func (s setup) records() *command.Offer {
	if i := slices.IndexFunc(s.Import, func(o *command.Offer) bool { return o.Format == "adr" }); i >= 0 {
		return s.Import[i]
	}
	return nil
}

func decisions(n int) string { return text.Plural(n, "decision", "decisions") }

// NotesKept says what became of Claude Code's notes on the project, "" if there are none.
func (s setup) NotesKept() string {
	if s.notes == nil || s.notes.notes.Path == "" {
		return ""
	}
	return map[string]string{schemas.ReadNotes: "prompts and searches find them where they are",
		schemas.MoveNotes: "made into memories", schemas.LeaveNotes: "left alone"}[s.notes.choice]
}

// Below is a path as seen from the project.
func (s setup) Below(path string) string {
	if rel, err := filepath.Rel(s.project, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return cmp.Or(filepath.ToSlash(path), ".")
}
