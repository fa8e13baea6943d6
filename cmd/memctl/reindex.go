package main

import (
	"fmt"
	"io"
	"maps"
	"time"

	"memctl/hooks"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/store"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// reindexWait is how long another rebuild may take before this one gives up.
const reindexWait = 2 * time.Minute

func reindexCommand(std streams) *cli.Command {
	return newCommand(std, "reindex", rooted(runReindex), rootFlag(), jsonFlag())
}

func runReindex(c *cli.Context, std streams, root memdir.Root) error {
	hooks.LimitMemory() // what session start leaves to reindex is large
	summary, err := store.RebuildIndex(c.Context, root, reindexWait, term.Progress(std.Err, "indexing"))
	if err != nil {
		return fmt.Errorf("rebuild the index: %w", err)
	}
	if c.Bool("json") {
		return writeJSON(std.Out, newRebuilt(summary))
	}
	printRebuilt(std.Out, summary)
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
