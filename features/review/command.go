package review

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"
	"time"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/observe"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "review", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command {
			return []*cli.Command{command.FilledIn(command.NewCommand(std, "review", command.InProject, runReview,
				command.NumberFlag("days", DefaultDays, 1, 36_500,
					"report items open, never given or unused for `N` days"),
				command.NumberFlag("commits", DefaultCommits, 1, 1_000_000,
					"report memories whose related files changed in `N` or more commits")),
				command.ListOfWords(11, reviewKindWords()))}
		},
		Words: template.FuncMap{"fixed": fixed, "kindsOf": kindsOf},
		Values: map[string]func(int) []command.Suggestion{
			"only": func(int) []command.Suggestion { return command.Suggestions(command.WordsOf(reviewKindWords())) },
		},
		AfterStart: func(ctx context.Context, _ command.Streams, root files.Root) {
			_ = Refresh(ctx, root, time.Now()) // no one waits for it
			_ = NoteBranch(ctx, root)
		},
		AfterReindex: func(c *cli.Context, _ command.Streams, root files.Root) (int, error) {
			ctx, cancel := context.WithTimeout(c.Context, renamesWait)
			defer cancel()
			_, _ = NoteFiles(ctx, root, time.Now()) // without it, former names of files are those noted before
			return 0, nil
		},
	}
}

// renamesWait is how long reindex asks git for the new names of related files.
const renamesWait = 10 * time.Second

func reviewKindWords() (list []command.Suggestion) {
	for _, k := range Kinds {
		list = append(list, command.Suggestion{Word: string(k.Kind), Meaning: k.Meaning})
	}
	return list
}

func runReview(c *cli.Context, std command.Streams) error {
	only, err := reviewKinds(c)
	if err != nil {
		return err
	}
	w, err := command.ExistingWriter(c, std)
	if err != nil {
		return err
	}
	switch {
	case c.IsSet("verdict"):
		return runVerdict(c, std, w)
	case c.Bool("agent"):
		return runAgent(c, std, w)
	}
	targets, err := reviewTargets(c.Context, w.Root, c.Args().Slice())
	if err != nil {
		return err
	}
	if c.Bool("confirm") {
		return confirmMemories(c, std, w, targets)
	}
	if c.Bool("fix") && len(only) == 0 {
		only = []Kind{Renamed}
	}
	o := Options{Now: w.Now(), Only: only, Targets: targets, Days: c.Int("days"), Commits: c.Int("commits"),
		Progress: console.Progress(std.Err, "reading commits")}
	report, err := Run(c.Context, w.Root, o)
	if err != nil {
		return err
	}
	if c.Bool("interactive") {
		return answerFindings(c, std, w, report.Findings)
	}
	if c.Bool("fix") {
		return fixReviewed(c, std, w, report)
	}
	if len(only)+len(targets) == 0 {
		_ = observe.RecordReview(w.Root, w.Now(), len(report.Findings)) // for the next session's start
	}
	if !c.Bool("json") {
		for _, note := range report.Notes {
			console.Note(std.Err, "note: %s", note)
		}
	}
	if err := command.PrintPaged(c, std, listOf(report, c.Bool("all") || len(targets) > 0), "review"); err != nil {
		return err
	}
	if report.Counts[Changed]+report.Counts[Open]+report.Counts[Unused] > 0 && !c.Bool("json") {
		console.Hint(std.Err, `"memctl review ID --confirm" notes that a memory still applies`)
	}
	if c.Bool("strict") && len(report.Findings) > 0 {
		return console.ErrFindings
	}
	return nil
}

// reviewKinds reads --only, and refuses flags that contradict each other.
func reviewKinds(c *cli.Context) (only []Kind, err error) {
	for _, name := range c.StringSlice("only") {
		kind := strings.ToLower(strings.TrimSpace(name))
		if err := command.OneOf("only", command.WordsOf(reviewKindWords()))(c, kind); err != nil {
			return nil, err
		}
		only = append(only, Kind(kind))
	}
	switch {
	case c.Bool("agent") && (c.IsSet("only") || c.Args().Present()) || c.Bool("agent") && c.IsSet("verdict"):
		return nil, console.Usagef("--agent works only with --days and --json")
	case c.IsSet("because") && !c.IsSet("verdict"):
		return nil, console.Usagef("--because needs --verdict")
	case (c.Bool("agent") || c.IsSet("verdict")) && (c.Bool("interactive") || c.Bool("fix") || c.Bool("confirm") ||
		c.Bool("strict") || c.Bool("all")):
		return nil, console.Usagef("--agent and --verdict work without --interactive, --fix, --confirm, --strict and " +
			"--all")
	case c.Bool("interactive") && (c.Bool("json") || c.Bool("fix") || c.Bool("confirm") || c.Bool("strict") ||
		c.Bool("all")):
		return nil, console.Usagef("--interactive works only with --only, --days, --commits and ids")
	case c.Bool("confirm") && !c.Args().Present():
		return nil, console.Usagef("--confirm needs the ids of memories that still apply")
	case c.Bool("all") && (c.Bool("fix") || c.Bool("confirm")):
		return nil, console.Usagef("--all works only without --fix and --confirm")
	case c.Bool("confirm") && (c.Bool("fix") || c.Bool("dry-run") || c.Bool("strict")):
		return nil, console.Usagef("--confirm works only with ids")
	case !c.Bool("fix") && (c.Bool("yes") || c.Bool("dry-run")):
		return nil, console.Usagef("--yes and --dry-run need --fix")
	case c.Bool("fix") && c.Bool("json") && !c.Bool("yes") && !c.Bool("dry-run"):
		return nil, console.Usagef("--fix --json needs --yes or --dry-run")
	}
	return only, nil
}

// reviewTargets returns the paths below the root of the memories with names.
func reviewTargets(ctx context.Context, root files.Root, names []string) ([]string, error) {
	var paths []string
	for _, name := range names {
		ref, err := command.ResolveMemory(ctx, root, name)
		if err != nil {
			return nil, err
		}
		paths = append(paths, ref.Path)
	}
	return paths, nil
}

// fixReviewed shows the fixes of a report and applies them if the person agrees.
func fixReviewed(c *cli.Context, std command.Streams, w *writer.Writer, report Report) error {
	fixes := report.Fixes()
	dryRun := c.Bool("dry-run")
	if len(fixes) == 0 || dryRun {
		return command.PrintResult(c, std, fixes, fixesAnswer(dryRun))
	}
	if !c.Bool("yes") {
		if !command.CanAsk(std) {
			return console.Misused("--yes fixes them, --dry-run shows them",
				"%s can be fixed, but there is no terminal to ask on", command.Memories(len(fixes)))
		}
		if err := std.Say(std.Err, fixesAnswer(true), fixes); err != nil {
			return err
		}
		yes, err := command.Ask(c.Context, std,
			fmt.Sprintf("Write the new names into %s?", command.Memories(len(fixes))), false)
		if err != nil || !yes {
			if err == nil {
				console.Note(std.Err, "nothing was changed")
			}
			return err
		}
	}
	failed, err := applyFixes(c.Context, w, fixes)
	if err != nil {
		return err
	}
	return command.PrintFindings(c, std, fixes, fixesAnswer(false), failed > 0)
}

// applyFixes writes fixes. An error of one memory does not stop the others.
func applyFixes(ctx context.Context, w *writer.Writer, fixes []Fix) (failed int, err error) {
	for i := range fixes {
		f := &fixes[i]
		saved, err := w.RenameFiles(ctx, f.Path, f.Renames)
		switch {
		case ctx.Err() != nil:
			return failed, ctx.Err()
		case err != nil:
			f.Error = err.Error()
			failed++
		case saved.Status == "unchanged":
			f.Error = fmt.Sprintf("%s no longer has the related files", f.Path)
			failed++
		default:
			f.Done = true
		}
	}
	return failed, nil
}

func confirmMemories(c *cli.Context, std command.Streams, w *writer.Writer, targets []string) error {
	var results []writer.Saved
	var errs []error
	for _, target := range targets {
		saved, err := w.Confirm(c.Context, target)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		results = append(results, saved)
	}
	err := command.PrintResult(c, std, command.NotNil(results), "reviewed")
	return errors.Join(append(errs, err)...)
}

func fixesAnswer(dryRun bool) string { return command.Choose(dryRun, "fixes to make", "fixes made") }

func fixed(fixes []Fix) int {
	return len(fixes) - len(slices.DeleteFunc(slices.Clone(fixes), func(f Fix) bool { return f.Done }))
}

// answerFindings goes through findings one by one. The letters are the keys of the start page of
// "memctl ui".
func answerFindings(c *cli.Context, std command.Streams, w *writer.Writer, findings []Finding) error {
	if !command.CanAsk(std) {
		return console.Misused("without it the findings are listed", "--interactive asks, but there is no terminal "+
			"to ask on")
	}
	answered := 0
	for i, f := range findings {
		fmt.Fprintf(std.Err, "\n%d of %d  %s  %s\n  %s\n", i+1, len(findings), f.Kind, text.Printable(f.Title),
			text.Printable(f.In(text.English)))
		for _, line := range f.Further() {
			fmt.Fprintf(std.Err, "  | %s\n", text.Printable(line))
		}
		done, err := answerFinding(c, std, w, f)
		if errors.Is(err, io.EOF) { // the person has had enough
			break
		}
		if err != nil {
			return err
		}
		if done {
			answered++
		}
	}
	fmt.Fprintf(std.Out, "answered %d of %s\n", answered, text.Plural(len(findings), "finding", "findings"))
	return nil
}

// answerFinding asks until a finding is answered or skipped. What fails is said, and asked again.
func answerFinding(c *cli.Context, std command.Streams, w *writer.Writer, f Finding) (done bool, err error) {
	choices := []string{"e correct"}
	for _, a := range f.Answers() {
		choices = append(choices, fmt.Sprintf("%c %s", a[0], a))
	}
	same, repeats := f.Repeats()
	if repeats {
		choices = append(choices, "m merge")
	}
	question := strings.Join(append(choices, "s skip", "q quit"), ", ") + " > "
	for {
		typed, err := command.NewDialog(c.Context, std).Line(question)
		if err != nil {
			return false, err
		}
		typed = strings.ToLower(strings.TrimSpace(typed))
		at := slices.IndexFunc(f.Answers(), func(a Answer) bool {
			return typed != "" && strings.HasPrefix(string(a), typed)
		})
		switch {
		case typed == "q":
			return false, io.EOF
		case typed == "s" || typed == "":
			return false, nil
		case typed == "e":
			err = correct(c, std, w, f.Path)
		case typed == "m" && repeats:
			err = mergeInto(c, std, w, same)
		case at >= 0:
			err = f.Settle(c.Context, w, f.Answers()[at])
		default:
			continue
		}
		if err == nil || c.Context.Err() != nil {
			return err == nil, c.Context.Err()
		}
		console.Note(std.Err, "%v", err)
	}
}

// correct opens a memory in the editor.
func correct(c *cli.Context, std command.Streams, w *writer.Writer, shown string) error {
	e := command.Edit{Std: std, W: w, Path: strings.TrimPrefix(shown, w.Root.Shown+"/")}
	return e.Run(c)
}

// mergeInto opens the newer of two memories that say the same, and retires the other if the person agrees.
func mergeInto(c *cli.Context, std command.Streams, w *writer.Writer, f Finding) error {
	if err := correct(c, std, w, f.Other.Path); err != nil {
		return err
	}
	yes, err := command.Ask(c.Context, std, fmt.Sprintf("Retire %s, which %s now says too?", f.ID, f.Other.ID), true)
	if err != nil || !yes {
		return err
	}
	_, err = w.Move(c.Context, writer.Retire, f.Path, "merged into "+f.Other.ID)
	return err
}
