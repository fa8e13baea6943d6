// Command synth writes a synthetic memory store (package store), for benchmarks
// and for trying memctl at a size no project has by hand.
//
//	go run ./tools/synth -n 10000 DIR
//
// DIR becomes a project with DIR/.claude/memory.
package main

import (
	"flag"
	"fmt"
	"os"

	"memctl/tools/synth/store"
)

func main() {
	n := flag.Int("n", 600, "number of memories")
	seed := flag.Int64("seed", 1, "seed of the generator")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := store.Write(flag.Arg(0), *n, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "synth:", err)
		os.Exit(1)
	}
}
