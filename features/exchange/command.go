package exchange

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"strings"
	"text/template"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
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
		Name: "exchange", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command {
			export := command.NewCommand(std, "export", command.InProject, runExport,
				command.NumberFlag("budget", Budget, 100, 100_000, "of claude-md: take at most `N` tokens"))
			return []*cli.Command{
				command.FilledIn(command.NewCommand(std, "import",
					command.InProject.And(command.Outside.When("a source outside", command.ArgumentsOutside(0))),
					runImport), command.ListOfWords(13, importForms())),
				command.CountingArguments(command.FilledIn(export, command.ListOfWords(10, exportForms))),
			}
		},
		Words: template.FuncMap{
			"states":       func() []State { return States[1:] },
			"count":        func(im *Import, s State) int { return im.Counts[s] },
			"importFrom":   importFrom,
			"importPlace":  importPlace,
			"importReason": importReason,
			"importTitle":  importTitle,
			"workResult":   workResult,
		},
		Reaching: []command.FlagAccess{
			{Flag: "output", Of: "export",
				May: command.NoAgent(store.FilesOutside, "write files outside of the project").When("outside",
					command.FlagOutside("output"))},
			{Flag: "sessions", Of: "import", May: command.PastHere},
			{Flag: "project", Of: "import", May: command.NoAgent(store.OtherProjects, "import from other projects")},
		},
		Values: map[string]func(int) []command.Suggestion{
			"import": func(arguments int) []command.Suggestion {
				if arguments > 0 { // a source follows the format
					return nil
				}
				return importForms()
			},
			"export": func(int) []command.Suggestion { return exportForms },
		},
		Notes:    Notes,
		Offers:   lookForImports,
		WorkItem: TakeWorkItem,
	}
}

func importForms() (list []command.Suggestion) {
	for _, f := range Formats {
		if !f.Former {
			list = append(list, command.Suggestion{Word: f.Name, Meaning: f.From})
		}
	}
	return list
}

func importArgs(c *cli.Context) (format Format, source string, o Options, err error) {
	format, known := FormatNamed(c.Args().First())
	o.Update = c.Bool("update")
	switch {
	case o.Update && c.NArg() == 0:
		return format, "", o, nil
	case !known && c.NArg() > 0:
		return format, "", o, unknownFormat(c.Args().First(), "name a file or folder that is there, or ", importForms())
	case format.Former && !o.Update:
		return format, "", o, console.Misused("memctl import "+text.ShellWord(cmp.Or(c.Args().Get(1), "."))+
			" makes a work list of its items", "no rule can read %s; somebody has to", format.From)
	case c.NArg() == 1 && format.Place == nil:
		return format, "", o, console.Misused(fmt.Sprintf("memctl import %s SOURCE", format.Name),
			"import %s needs a source: %s", format.Name, format.From)
	case c.NArg() == 0 || c.NArg() > 2:
		return format, "", o, console.Usagef("import needs a format and a source, and takes flags before or after them")
	}
	o.Similar, o.Project, o.Observations = c.Bool("similar"), c.String("project"), c.Bool("observations")
	if o.Project != "" && !format.Projects {
		return format, "", o, console.Usagef("--project works only with claude-mem, engram and mcp-memory-service")
	}
	if o.Observations && format.Name != transcriptsName {
		return format, "", o, console.Usagef("--observations works only with transcripts")
	}
	if name := c.String("category"); name != "" {
		if format.Sorted {
			return format, "", o, console.Usagef("--category: everything in %s says its own category", format.Name)
		}
		if o.Category, err = command.ReadCategory(name); err != nil {
			return format, "", o, err
		}
	}
	if since := c.String("since"); since != "" {
		when, ok := schemas.ParseTime(since)
		if !ok {
			return format, "", o, console.Usagef("--since: expected a date such as 2026-01-31, got %q", since)
		}
		o.Since = when
	}
	return format, c.Args().Get(1), o, nil
}

func unknownFormat(name, hint string, forms []command.Suggestion) error {
	names := command.WordsOf(forms)
	hint += "one of " + strings.Join(names, ", ")
	if nearest := text.Nearest(name, names); nearest != "" {
		hint = fmt.Sprintf("did you mean %q?", nearest)
	}
	return console.Misused(hint, "unknown format %q", name)
}

func runImport(c *cli.Context, std command.Streams) error {
	if run, err := worklistRun(c); err != nil || run != nil {
		if err == nil {
			err = run(c, std)
		}
		return err
	}
	format, source, o, err := importArgs(c)
	if err != nil {
		return err
	}
	s, w, err := command.NewWriter(c, std)
	if err != nil {
		return err
	}
	notices := 0
	w.Notify = func(writer.Notice) { notices++ } // the table says what matters
	w.Lasting = true
	if format.Name == "" {
		return updateAll(c, std, w, o)
	}
	if source == "" {
		project := w.Root
		if project.Scope == files.UserScope { // your own memories come from here too
			if project, err = command.ScopedStore(c, std, files.ProjectScope).Root(); err != nil {
				return err
			}
		}
		source = format.Place(project)
		if source == clients.ProjectNotes(project.Project) && !clients.AreNotesOf(project.Project) {
			return console.Refused("if they are, name the folder: memctl import "+format.Name+" "+
				text.ShellWord(source),
				"the notes may not be this project's: no session beside them shows it")
		}
		if _, err := gate.Stat(source); err != nil {
			return console.Refused("name another source: memctl import "+format.Name+" SOURCE",
				"nothing to import: there is no %s", source)
		}
	}
	o.Progress = func(doing string) func(done, total int) { return console.Progress(std.Err, doing) }
	im, err := Read(c.Context, w, format, source, o)
	if err != nil {
		return err
	}
	im.DryRun = c.Bool("dry-run")
	if im.DryRun || im.Counts[New]+im.Counts[Updated] == 0 && !o.Update && !im.Unlisted() &&
		(im.Counts[Similar] == 0 || c.Bool("yes") || !command.CanAsk(std)) {
		return printImport(c, std, im)
	}
	if yes, err := agreed(c, std, im, w.Root.Shown); err != nil || !yes {
		return err
	}
	if err := command.CompleteRoot(std, s); err != nil { // before the first memory, in case the import is stopped
		return err
	}
	w.Notify = func(notice writer.Notice) { fmt.Fprintln(std.Err, notice) }
	if err = im.Write(c.Context); err != nil {
		console.Note(std.Err, "%d of %d were imported; the same command imports the rest", im.Written,
			im.Counts[New])
		return err
	}
	offerNames(std, im)
	if !c.Bool("yes") { // the person has seen the table
		return cmp.Or(std.Say(std.Out, "import counts", im), refusedItems(im))
	}
	return printImport(c, std, im)
}

// updateAll has the memories follow every source that they were imported from.
func updateAll(c *cli.Context, std command.Streams, w *writer.Writer, o Options) error {
	list, unknown, err := Updates(w.Root)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		noteUnknown(std, unknown)
	} else if len(list) == 0 {
		console.Note(std.Err, "no memory was imported from a source that can be followed")
	}
	result := struct {
		Sources []*Import `json:"sources"`
	}{Sources: []*Import{}}
	var findings error
	for _, u := range list {
		format, known := FormatNamed(u.Format)
		if u.Outside() && !mayReadOutside() {
			console.Note(std.Err, "an agent may not read it: %s, outside of the project", u.Shown())
			continue
		}
		if !known {
			console.Note(std.Err, "%s: memctl knows no format %q", u.Shown(), u.Format)
			continue
		}
		im, err := u.Read(c.Context, w, format, o)
		if IsMissing(err) {
			if to := u.movedTo(c.Context, w.Root); to != "" {
				console.Note(std.Err, "%s is %s now", u.Shown(), to)
				u.From = gate.Name(to)
				im, err = u.Read(c.Context, w, format, o)
			}
		}
		if IsMissing(err) {
			console.Note(std.Err, "%s is not on this machine", u.Shown())
			continue
		}
		if err != nil {
			return err
		}
		if im.DryRun = c.Bool("dry-run"); !im.DryRun {
			if yes, err := agreed(c, std, im, w.Root.Shown); err != nil || !yes {
				return err
			}
			// The project's list of sources gets the text of a place outside only if the person says yes.
			im.DryRun = u.Outside() && !c.Bool("yes") && im.Counts[New]+im.Counts[Updated] == 0
		}
		if !im.DryRun {
			if err := im.Write(c.Context); err != nil {
				return err
			}
			offerNames(std, im)
		}
		result.Sources = append(result.Sources, im)
		if findings = cmp.Or(findings, refusedItems(im)); !c.Bool("json") {
			if err := command.PrintParts(c, std, im, importTable(std)); err != nil {
				return err
			}
		}
	}
	if c.Bool("json") {
		if err := command.WriteJSON(std.Out, result); err != nil {
			return err
		}
	}
	return findings
}

// offerNames says how the memories that an update gave another title get names that say it.
func offerNames(std command.Streams, im *Import) {
	for _, e := range im.Items {
		if e.State == Updated && !e.edited && !e.ends {
			command.OfferName(std, strings.TrimSuffix(path.Base(e.Path), ".json"), e.Title)
		}
	}
}

// noteUnknown names the sources outside of the project that this person has not imported here.
func noteUnknown(std command.Streams, unknown []Update) {
	format := "FORMAT"
	if _, known := FormatNamed(unknown[0].Format); known {
		format = unknown[0].Format
	}
	console.Note(std.Err, "not known on this machine: %s%s, outside of the project; if you have it, run memctl "+
		"import %s PATH --update",
		unknown[0].Shown(), text.AndMore(len(unknown)-1), format)
}

// agreed shows a person what would be imported and asks. It returns true for --yes, and if there is nothing to
// import: similar items are taken only by a person who is asked.
func agreed(c *cli.Context, std command.Streams, im *Import, root string) (bool, error) {
	changes := im.Counts[New] + im.Counts[Updated]
	if c.Bool("yes") || changes == 0 && (im.Counts[Similar] == 0 || !command.CanAsk(std)) {
		return true, nil
	}
	if c.Bool("json") {
		return false, console.Usagef("--json needs --yes or --dry-run")
	}
	if !command.CanAsk(std) {
		return false, console.Misused("--yes imports them, --dry-run shows them",
			"%s can be imported, but there is no terminal to ask on", fresh(im))
	}
	width, _ := console.TerminalSize(command.TerminalOf(std.Err))
	if err := printImportTable(std, console.NewScreen(std.Err, width, false), im, shortRows); err != nil {
		return false, err
	}
	yes := true
	var err error
	if changes > 0 {
		question := fmt.Sprintf("Import %s into %s?", fresh(im), root)
		yes, err = command.Ask(c.Context, std, question, false)
	}
	if n := im.Counts[Similar]; err == nil && yes && n > 0 {
		var too bool
		too, err = command.Ask(c.Context, std, fmt.Sprintf("Import what is similar too (%d)?", n), false)
		if err == nil && too {
			err = im.TakeSimilar()
		}
	}
	if yes = yes && im.Counts[New]+im.Counts[Updated] > 0; err == nil && !yes {
		console.Note(std.Err, "nothing was imported")
	}
	return yes, err
}

// mayReadOutside reports whether import may read what a person imported from outside of the project.
func mayReadOutside() bool { return !clients.InAgentShell() }
