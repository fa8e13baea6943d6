package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

const statusDescription = `Says what the memory root holds: memories by category and status, the state of the
index, files that are no memories, and the settings in force.`

func statusCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "status",
		Usage:       "say what the memory root holds",
		Description: statusDescription,
		Flags:       []cli.Flag{rootFlag(), jsonFlag()},
		Action: func(c *cli.Context) error {
			if err := noArguments(c, ""); err != nil {
				return err
			}
			root, cfg, err := findConfigured(c, std)
			if err != nil {
				return err
			}
			s, err := readStatus(c.Context, root, cfg)
			if err != nil {
				return err
			}
			if c.Bool("json") {
				return writeJSON(std.out, s)
			}
			s.print(std.out)
			return nil
		},
	}
}

type statusReport struct {
	Root     string                                      `json:"root"`
	Memories map[schemas.Category]map[schemas.Status]int `json:"memories"`
	Index    indexReport                                 `json:"index"`
	Problems []db.Problem                                `json:"problems"`
	Config   schemas.Config                              `json:"config"`
}

type indexReport struct {
	Path      string `json:"path"`
	SizeBytes int64  `json:"size_bytes"`
	BuiltAt   string `json:"built_at"`
	// State says whether the index was found up to date.
	State string `json:"state"`
}

func readStatus(ctx context.Context, root memdir.Root, cfg schemas.Config) (statusReport, error) {
	s := statusReport{Root: root.Path, Config: cfg, Memories: map[schemas.Category]map[schemas.Status]int{}}
	for _, info := range schemas.Categories {
		s.Memories[info.Category] = everyStatus(nil)
	}
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		counts, err := retrieve.Counts(ctx, ix.DB)
		if err != nil {
			return err
		}
		for _, c := range counts {
			if s.Memories[c.Category] == nil {
				s.Memories[c.Category] = everyStatus(nil)
			}
			s.Memories[c.Category][c.Status] = c.N
		}
		s.Index = indexReport{Path: root.Join(memdir.IndexName), State: stateOf(ix)}
		return ix.View(ctx, func(tx *db.Tx) (err error) {
			if s.Index.BuiltAt, err = tx.Meta("built_at"); err != nil {
				return err
			}
			s.Problems, err = tx.Problems()
			return err
		})
	})
	if info, err := os.Stat(root.Join(memdir.IndexName)); err == nil {
		s.Index.SizeBytes = info.Size()
	}
	s.Problems = nonNil(s.Problems)
	return s, err
}

func stateOf(ix *indexer.Index) string {
	switch {
	case ix.InMemory != nil:
		return fmt.Sprintf("not usable, answered from memory: %v", ix.InMemory)
	case ix.Rebuilt != nil:
		return "rebuilt just now: " + rebuildReason(ix.Rebuilt.Reason)
	case ix.Changed > 0:
		return fmt.Sprintf("up to date, after taking in %s", plural(ix.Changed, "changed file", "changed files"))
	}
	return "up to date"
}

func (s statusReport) print(out io.Writer) {
	fmt.Fprintf(out, "%s\n\n%-16s %8s %8s %8s\n", s.Root, "", "active", "retired", "archived")
	total := everyStatus(nil)
	for _, info := range schemas.Categories {
		printCounts(out, string(info.Category), s.Memories[info.Category])
		for status, n := range s.Memories[info.Category] {
			total[status] += n
		}
	}
	printCounts(out, "total", total)
	fmt.Fprintf(out, "\nindex: %s, %s, built %s\n", s.Index.State, sizeOf(s.Index.SizeBytes), s.Index.BuiltAt)
	printProblems(out, s.Problems)
	r := s.Config.Retrieval
	retrieval := "off"
	if r.Enabled {
		retrieval = fmt.Sprintf("on, %s, at most %d a prompt", r.MatchStrategy, r.MaxInject)
	}
	fmt.Fprintf(out, "retrieval: %s\n", retrieval)
	fmt.Fprintf(out, "triage: %s, last %d messages\n", onOff(s.Config.Triage.Enabled), s.Config.Triage.MaxMessages)
	for _, info := range schemas.Categories {
		if line := categorySettings(s.Config.Categories[info.Category]); line != "" {
			fmt.Fprintf(out, "%s: %s\n", info.Category, line)
		}
	}
}

func printCounts(out io.Writer, name string, counts map[schemas.Status]int) {
	fmt.Fprintf(out, "%-16s %8d %8d %8d\n", name, counts[schemas.Active], counts[schemas.Retired], counts[schemas.Archived])
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func sizeOf(bytes int64) string {
	if bytes < 1<<20 {
		return fmt.Sprintf("%d KiB", (bytes+1023)/1024)
	}
	return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
}

// categorySettings says what of a category's settings is out of the ordinary.
func categorySettings(c schemas.CategoryConfig) string {
	var parts []string
	if !c.Enabled {
		parts = append(parts, "disabled")
	}
	if !c.AutoCapture {
		parts = append(parts, "not captured automatically")
	}
	if c.RetentionDays > 0 {
		parts = append(parts, fmt.Sprintf("kept %d days", c.RetentionDays))
	}
	if c.MaxRetained > 0 {
		parts = append(parts, fmt.Sprintf("the last %d stay active", c.MaxRetained))
	}
	return strings.Join(parts, ", ")
}
