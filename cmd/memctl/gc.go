package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"memctl/cmd/console"
	"memctl/hooks"
	"memctl/memdir"
	"memctl/observe"
	"memctl/review"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// collection is what gc collected.
type collection struct {
	writer.Collection
	Observations observe.Removed `json:"observations"`
}

func runGC(c *cli.Context, std streams) error {
	switch {
	case c.Bool("limits"):
		return enforceLimits(c, std)
	case c.IsSet("category"):
		return console.Usagef("--category needs --limits")
	}
	w, err := existingWriter(c, std)
	if err != nil {
		return err
	}
	dryRun := c.Bool("dry-run")
	memories, err := w.Collect(c.Context, dryRun)
	if err != nil {
		return err
	}
	observations, err := observe.Collect(w.Root, w.Config.Observations, w.Now(), dryRun)
	if err != nil {
		return fmt.Errorf("collect observations: %w", err)
	}
	rendered := func(out io.Writer, done collection) {
		printCollection(out, done.Collection, done.Observations, w.Config.Delete.GracePeriodDays)
	}
	return printFindings(c, std, collection{memories, observations}, rendered,
		len(memories.Skipped)+len(observations.Failed) > 0)
}

// printCollection writes which memories were archived or deleted, and the files of
// observations that were removed. graceDays is how long a retired memory can be
// restored.
func printCollection(out io.Writer, c writer.Collection, removed observe.Removed, graceDays int) {
	if len(c.Archived)+len(c.Deleted)+len(removed.Files) == 0 {
		fmt.Fprintln(out, "nothing to collect")
	}
	printCollected(out, doneOr(c.DryRun, "archived"), c.Archived)
	printCollected(out, doneOr(c.DryRun, "deleted"), c.Deleted)
	printSkipped(out, c.Skipped)
	if c.Kept > 0 {
		fmt.Fprintf(out, "%s been retired for less than %s and can be restored\n",
			text.Plural(c.Kept, "memory has", "memories have"), text.Plural(graceDays, "day", "days"))
	}
	if len(removed.Files) > 0 {
		fmt.Fprintf(out, "%s the observations of %s, %.1f MB:\n", doneOr(c.DryRun, "removed"),
			text.Plural(len(removed.Files), "session", "sessions"), float64(removed.Bytes)/1e6)
	}
	printPaths(out, removed.Files)
	for _, path := range slices.Sorted(maps.Keys(removed.Failed)) {
		fmt.Fprintf(out, "could not remove %s: %s\n", text.Printable(path), text.Printable(removed.Failed[path]))
	}
}

func printCollected(out io.Writer, done string, list []string) {
	if len(list) > 0 {
		fmt.Fprintf(out, "%s %s:\n", done, memories(len(list)))
	}
	printPaths(out, list)
}

func enforceLimits(c *cli.Context, std streams) error {
	categories, err := readCategories(c)
	if err != nil {
		return err
	}
	w, err := existingWriter(c, std)
	if err != nil {
		return err
	}
	enforcement, err := w.Enforce(c.Context, categories, c.Bool("dry-run"))
	if err != nil {
		return err
	}
	return printFindings(c, std, enforcement, printEnforcement, len(enforcement.Skipped) > 0)
}

// printEnforcement writes which memories were retired, and why.
func printEnforcement(out io.Writer, e writer.Enforcement) {
	if len(e.Retired) == 0 {
		fmt.Fprintln(out, "every category is within its limits")
	} else {
		fmt.Fprintf(out, "%s %s:\n", doneOr(e.DryRun, "retired"), memories(len(e.Retired)))
	}
	for _, r := range e.Retired {
		fmt.Fprintf(out, "  %s: %s\n", text.Printable(r.Path), text.Printable(r.Reason))
		if len(r.OnlyHere) > 0 {
			fmt.Fprintf(out, "    [WARN] no other active memory says: %s\n",
				text.Printable(strings.Join(r.OnlyHere, "; ")))
		}
	}
	printSkipped(out, e.Skipped)
}

func runScrub(c *cli.Context, std streams) error {
	st, w, err := newWriter(c, std)
	if err == nil {
		_, err = st.Root()
	}
	if err != nil {
		return err
	}
	targets := c.Args().Slice()
	for i, name := range targets {
		if targets[i], err = fullName(c.Context, st, name); err != nil {
			return err
		}
	}
	dryRun := c.Bool("dry-run")
	w.Lasting = true // the index is rebuilt below
	s, err := w.Scrub(c.Context, targets, dryRun, console.Progress(std.Err, "scrubbing"))
	if err != nil {
		return err
	}
	changed := len(s.Changed) + len(s.Sessions) + len(s.Aside)
	if !dryRun && (changed > 0 || len(targets) == 0) {
		rebuildScrubbed(c.Context, std, w)
	}
	if !dryRun && changed > 0 {
		console.Note(std.Err, "note: versions of these files that were committed stay in the history of git; change "+
			"the secrets themselves")
	}
	return printFindings(c, std, s, printScrubbing, len(s.Skipped) > 0)
}

// rebuildScrubbed replaces the index, because deleted text stays in its file, and takes
// the text out of the catalogue. A scrub of everything does so even if it changes
// nothing: the one before may have been cut short.
func rebuildScrubbed(ctx context.Context, std streams, w *writer.Writer) {
	if _, err := store.RebuildIndex(ctx, w.Root, reindexWait, console.Progress(std.Err, "indexing")); err != nil {
		console.Warning(std.Err, `the index still holds bytes of what was taken out: %v; run "memctl reindex"`, err)
	}
	if err := (store.Catalogue{}).Scrubbed(ctx, w.Root); err != nil {
		console.Warning(std.Err, `the catalogue of all projects may still hold what was taken out: %v; run "memctl roots rebuild"`, err)
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
		fmt.Fprintf(out, "%s the observations of %s:\n", doneOr(s.DryRun, "scrubbed"), text.Plural(len(s.Sessions), "session", "sessions"))
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

// reindexWait is how long another rebuild may take before this one gives up.
const reindexWait = 2 * time.Minute

// renamesWait is how long reindex asks git for the new names of related files.
const renamesWait = 10 * time.Second

func runReindex(c *cli.Context, std streams, root memdir.Root) error {
	hooks.LimitMemory() // what session start leaves to reindex is large
	summary, err := store.RebuildIndex(c.Context, root, reindexWait, console.Progress(std.Err, "indexing"))
	if err != nil {
		return fmt.Errorf("rebuild the index: %w", err)
	}
	ctx, cancel := context.WithTimeout(c.Context, renamesWait)
	defer cancel()
	_ = review.NoteFiles(ctx, root, time.Now()) // without it, former names of files are those noted before
	st := store.At(root, storeOptions(std))
	if settings := st.Meaning(); settings != nil {
		settings.Recover()
	}
	vectors, meantErr := st.MakeVectors(c.Context, root, console.Progress(std.Err, "making vectors"))
	if c.Context.Err() != nil {
		return c.Context.Err()
	}
	if meantErr != nil { // the index is complete without them
		console.Warning(std.Err, "%v; a later save, session or reindex goes on with the vectors", meantErr)
	}
	if c.Bool("json") {
		return writeJSON(std.Out, newRebuilt(summary))
	}
	printRebuilt(std.Out, summary)
	if vectors > 0 {
		fmt.Fprintf(std.Out, "made vectors of %s\n", text.Plural(vectors, "text", "texts"))
	}
	return nil
}

// rebuilt is the answer in JSON.
type rebuilt struct {
	Memories  map[schemas.Status]int `json:"memories"` // every status, also where the count is 0
	Broken    int                    `json:"problem_count"`
	Problems  []schemas.Problem      `json:"problems"` // the first ones
	Twins     []schemas.Problem      `json:"twins,omitempty"`
	ElapsedMS int64                  `json:"elapsed_ms"`
}

func newRebuilt(s *store.Summary) rebuilt {
	r := rebuilt{map[schemas.Status]int{}, s.Broken, notNil(s.Problems), s.Twins, s.Elapsed.Milliseconds()}
	for _, status := range schemas.Statuses {
		r.Memories[status] = 0
	}
	maps.Copy(r.Memories, s.Memories)
	return r
}

// printRebuilt writes what a new index holds.
func printRebuilt(out io.Writer, s *store.Summary) {
	memories := s.Files() - s.Broken
	active, retired, archived := s.Memories[schemas.Active], s.Memories[schemas.Retired], s.Memories[schemas.Archived]
	fmt.Fprintf(out, "indexed %s: %d active, %d retired, %d archived", text.Plural(memories, "memory", "memories"),
		active, retired, archived)
	if n := memories - active - retired - archived; n > 0 {
		fmt.Fprintf(out, ", %d of other status", n)
	}
	fmt.Fprintf(out, ", in %v\n", s.Elapsed.Round(time.Millisecond))
	printProblems(out, s.Broken, s.Problems)
	printTwins(out, s.Twins)
}
