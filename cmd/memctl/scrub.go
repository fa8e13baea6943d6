package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"memctl/store"
	"memctl/term"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

func scrubCommand(std streams) *cli.Command {
	return newCommand(std, "scrub", runScrubCommand, rootFlag(), dryRunFlag(), jsonFlag())
}

func runScrubCommand(c *cli.Context, std streams) error { return runScrub(c, std, c.Args().Slice()) }

func runScrub(c *cli.Context, std streams, targets []string) error {
	st, w, err := newWriter(c, std)
	if err == nil {
		_, err = st.Root()
	}
	if err != nil {
		return err
	}
	for i, name := range targets {
		if targets[i], err = fullName(c.Context, st, name); err != nil {
			return err
		}
	}
	dryRun := c.Bool("dry-run")
	w.Lasting = true // the index is rebuilt below
	s, err := w.Scrub(c.Context, targets, dryRun, term.Progress(std.Err, "scrubbing"))
	if err != nil {
		return err
	}
	changed := len(s.Changed) + len(s.Sessions) + len(s.Aside)
	if !dryRun && (changed > 0 || len(targets) == 0) {
		rebuildScrubbed(c.Context, std, w)
	}
	if !dryRun && changed > 0 {
		term.Note(std.Err, "note: versions of these files that were committed stay in the history of git; change "+
			"the secrets themselves")
	}
	return printFindings(c, std, s, printScrubbing, len(s.Skipped) > 0)
}

// rebuildScrubbed replaces the index, because deleted text stays in its file, and takes
// the text out of the catalogue. A scrub of everything does so even if it changes
// nothing: the one before may have been cut short.
func rebuildScrubbed(ctx context.Context, std streams, w *writer.Writer) {
	if _, err := store.RebuildIndex(ctx, w.Root, reindexWait, term.Progress(std.Err, "indexing")); err != nil {
		term.Warning(std.Err, `the index still holds bytes of what was taken out: %v; run "memctl reindex"`, err)
	}
	if err := (store.Catalogue{}).Scrubbed(ctx, w.Root); err != nil {
		term.Warning(std.Err, `the catalogue of all projects may still hold what was taken out: %v; run "memctl roots rebuild"`, err)
	}
}

// printScrubbing writes what was taken out of which files.
func printScrubbing(out io.Writer, s writer.Scrubbing) {
	switch {
	case len(s.Changed) == 0 && s.Looked == 0 && len(s.Skipped) > 0: // skipped names the files
	case len(s.Changed) == 0:
		fmt.Fprintf(out, "nothing to scrub in %s\n", memories(s.Looked))
	default:
		fmt.Fprintf(out, "%s %s of %d: %s\n", doneOr(s.DryRun, "scrubbed"), memories(len(s.Changed)), s.Looked,
			s.Privacy)
	}
	for _, changed := range s.Changed {
		fmt.Fprintf(out, "  %s\n", text.Printable(changed.Path))
		for _, field := range changed.Fields {
			if field.Report.Found() {
				fmt.Fprintf(out, "    %s: %s\n", text.Printable(field.Path), field.Report)
			}
		}
		if changed.RenamedTo != "" {
			fmt.Fprintf(out, "    %s %s\n", doneOr(s.DryRun, "renamed to"), text.Printable(changed.RenamedTo))
		}
	}
	if len(s.Sessions) > 0 {
		fmt.Fprintf(out, "%s the observations of %s:\n", doneOr(s.DryRun, "scrubbed"), sessions(len(s.Sessions)))
	}
	printScrubbed(out, s.Sessions)
	if len(s.Aside) > 0 {
		fmt.Fprintf(out, "%s %s:\n", doneOr(s.DryRun, "scrubbed"),
			text.Plural(len(s.Aside), "file that was set aside", "files that were set aside"))
	}
	printScrubbed(out, s.Aside)
	printSkipped(out, s.Skipped)
}

func printScrubbed(out io.Writer, list []writer.ScrubbedFile) {
	for _, file := range list {
		removed := cmp.Or(file.Privacy.String(), "repeated keys")
		fmt.Fprintf(out, "  %s: %s\n", text.Printable(file.Path), removed)
	}
}
