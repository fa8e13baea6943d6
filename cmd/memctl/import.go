package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/features/exchange"
	"memctl/files"
	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func importForms() (list []suggestion) {
	for _, f := range exchange.Formats {
		list = append(list, suggestion{f.Name, f.From})
	}
	return list
}

func importArgs(c *cli.Context) (format exchange.Format, source string, o exchange.Options, err error) {
	format, known := exchange.FormatNamed(c.Args().First())
	o.Update = c.Bool("update")
	switch {
	case o.Update && c.NArg() == 0:
		return format, "", o, nil
	case !known && c.NArg() > 0:
		return format, "", o, unknownFormat(c.Args().First(), importForms())
	case c.NArg() == 1 && format.Place == nil:
		return format, "", o, console.Misused(fmt.Sprintf("memctl import %s SOURCE", format.Name),
			"import %s needs a source: %s", format.Name, format.From)
	case c.NArg() == 0 || c.NArg() > 2:
		return format, "", o, console.Usagef("import needs a format and a source, and takes flags before or after them")
	}
	o.Similar, o.Project, o.Observations = c.Bool("similar"), c.String("project"), c.Bool("observations")
	if o.Project != "" && format.Name != "claude-mem" {
		return format, "", o, console.Usagef("--project works only with claude-mem")
	}
	if o.Observations && format.Name != "transcripts" {
		return format, "", o, console.Usagef("--observations works only with transcripts")
	}
	if name := c.String("category"); name != "" {
		if format.Sorted || format.Drafts {
			return format, "", o, console.Usagef("--category: everything in %s says its own category", format.Name)
		}
		if o.Category, err = readCategory(name); err != nil {
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

func unknownFormat(name string, forms []suggestion) error {
	names := wordsOf(forms)
	hint := "give one of " + strings.Join(names, ", ")
	if meant := text.Nearest(name, names); meant != "" {
		hint = fmt.Sprintf("did you mean %q?", meant)
	}
	return console.Misused(hint, "unknown format %q", name)
}

func runImport(c *cli.Context, std streams) error {
	format, source, o, err := importArgs(c)
	if err != nil {
		return err
	}
	s, w, err := newWriter(c, std)
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
			if project, err = scopedStore(c, std, files.ProjectScope).Root(); err != nil {
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
	im, err := exchange.Read(c.Context, w, format, source, o)
	if err != nil {
		return err
	}
	im.DryRun = c.Bool("dry-run")
	if im.DryRun || im.Counts[exchange.New]+im.Counts[exchange.Updated] == 0 && !o.Update && !im.Unlisted() &&
		(im.Counts[exchange.Similar] == 0 || c.Bool("yes") || !canAsk(std)) {
		return printImport(c, std, im)
	}
	if yes, err := agreed(c, std, im, w.Root.Shown); err != nil || !yes {
		return err
	}
	if err := completeRoot(std, s); err != nil { // before the first memory, in case the import is stopped
		return err
	}
	w.Notify = func(notice writer.Notice) { fmt.Fprintln(std.Err, notice) }
	if err = im.Write(c.Context); err != nil {
		console.Note(std.Err, "%d of %d were imported; the same command imports the rest", im.Written+im.Staged,
			im.Counts[exchange.New])
		return err
	}
	if !c.Bool("yes") { // the person has seen the table
		return cmp.Or(say(std.Out, "import counts", im), refusedItems(im))
	}
	return printImport(c, std, im)
}

// updateAll has the memories follow every source that they were imported from.
func updateAll(c *cli.Context, std streams, w *writer.Writer, o exchange.Options) error {
	list, unknown, err := exchange.Updates(w.Root)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		noteUnknown(std, unknown)
	} else if len(list) == 0 {
		console.Note(std.Err, "no memory was imported from a source that can be followed")
	}
	done := struct {
		Sources []*exchange.Import `json:"sources"`
	}{Sources: []*exchange.Import{}}
	var findings error
	for _, u := range list {
		format, known := exchange.FormatNamed(u.Format)
		if u.Outside() && !mayReadOutside() {
			console.Note(std.Err, "an agent may not read it: %s, outside of the project", u.Shown())
			continue
		}
		if !known {
			console.Note(std.Err, "%s: memctl knows no format %q", u.Shown(), u.Format)
			continue
		}
		im, err := u.Read(c.Context, w, format, o)
		if exchange.IsMissing(err) {
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
			im.DryRun = u.Outside() && !c.Bool("yes") && im.Counts[exchange.New]+im.Counts[exchange.Updated] == 0
		}
		if !im.DryRun {
			if err := im.Write(c.Context); err != nil {
				return err
			}
		}
		done.Sources = append(done.Sources, im)
		if findings = cmp.Or(findings, refusedItems(im)); !c.Bool("json") {
			if err := printParts(c, std, im, importTable); err != nil {
				return err
			}
		}
	}
	if c.Bool("json") {
		if err := writeJSON(std.Out, done); err != nil {
			return err
		}
	}
	return findings
}

// noteUnknown names the sources outside of the project that this person has not imported here.
func noteUnknown(std streams, unknown []exchange.Update) {
	format := "FORMAT"
	if _, known := exchange.FormatNamed(unknown[0].Format); known {
		format = unknown[0].Format
	}
	console.Note(std.Err, "not known on this machine: %s%s, outside of the project; if you have it, run memctl "+
		"import %s PATH --update",
		unknown[0].Shown(), text.AndMore(len(unknown)-1), format)
}

// agreed shows a person what would be imported and asks. It returns true for --yes, and if there is nothing to
// import: similar items are taken only by a person who is asked.
func agreed(c *cli.Context, std streams, im *exchange.Import, root string) (bool, error) {
	changes := im.Counts[exchange.New] + im.Counts[exchange.Updated]
	if c.Bool("yes") || changes == 0 && (im.Counts[exchange.Similar] == 0 || !canAsk(std)) {
		return true, nil
	}
	if c.Bool("json") {
		return false, console.Usagef("--json needs --yes or --dry-run")
	}
	if !canAsk(std) {
		return false, console.Misused("--yes imports them, --dry-run shows them",
			"%s can be imported, but there is no terminal to ask on", fresh(im))
	}
	width, _ := console.TerminalSize(terminalOf(std.Err))
	if err := printImportTable(console.NewScreen(std.Err, width, false), im, shortRows); err != nil {
		return false, err
	}
	yes := true
	var err error
	if changes > 0 {
		question := fmt.Sprintf("Import %s into %s?", fresh(im), root)
		if im.Drafts() {
			question = fmt.Sprintf("Take %s?", fresh(im))
		}
		yes, err = ask(c.Context, std, question, false)
	}
	if n := im.Counts[exchange.Similar]; err == nil && yes && n > 0 {
		var too bool
		too, err = ask(c.Context, std, fmt.Sprintf("Import what is similar too (%d)?", n), false)
		if err == nil && too {
			err = im.TakeSimilar()
		}
	}
	if yes = yes && im.Counts[exchange.New]+im.Counts[exchange.Updated] > 0; err == nil && !yes {
		console.Note(std.Err, "nothing was imported")
	}
	return yes, err
}

func fresh(im *exchange.Import) string {
	n, sessions := im.Fresh()
	var parts []string
	switch {
	case n > 0 && im.Drafts():
		parts = append(parts, text.Plural(n, "draft", "drafts"))
	case n > 0:
		parts = append(parts, memories(n))
	}
	if n := im.Counts[exchange.Updated]; n > 0 {
		parts = append(parts, text.Plural(n, "update", "updates"))
	}
	if sessions > 0 {
		parts = append(parts, "the tool runs of "+text.Plural(sessions, "session", "sessions"))
	}
	return strings.Join(parts, " and ")
}

func memories(n int) string { return text.Plural(n, "memory", "memories") }

// printImport prints what became of each item. It fails if something was refused.
func printImport(c *cli.Context, std streams, im *exchange.Import) error {
	if err := printParts(c, std, im, importTable); err != nil {
		return err
	}
	return refusedItems(im)
}

func importTable(s console.Screen, im *exchange.Import) error { return printImportTable(s, im, 0) }

func refusedItems(im *exchange.Import) error {
	if im.Counts[exchange.Refused]+im.Counts[exchange.Conflict]+im.Counts[exchange.Gone] > 0 {
		return console.ErrFindings
	}
	return nil
}

// shortRows is how many rows of each state a person sees before a question.
const shortRows = 8

// printImportTable writes what becomes of each item of a source, by state, then the counts. Of each
// state it has at most that many rows, all if most is 0.
func printImportTable(s console.Screen, im *exchange.Import, most int) error {
	var items []*exchange.Item
	var more []string
	for _, state := range exchange.States {
		rows := slices.DeleteFunc(slices.Clone(im.Items), func(i *exchange.Item) bool { return i.State != state })
		if hidden := len(rows) - most; most > 0 && hidden > 0 {
			rows, more = rows[:most], append(more, fmt.Sprintf("%d more %s", hidden, state))
		}
		items = append(items, rows...)
	}
	if len(items) > 0 {
		if err := say(s, "import items", items); err != nil {
			return err
		}
	}
	for _, line := range more {
		fmt.Fprintln(s, line)
	}
	return say(s, "import counts", im)
}

func importTitle(item *exchange.Item) string {
	if item.Title == "" {
		return text.OneLine(item.Text, 200)
	}
	return item.Title
}

// importPlace is where a person looks: at the memory that there is, else at the source.
func importPlace(item *exchange.Item) string {
	switch item.State {
	case exchange.Same, exchange.Changed, exchange.Similar, exchange.Updated, exchange.Conflict, exchange.Gone:
		return item.Path
	}
	file, _, _ := strings.Cut(item.Origin, "#")
	return importOrigin(item, file)
}

// importReason says why an item is not new, or which memory a new one may be about.
func importReason(item *exchange.Item) string {
	if item.Near != "" && item.State == exchange.New {
		return "compare " + item.Near
	}
	return item.Reason
}

func importFrom(item *exchange.Item) string {
	origin := importOrigin(item, item.Origin)
	if item.Path == "" || origin == "" {
		return item.Path + origin
	}
	return item.Path + " <- " + origin
}

func importOrigin(item *exchange.Item, origin string) string {
	if item.Line == 0 {
		return origin
	}
	return fmt.Sprintf("%s:%d", origin, item.Line)
}
