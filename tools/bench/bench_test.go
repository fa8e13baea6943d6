package bench

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"memctl/store/storetest"
)

var (
	rounds    = flag.Int("rounds", 41, "rounds of measurements")
	memctl    = flag.String("memctl", "../../bin/memctl", "the `PROGRAM` to measure")
	catalogue = flag.Bool("catalogue", false, "measure a search of 100 projects too, which take a minute to make")
)

// BenchmarkMemctl prints the table of all measurements.
func BenchmarkMemctl(t *testing.B) {
	fmt.Fprintln(os.Stderr, "bench: making the stores")
	b, err := newBed(t, *memctl)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	rows, err := b.rows()
	if err != nil {
		t.Fatal(err)
	}
	if *catalogue {
		row, err := b.catalogueRow()
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	fmt.Fprintf(os.Stderr, "bench: %d rounds of %d measurements\n", *rounds, len(rows))
	for round := range 1 + *rounds {
		for _, row := range rows {
			s, err := row.measure()
			if err != nil {
				t.Fatalf("%s: %v", row.name, err)
			}
			if round > 0 { // the first one warms up
				row.samples = append(row.samples, s)
			}
		}
	}
	printTable(os.Stdout, rows)
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
		if err := storetest.Write(dir, cataloguedSize, seed+int64(i)); err != nil {
			return nil, err
		}
		if _, err := b.run(process{command: []string{b.memctl, "roots", "--root", dir}, stdout: "catalogued"}); err != nil {
			return nil, err
		}
	}
	return &row{
		name: fmt.Sprintf("search --all, %d x %d", catalogued, cataloguedSize),
		measure: b.always(process{command: []string{b.memctl, "search", "--all", b.stores[small].quiet.prompt},
			stdout: "relevance"}),
	}, nil
}
