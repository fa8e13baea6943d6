package main

import (
	"context"
	"fmt"
	"io"

	"memctl/indexer"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const scrubDescription = `Takes private sections and secrets out of memories that were stored before there was
a filter, or past it: by hand, by another program, with other settings or by fewer
rules. All memories of every status and all observations, or those named by path or
id. docs/privacy.md has the rules.

   memctl scrub --dry-run
   memctl scrub decisions/jwt-key-rotation.json

Each memory that is changed says so in its history, by kind and number, never in
words; updated_at stays. The index is made anew, for an old one keeps bytes of what
it held. Files that are no memories are named and left alone, and so are observations
that were written to in the last hour, for the session may go on.

What was committed stays in the history of git, and a secret that stood in a file is
known to whoever read it: change the secret itself.

Exit status: 0 done, 1 something was left as it is, which is named, 2 wrong usage.`

func scrubCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "scrub",
		Usage:       "take private sections and secrets out of what is stored",
		ArgsUsage:   "[PATH...]",
		Description: scrubDescription,
		Flags:       []cli.Flag{rootFlag(), dryRunFlag(), jsonFlag()},
		Action: func(c *cli.Context) error {
			w, err := existingWriter(c, std)
			if err != nil {
				return err
			}
			return runScrub(c.Context, std, w, c.Args().Slice(), c.Bool("dry-run"), c.Bool("json"))
		},
	}
}

func runScrub(ctx context.Context, std streams, w *writer.Writer, targets []string, dryRun, asJSON bool) error {
	w.Lasting = true // the index that it tells is made anew below
	s, err := w.Scrub(ctx, targets, dryRun, progress(std.Err, "scrubbing"))
	if err != nil {
		return err
	}
	changed := len(s.Changed) + len(s.Sessions)
	if !dryRun && (changed > 0 || len(targets) == 0) {
		renewIndex(ctx, std, w)
	}
	if !dryRun && changed > 0 {
		fmt.Fprintln(std.Err, "memctl: note: versions of these files that were committed stay in the history of git; change the secrets themselves")
	}
	if asJSON {
		err = writeJSON(std.Out, s)
	} else {
		printScrubbing(std.Out, s)
	}
	if err == nil && len(s.Skipped) > 0 {
		return errFindings
	}
	return err
}

// renewIndex does away with the index, in whose file deleted text stays: after a
// scrub that was cut short too, for who runs it again changes nothing.
func renewIndex(ctx context.Context, std streams, w *writer.Writer) {
	if _, err := indexer.Rebuild(ctx, w.Root, reindexWait, progress(std.Err, "indexing")); err != nil {
		fmt.Fprintf(std.Err, "memctl: warning: the index still holds bytes of what was taken out: %v; run \"memctl reindex\"\n", err)
	}
}

func printScrubbing(out io.Writer, s writer.Scrubbing) {
	if len(s.Changed) == 0 {
		fmt.Fprintf(out, "nothing to scrub in %s\n", text.Plural(s.Looked, "memory", "memories"))
	} else {
		fmt.Fprintf(out, "%s %s of %d: %s\n", doneOr(s.DryRun, "scrubbed"), text.Plural(len(s.Changed), "memory", "memories"), s.Looked, s.Privacy)
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
		fmt.Fprintf(out, "%s the observations of %s:\n", doneOr(s.DryRun, "scrubbed"), text.Plural(len(s.Sessions), "session", "sessions"))
	}
	for _, session := range s.Sessions {
		fmt.Fprintf(out, "  %s: %s\n", text.Printable(session.Path), session.Privacy)
	}
	printSkipped(out, s.Skipped)
}
