package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

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

// shortNames are other names of a category, besides the name of its folder.
var shortNames = map[schemas.Category]string{schemas.TechDebt: "debt", schemas.SessionSummary: "session"}

// addCommand makes the flags of add from the schemas of all categories. A run of another command
// that shows no flags of others need not wait for them.
func addCommand(std command.Streams, name string) *cli.Command {
	switch name {
	case "", "add", "help", "h", "completion", "complete", "man":
	default:
		return command.NewCommand(std, "add", command.InProject,
			func(*cli.Context, command.Streams) error { return nil })
	}
	run := func(c *cli.Context, std command.Streams) error {
		word := c.Args().First()
		meant := text.Nearest(word, schemas.CategoryNames())
		if c.NArg() == 2 && meant != "" { // a misspelt category
			return console.Misused(fmt.Sprintf(`did you mean "memctl add %s"?`, meant),
				"add: expected a text, or one of %s and a text, got %q", command.CategoryNames(), text.Brief(word))
		}
		return runAdd(c, std, "")
	}
	head := schemas.FormOf(schemas.Decision).Head // that of all categories
	command := command.NewCommand(std, "add", command.InProject, run, addFlags(schemas.Form{Head: head})...)
	for _, info := range schemas.Categories {
		command.Subcommands = append(command.Subcommands, addCategoryCommand(std, info))
		if info.Category == schemas.Constraint {
			command.Subcommands = append(command.Subcommands, addFactCommand(std, info))
		}
	}
	return command
}

func addFlags(form schemas.Form) []cli.Flag {
	return slices.Concat(formFlags(form), command.OwnFlags(), []cli.Flag{
		&cli.StringSliceFlag{Name: "command", Usage: "a shell `COMMAND` that it is about, given again when one is " +
			"run; may be repeated"},
		&cli.IntFlag{Name: "from", Usage: "the `ITEM` of the work list (memctl import --next) that it is made of"},
		command.AnywayFlag(), command.JSONFlag(), command.RootFlag(),
	})
}

func addCategoryCommand(std command.Streams, info schemas.CategoryInfo) *cli.Command {
	form := schemas.FormOf(info.Category)
	return &cli.Command{
		Name:      string(info.Category),
		Aliases:   aliases(info),
		Usage:     strings.TrimSuffix(form.Description, "."),
		ArgsUsage: "[TEXT]",
		Description: fmt.Sprintf("   memctl add %s \"What there is to say. Why it is so.\" --tag WORD\n\nWithout "+
			"TEXT memctl reads stdin, or asks for each field on a terminal.", info.Category),
		Flags: addFlags(form),
		Action: command.Guarded(std, "add", command.InProject, func(c *cli.Context, std command.Streams) error {
			return runAdd(c, std, info.Category)
		}),
	}
}

// addFactCommand saves a constraint that asks nothing of anybody, unless its flags say otherwise.
func addFactCommand(std command.Streams, constraint schemas.CategoryInfo) *cli.Command {
	fact := addCategoryCommand(std, constraint)
	fact.Name, fact.Aliases = "fact", nil
	fact.Description = strings.Replace(fact.Description, "add constraint", "add fact", 1)
	fact.Usage = "A fact that the code does not say: a technical constraint of low severity"
	save := fact.Action
	fact.Action = func(c *cli.Context) error {
		for flag, value := range map[string]string{"kind": "technical", "severity": "low"} {
			if err := c.Set(flag, cmp.Or(c.String(flag), value)); err != nil {
				return err
			}
		}
		return save(c)
	}
	return fact
}

func aliases(info schemas.CategoryInfo) []string {
	names := []string{info.Folder}
	if hyphened := strings.ReplaceAll(string(info.Category), "_", "-"); hyphened != string(info.Category) &&
		hyphened != info.Folder {
		names = append(names, hyphened)
	}
	if short := shortNames[info.Category]; short != "" {
		names = append(names, short)
	}
	return names
}

// runAdd saves a memory of the category. If it is "", the text says which, or a person.
func runAdd(c *cli.Context, std command.Streams, category schemas.Category) error {
	s, w, err := command.NewWriter(c, std)
	if err != nil {
		return err
	}
	a, err := readAddition(c, std, category)
	if err != nil {
		return err
	}
	for i, name := range a.given.RelatedFiles { // as a shell completes it, unless it is a path of the project
		here := path.Join(w.Root.Part("."), filepath.ToSlash(name))
		isAbove := !filepath.IsLocal(name) && !filepath.IsAbs(name)
		if w.Root.Scope == files.ProjectScope && (isAbove || w.Root.Gone(name) && !w.Root.Gone(here)) {
			a.given.RelatedFiles[i] = here
		}
	}
	return a.saveAndShow(c, std, s, w)
}

func (a addition) saveAndShow(c *cli.Context, std command.Streams, s *store.Store, w *writer.Writer) error {
	settle := func(context.Context, string) error { return nil }
	if c.IsSet("from") {
		find := std.WorkItem()
		if find == nil {
			return console.Usagef("--from: this memctl has no work list")
		}
		origin, settleItem, err := find(w.Root, c.Int("from"))
		if err != nil {
			return err
		}
		a.given.Changes, settle = []schemas.Change{origin}, settleItem
	}
	done, err := a.save(c, std, s)
	if err != nil {
		return err
	}
	if err := settle(c.Context, done.Name()); err != nil {
		console.Warning(std.Err, "the item of the work list still waits: %v", err)
	}
	return command.ShowAdded(c, std, s, w, done)
}

// addition is the input of add: a text, and the fields that are known without it.
type addition struct {
	category schemas.Category
	text     string
	given    *schemas.Memory
	dialog   *command.Dialog // in which a person gave the fields; nil if none did
}

// readAddition reads the fields that flags give, and the text of the arguments or of
// stdin. If there is no text and there is a terminal, a person fills in the form.
func readAddition(c *cli.Context, std command.Streams, category schemas.Category) (a addition, err error) {
	a = addition{category: category, text: strings.Join(c.Args().Slice(), " "),
		given: &schemas.Memory{Category: category}}
	form := schemas.FormOf(cmp.Or(category, schemas.Decision))
	if category == "" {
		form.Content = nil // not known yet
	}
	readForm(c, form, a.given)
	switch {
	case a.text == "-" || a.text == "" && !command.CanAsk(std):
		a.text, err = readText(c, std)
	case a.text == "":
		a.dialog = command.NewDialog(c.Context, std)
		err = formDialog{a.dialog}.fillIn(&a.category, a.given)
	}
	if fields := map[string]any{}; err == nil && json.Unmarshal([]byte(a.text), &fields) == nil && fields != nil {
		return a, console.Misused("memctl create --input - takes a memory as JSON", "add: expected a text, got an "+
			"object of JSON")
	}
	return a, err
}

// save saves the memory. What a person has typed in a dialog is not lost if memctl
// refuses it.
func (a addition) save(c *cli.Context, std command.Streams, s *store.Store) (store.Added, error) {
	note := store.Note{Text: a.text, Category: a.category, Commands: c.StringSlice("command"), Given: a.given}
	done, err := s.Add(c.Context, command.Anyway(c), note)
	if duplicate := new(store.DuplicateError); errors.As(err, &duplicate) && a.dialog != nil {
		a.dialog.Say("\nmemctl: %v", duplicate)
		if anyway, _ := a.dialog.Yes("Save this one too?"); anyway {
			done, err = s.Add(c.Context, store.Anyway, note)
		}
	}
	switch {
	case errors.Is(err, writer.ErrNoText):
		return done, console.Usagef("add needs a text")
	case err != nil && a.dialog != nil:
		root, _, _ := s.RootOrPlanned()
		a.keep(std, root)
	}
	return done, err
}

// keep keeps a draft that was not saved in the staging folder.
func (a addition) keep(std command.Streams, root files.Root) {
	path := ""
	staging, err := root.OpenStaging()
	if err == nil {
		data, _ := a.given.Encode() // if it is too large, the beginning
		path, err = staging.Write("draft-"+string(a.category)+"-"+time.Now().Format("150405")+".json", string(data))
		err = errors.Join(err, staging.Close())
	}
	if err != nil {
		console.Warning(std.Err, "your answers could not be kept: %v", err)
		return
	}
	console.Note(std.Err, "your answers are in %s; \"memctl create --category %s --input FILE\" takes them", path,
		a.category)
}

func readText(c *cli.Context, std command.Streams) (string, error) {
	command.NoteWaiting(std, "the text")
	data, err := console.Interruptible(c.Context, func() ([]byte, error) { return writer.ReadAtMost(std.In) })
	if err != nil {
		return "", fmt.Errorf("read the text from stdin: %w", err)
	}
	return strings.ToValidUTF8(string(data), "\uFFFD"), nil
}

func runAdopt(c *cli.Context, std command.Streams) error {
	name, err := command.MemoryName(c)
	if err != nil {
		return err
	}
	st, roots, err := command.FindRoots(c, std)
	if err != nil {
		return err
	}
	note, err := command.ReadSources(c.Context, st, roots, func(sources retrieve.Sources) (retrieve.Ref, error) {
		return sources.Resolve(c.Context, name)
	})
	if err != nil {
		return err
	}
	if note.Root.Scope != files.NotesScope {
		return console.Refused(`"memctl list" marks the notes`, "%s is a memory already, not a note of Claude Code",
			note.Shown())
	}
	done, err := st.Adopt(c.Context, command.Anyway(c), note.Root, note.Path)
	if err != nil {
		return err
	}
	if err := command.CompleteRoot(std, st); err != nil {
		return err
	}
	return command.PrintResult(c, std, done, "adopted")
}
