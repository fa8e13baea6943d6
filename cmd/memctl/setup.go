package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/features/exchange"
	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// decisionFolders are where projects keep their architecture decision records.
var decisionFolders = []string{"docs/adr", "docs/adrs", "docs/decisions", "docs/architecture/decisions", "doc/adr",
	"adr"}

// found counts the items that could be imported from a source.
type found struct {
	Format   string `json:"format"`
	Source   string `json:"source"`
	New      int    `json:"new"`
	Imported int    `json:"imported"`

	im *exchange.Import
}

type setup struct {
	Root    files.Initialized `json:"root"`
	Clients []installReport   `json:"clients"`
	Import  []*found          `json:"import"`
	OnPath  bool              `json:"on_path"` // whether the hooks find this memctl by its name
	DryRun  bool              `json:"dry_run"`

	project string
	notes   *notesPlan
}

// runSetup looks at everything and asks before it changes a file.
func runSetup(c *cli.Context, std streams) error {
	project, err := clients.ProjectFolder(rootArg(c))
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
	asks := canAsk(std) && !c.Bool("yes") && !c.Bool("dry-run")
	done := setup{Clients: []installReport{}, OnPath: clients.FindProgram(clients.ProjectScope).IsOnPath(),
		DryRun: c.Bool("dry-run"), project: project}
	if done.notes, err = planNotes(c, std, chosen, asks); err != nil {
		return err
	}
	if done.Import, err = lookForImports(c, std, project); err != nil {
		return err
	}
	imports := c.Bool("yes")
	if records := done.records(); asks && records != nil {
		question := fmt.Sprintf("Import %s from %s?", decisions(records.New), records.Source)
		if imports, err = ask(c.Context, std, question, true); err != nil {
			return err
		}
	}
	foreign := files.Foreign(path)
	done.Root = files.Initialized{Root: path, Created: []string{}, Kept: []string{}}
	if !done.DryRun {
		if done.Root, err = files.Init(path); err != nil {
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
		err := records.im.Write(c.Context)
		if records.Imported = records.im.Written; err != nil {
			return err
		}
	}
	if c.Bool("diff") && !c.Bool("json") {
		if err := printReports(c, std, done.Clients); err != nil {
			return err
		}
	}
	if err := printResult(c, std, done, "setup"); err != nil {
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

// lookForImports reads what lies in the project and could become memories. It writes nothing.
func lookForImports(c *cli.Context, std streams, project string) ([]*found, error) {
	_, w, err := newWriter(c, std)
	if errors.As(err, new(*files.ForeignError)) {
		return []*found{}, nil // the folder of another tool becomes a root first
	}
	if err != nil {
		return nil, err
	}
	w.Lasting = true
	list := []*found{}
	for _, source := range append(decisionFolders, ".") {
		if info, err := gate.Stat(filepath.Join(project, filepath.FromSlash(source))); err != nil || !info.IsDir() {
			continue
		}
		name := "adr"
		if source == "." {
			name = "claude-md"
		}
		format, _ := exchange.FormatNamed(name)
		im, err := exchange.Read(c.Context, w, format, filepath.Join(project, filepath.FromSlash(source)),
			exchange.Options{})
		if c.Context.Err() != nil {
			return nil, c.Context.Err()
		}
		if err == nil && im.Counts[exchange.New] > 0 { // what cannot be read is for memctl import to say
			list = append(list, &found{Format: name, Source: source, New: im.Counts[exchange.New], im: im})
		}
	}
	return list, nil
}

// records are the decision records that a question is about, nil if there are none.
func (s setup) records() *found {
	if i := slices.IndexFunc(s.Import, func(f *found) bool { return f.Format == "adr" }); i >= 0 {
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
