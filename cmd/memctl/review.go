package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/cmd/console"
	"memctl/hooks"
	"memctl/memdir"
	"memctl/observe"
	"memctl/review"
	"memctl/sessions"
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
		console.Hint(std.Err, `"memctl review ID --confirm" notes that a memory still holds`)
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
		return nil, console.Usagef("--interactive goes with --only, --days, --commits and ids only")
	case c.Bool("confirm") && !c.Args().Present():
		return nil, console.Usagef("--confirm needs the ids of memories that still hold")
	case c.Bool("confirm") && (c.Bool("fix") || c.Bool("dry-run") || c.Bool("strict")):
		return nil, console.Usagef("--confirm goes with ids only")
	case !c.Bool("fix") && (c.Bool("yes") || c.Bool("dry-run")):
		return nil, console.Usagef("--yes and --dry-run go with --fix")
	case c.Bool("fix") && c.Bool("json") && !c.Bool("yes") && !c.Bool("dry-run"):
		return nil, console.Usagef("--fix --json goes with --yes or --dry-run")
	}
	return only, nil
}

// reviewTargets returns the paths below the root of the memories with names.
func reviewTargets(ctx context.Context, root memdir.Root, names []string) ([]string, error) {
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
			gone, _ := review.Refresh(ctx, root, time.Now()) // no one waits for it
			_ = review.NoteBranch(ctx, root)
			if gone {
				_ = review.NoteFiles(ctx, root, time.Now())
			}
			_ = sessions.Note(ctx, root.Project) // likewise
		}
	}
	return hook
}

func fixesAnswer(dryRun bool) string { return choose(dryRun, "fixes to make", "fixes made") }

func fixed(fixes []review.Fix) int {
	return len(fixes) - len(slices.DeleteFunc(slices.Clone(fixes), func(f review.Fix) bool { return f.Done }))
}
