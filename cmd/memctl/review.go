package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"memctl/cmd/console"
	"memctl/features/review"
	"memctl/features/sessions"
	"memctl/files"
	"memctl/hooks"
	"memctl/observe"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func reviewKindWords() (list []suggestion) {
	for _, k := range review.Kinds {
		list = append(list, suggestion{string(k.Kind), k.Meaning})
	}
	return list
}

func runReview(c *cli.Context, std streams) error {
	only, err := reviewKinds(c)
	if err != nil {
		return err
	}
	w, err := existingWriter(c, std)
	if err != nil {
		return err
	}
	targets, err := reviewTargets(c.Context, w.Root, c.Args().Slice())
	if err != nil {
		return err
	}
	if c.Bool("confirm") {
		return confirmMemories(c, std, w, targets)
	}
	if c.Bool("fix") && len(only) == 0 {
		only = []review.Kind{review.Renamed}
	}
	o := review.Options{Now: w.Now(), Only: only, Targets: targets, Days: c.Int("days"), Commits: c.Int("commits"),
		Progress: console.Progress(std.Err, "reading commits")}
	report, err := review.Run(c.Context, w.Root, o)
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
	if err := printPaged(c, std, report, "review"); err != nil {
		return err
	}
	if report.Counts[review.Changed]+report.Counts[review.Open]+report.Counts[review.Unused] > 0 && !c.Bool("json") {
		console.Hint(std.Err, `"memctl review ID --confirm" notes that a memory still applies`)
	}
	if c.Bool("strict") && len(report.Findings) > 0 {
		return console.ErrFindings
	}
	return nil
}

// reviewKinds reads --only, and refuses flags that contradict each other.
func reviewKinds(c *cli.Context) (only []review.Kind, err error) {
	for _, name := range c.StringSlice("only") {
		kind := strings.ToLower(strings.TrimSpace(name))
		if err := oneOf("only", wordsOf(reviewKindWords()))(c, kind); err != nil {
			return nil, err
		}
		only = append(only, review.Kind(kind))
	}
	switch {
	case c.Bool("interactive") && (c.Bool("json") || c.Bool("fix") || c.Bool("confirm") || c.Bool("strict")):
		return nil, console.Usagef("--interactive works only with --only, --days, --commits and ids")
	case c.Bool("confirm") && !c.Args().Present():
		return nil, console.Usagef("--confirm needs the ids of memories that still apply")
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
		ref, err := resolveMemory(ctx, root, name)
		if err != nil {
			return nil, err
		}
		paths = append(paths, ref.Path)
	}
	return paths, nil
}

// fixReviewed shows the fixes of a report and applies them if the person agrees.
func fixReviewed(c *cli.Context, std streams, w *writer.Writer, report review.Report) error {
	fixes := report.Fixes()
	dryRun := c.Bool("dry-run")
	if len(fixes) == 0 || dryRun {
		return printResult(c, std, fixes, fixesAnswer(dryRun))
	}
	if !c.Bool("yes") {
		if !canAsk(std) {
			return console.Misused("--yes fixes them, --dry-run shows them",
				"%s can be fixed, but there is no terminal to ask on", memories(len(fixes)))
		}
		if err := say(std.Err, fixesAnswer(true), fixes); err != nil {
			return err
		}
		yes, err := ask(c.Context, std, fmt.Sprintf("Write the new names into %s?", memories(len(fixes))), false)
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
	return printFindings(c, std, fixes, fixesAnswer(false), failed > 0)
}

// applyFixes writes fixes. An error of one memory does not stop the others.
func applyFixes(ctx context.Context, w *writer.Writer, fixes []review.Fix) (failed int, err error) {
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

func confirmMemories(c *cli.Context, std streams, w *writer.Writer, targets []string) error {
	var done []writer.Saved
	var errs []error
	for _, target := range targets {
		saved, err := w.Confirm(c.Context, target)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		done = append(done, saved)
	}
	err := printResult(c, std, notNil(done), "reviewed")
	return errors.Join(append(errs, err)...)
}

// reviewAfterwards adds a review, at most once a day, and the sessions that ended since the last one
// to what a hook does once it has answered.
func reviewAfterwards(hook hooks.Hook) hooks.Hook {
	before := hook.Afterwards
	if before == nil || hook.Name != "session-start" {
		return hook
	}
	hook.Afterwards = func(ctx context.Context, call *hooks.Call) {
		before(ctx, call)
		if root, err := call.Root(); err == nil {
			_ = review.Refresh(ctx, root, time.Now()) // no one waits for it
			_ = review.NoteBranch(ctx, root)
			_ = sessions.Note(ctx, root.Project) // likewise
		}
	}
	return hook
}

func fixesAnswer(dryRun bool) string { return choose(dryRun, "fixes to make", "fixes made") }

func fixed(fixes []review.Fix) int {
	return len(fixes) - len(slices.DeleteFunc(slices.Clone(fixes), func(f review.Fix) bool { return f.Done }))
}

// answerFindings goes through findings one by one. The letters are the keys of the start page of
// "memctl ui".
func answerFindings(c *cli.Context, std streams, w *writer.Writer, findings []review.Finding) error {
	if !canAsk(std) {
		return console.Misused("without it the findings are listed", "--interactive asks, but there is no terminal "+
			"to ask on")
	}
	answered := 0
	for i, f := range findings {
		fmt.Fprintf(std.Err, "\n%d of %d  %s  %s\n  %s\n", i+1, len(findings), f.Kind, text.Printable(f.Title),
			text.Printable(f.Reason))
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
func answerFinding(c *cli.Context, std streams, w *writer.Writer, f review.Finding) (done bool, err error) {
	choices := []string{"e correct"}
	for _, a := range f.Answers() {
		choices = append(choices, fmt.Sprintf("%c %s", a[0], a))
	}
	if f.Kind == review.Similar {
		choices = append(choices, "m merge")
	}
	question := strings.Join(append(choices, "s skip", "q quit"), ", ") + " > "
	for {
		typed, err := newDialog(c.Context, std).line(question)
		if err != nil {
			return false, err
		}
		typed = strings.ToLower(strings.TrimSpace(typed))
		at := slices.IndexFunc(f.Answers(), func(a review.Answer) bool {
			return typed != "" && strings.HasPrefix(string(a), typed)
		})
		switch {
		case typed == "q":
			return false, io.EOF
		case typed == "s" || typed == "":
			return false, nil
		case typed == "e":
			err = correct(c, std, w, f.Path)
		case typed == "m" && f.Kind == review.Similar:
			err = mergeInto(c, std, w, f)
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
func correct(c *cli.Context, std streams, w *writer.Writer, shown string) error {
	e := edit{std: std, w: w, path: strings.TrimPrefix(shown, w.Root.Shown+"/")}
	return e.run(c)
}

// mergeInto opens the newer of two memories that say the same, and retires the other if the person agrees.
func mergeInto(c *cli.Context, std streams, w *writer.Writer, f review.Finding) error {
	if err := correct(c, std, w, f.Other.Path); err != nil {
		return err
	}
	yes, err := ask(c.Context, std, fmt.Sprintf("Retire %s, which %s now says too?", f.ID, f.Other.ID), true)
	if err != nil || !yes {
		return err
	}
	_, err = w.Move(c.Context, writer.Retire, f.Path, "merged into "+f.Other.ID)
	return err
}
