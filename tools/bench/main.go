// Command bench measures memctl as its users run it: a new process for each hook and
// command. It compares each with the yardstick, a Go process that opens the index and
// asks it one question (package open).
//
//	go run ./tools/bench [-rounds 41] [-memctl bin/memctl] [-catalogue]
//
// Each round runs everything once, in turn, so that a machine that slows down slows
// all of it. The figure of a run is the user and system time of the process, and a
// ratio is the median of the ratios of the single rounds: both hardly change while
// other programs run. Two rows go by the time that passes instead: a search asked of
// a running MCP server, and the memories that reindex takes in per second.
//
// A limit that is not met is a word in the table, never a failure. Exit status: 0
// measured, 1 something could not be run, 2 wrong usage.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"memctl/tools/synth/store"
)

func main() {
	rounds := flag.Int("rounds", 41, "rounds of measurements")
	memctl := flag.String("memctl", "bin/memctl", "the `PROGRAM` to measure")
	catalogue := flag.Bool("catalogue", false, "measure a search of 100 projects too, which take a minute to make")
	flag.Parse()
	if flag.NArg() > 0 || *rounds < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *memctl, *rounds, *catalogue)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, memctl string, rounds int, catalogue bool) error {
	dir, err := os.MkdirTemp("", "memctl-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Fprintln(os.Stderr, "bench: making the stores")
	b, err := newBed(ctx, dir, memctl)
	if err != nil {
		return err
	}
	defer b.close()
	rows, err := b.rows()
	if err != nil {
		return err
	}
	if catalogue {
		row, err := b.catalogueRow()
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	fmt.Fprintf(os.Stderr, "bench: %d rounds of %d measurements\n", rounds, len(rows))
	for round := range 1 + rounds {
		for _, row := range rows {
			if err := ctx.Err(); err != nil {
				return err
			}
			s, err := row.measure()
			if err != nil {
				return fmt.Errorf("%s: %w", row.name, err)
			}
			if round > 0 { // the first one warms up
				row.samples = append(row.samples, s)
			}
		}
	}
	printTable(os.Stdout, rows)
	return nil
}

// The projects of catalogueRow.
const (
	catalogued     = 100
	cataloguedSize = 1000
)

// catalogueRow is a search of all projects.
func (b *bed) catalogueRow() (*row, error) {
	fmt.Fprintf(os.Stderr, "bench: making %d projects\n", catalogued)
	for i := range catalogued {
		dir := filepath.Join(b.dir, "catalogued", fmt.Sprint(i))
		if err := store.Write(dir, cataloguedSize, seed+int64(i)); err != nil {
			return nil, err
		}
		if _, err := b.run(process{command: []string{b.memctl, "roots", "add", dir}, stdout: "added"}); err != nil {
			return nil, err
		}
	}
	return &row{
		name: fmt.Sprintf("search --all, %d x %d", catalogued, cataloguedSize),
		measure: b.always(process{command: []string{b.memctl, "search", "--all", b.stores[small].quiet.prompt},
			stdout: "relevance"}),
	}, nil
}
