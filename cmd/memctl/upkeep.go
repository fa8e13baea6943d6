package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"time"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/hooks"
	"memctl/observe"
	"memctl/schemas"
	"memctl/store"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

type collection struct {
	writer.Collection
	Observations observe.Removed `json:"observations"`
	GraceDays    int             `json:"-"` // in which a retired memory can be restored
}

func runGC(c *cli.Context, std command.Streams) error {
	switch {
	case c.Bool("limits"):
		return enforceLimits(c, std)
	case c.IsSet("category"):
		return console.Usagef("--category needs --limits")
	}
	w, err := command.ExistingWriter(c, std)
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
	done := collection{memories, observations, w.Config.Delete.GracePeriodDays}
	return command.PrintFindings(c, std, done, "collection", len(memories.Skipped)+len(observations.Failed) > 0)
}

func enforceLimits(c *cli.Context, std command.Streams) error {
	categories, err := command.ReadCategories(c)
	if err != nil {
		return err
	}
	w, err := command.ExistingWriter(c, std)
	if err != nil {
		return err
	}
	enforcement, err := w.Enforce(c.Context, categories, c.Bool("dry-run"))
	if err != nil {
		return err
	}
	return command.PrintFindings(c, std, enforcement, "enforcement", len(enforcement.Skipped) > 0)
}

func runScrub(c *cli.Context, std command.Streams) error {
	st, w, err := command.NewWriter(c, std)
	if err == nil {
		_, err = st.Root()
	}
	if err != nil {
		return err
	}
	targets := c.Args().Slice()
	for i, name := range targets {
		if targets[i], err = command.FullName(c.Context, st, name); err != nil {
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
	return command.PrintFindings(c, std, s, "scrubbing", len(s.Skipped) > 0)
}

// rebuildScrubbed replaces the index, because deleted text stays in its file, and takes
// the text out of the catalogue. A scrub of everything does so even if it changes
// nothing: the one before may have been cut short.
func rebuildScrubbed(ctx context.Context, std command.Streams, w *writer.Writer) {
	if _, err := store.RebuildIndex(ctx, w.Root, reindexWait, console.Progress(std.Err, "indexing")); err != nil {
		console.Warning(std.Err, `the index still has bytes of the removed text: %v; run "memctl reindex"`, err)
	}
	if err := (store.Catalogue{}).Scrubbed(ctx, w.Root); err != nil {
		console.Warning(std.Err,
			`the catalogue of all projects may still have the removed text: %v; run "memctl roots rebuild"`, err)
	}
}

// reindexWait is how long another rebuild may take before this one gives up.
const reindexWait = 2 * time.Minute

func runReindex(c *cli.Context, std command.Streams, root files.Root) error {
	hooks.LimitMemory() // what session start leaves to reindex is large
	summary, err := store.RebuildIndex(c.Context, root, reindexWait, console.Progress(std.Err, "indexing"))
	if err != nil {
		return fmt.Errorf("rebuild the index: %w", err)
	}
	vectors, unmade := remakeVectors(c.Context, store.At(root, command.StoreOptions(std)), root, std)
	for _, f := range std.Features {
		if f.AfterReindex == nil {
			continue
		}
		n, err := f.AfterReindex(c, std, root)
		vectors, unmade = vectors+n, cmp.Or(unmade, err)
	}
	if c.Context.Err() != nil {
		return c.Context.Err()
	}
	command.WarnUnmade(std, unmade)
	return command.PrintResult(c, std, newRebuilt(summary, vectors), "rebuilt")
}

// remakeVectors makes the vectors of a root's memories.
func remakeVectors(ctx context.Context, st *store.Store, root files.Root, std command.Streams) (made int, err error) {
	model := st.Model()
	if model == nil {
		return 0, nil
	}
	model.Recover() // the person asks for the server now
	return st.MakeVectors(ctx, root, console.Progress(std.Err, "making vectors"))
}

type rebuilt struct {
	Memories  map[schemas.Status]int `json:"memories"` // every status, also where the count is 0
	Broken    int                    `json:"problem_count"`
	Problems  []schemas.Problem      `json:"problems"` // the first ones
	Twins     []schemas.Problem      `json:"twins,omitempty"`
	ElapsedMS int64                  `json:"elapsed_ms"`

	All     int           `json:"-"` // memories
	Other   int           `json:"-"` // of them: with a status that memctl does not know
	Elapsed time.Duration `json:"-"`
	Vectors int           `json:"-"`
}

func newRebuilt(s *store.Summary, vectors int) rebuilt {
	r := rebuilt{Memories: map[schemas.Status]int{}, Broken: s.Broken, Problems: command.NotNil(s.Problems),
		Twins: s.Twins, ElapsedMS: s.Elapsed.Milliseconds(), All: s.Files() - s.Broken,
		Elapsed: s.Elapsed.Round(time.Millisecond), Vectors: vectors}
	r.Other = r.All
	for _, status := range schemas.Statuses {
		r.Memories[status] = 0
		r.Other -= s.Memories[status]
	}
	maps.Copy(r.Memories, s.Memories)
	return r
}
