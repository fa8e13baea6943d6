package main

import (
	"fmt"
	"os"
	"path/filepath"

	"memctl/tools/synth/store"
)

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
