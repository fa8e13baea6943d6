package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const reindexDescription = `Makes index.db from nothing and says what it found. There is seldom a need: every
command brings the index up to date, and rebuilds it when it is damaged. Others go
on reading the old index meanwhile; Ctrl-C leaves it in place.

Files that are no memories are listed and the index is complete without them; to
fail on them there is "memctl validate".

Exit status: 0 done, 1 the index could not be made, 2 wrong usage.`

// reindexWait is how long another rebuild may take before this one gives up.
const reindexWait = 2 * time.Minute

func reindexCommand(std streams) *cli.Command {
	return wholeRootCommand("reindex", "rebuild the index from the memory files", reindexDescription, func(ctx context.Context, root memdir.Root, asJSON bool) error {
		return runReindex(ctx, std, root, asJSON)
	})
}

// reindexReport is the JSON answer.
type reindexReport struct {
	Memories  map[schemas.Status]int `json:"memories"`
	Problems  []db.Problem           `json:"problems"`
	ElapsedMS int64                  `json:"elapsed_ms"`
}

func runReindex(ctx context.Context, std streams, root memdir.Root, asJSON bool) error {
	s, err := indexer.Rebuild(ctx, root, reindexWait, progress(std.Err, "indexing"))
	if err != nil {
		return fmt.Errorf("rebuild the index: %w", err)
	}
	if asJSON {
		return writeJSON(std.Out, reindexReport{everyStatus(s.Memories), nonNil(s.Problems), s.Elapsed.Milliseconds()})
	}
	printSummary(std.Out, s)
	return nil
}

func printSummary(out io.Writer, s *indexer.Summary) {
	counts := everyStatus(s.Memories)
	fmt.Fprintf(out, "indexed %s: %d active, %d retired, %d archived",
		text.Plural(s.Files()-len(s.Problems), "memory", "memories"), counts[schemas.Active], counts[schemas.Retired], counts[schemas.Archived])
	if n := s.Files() - len(s.Problems) - counts[schemas.Active] - counts[schemas.Retired] - counts[schemas.Archived]; n > 0 {
		fmt.Fprintf(out, ", %d of other status", n)
	}
	fmt.Fprintf(out, ", in %v\n", s.Elapsed.Round(time.Millisecond))
	printProblems(out, s.Problems)
}

// printProblems lists the files that are no memories.
func printProblems(out io.Writer, problems []db.Problem) {
	if len(problems) == 0 {
		return
	}
	fmt.Fprintf(out, "%s:\n", text.Plural(len(problems), "file is no memory", "files are no memories"))
	for _, p := range problems {
		fmt.Fprintf(out, "  %s: %s\n", p.Path, p.Reason)
	}
}

// everyStatus has an entry for each of the three statuses, also where it is 0.
func everyStatus(counts map[schemas.Status]int) map[schemas.Status]int {
	full := map[schemas.Status]int{schemas.Active: 0, schemas.Retired: 0, schemas.Archived: 0}
	for status, n := range counts {
		full[status] = n
	}
	return full
}

// nonNil makes JSON say [] where there is nothing.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
