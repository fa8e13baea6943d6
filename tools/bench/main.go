// Command bench measures memctl as its users run it: a cold process for each
// prompt, on stores of several sizes, beside floors that no such program can beat.
//
//	go run ./tools/bench [-sizes 600,10000,100000] [-runs 21] [-memctl bin/memctl] [-json FILE]
//
// The time is from the start of a process to its exit. All measurements of a
// store run in turn (A B C A B C ...), so that a machine that slows down slows all
// of them, and each ratio is the median of the ratios of single rounds. Read the
// ratios first: milliseconds compare two runs on one quiet machine only. A min far
// below its median says that the machine was busy.
//
// The floors are an empty Go process, one that opens the index and selects 1,
// and the sqlite3 program (in C) answering the plain token join, without prefixes,
// descriptions or recency. Peak memory is the largest resident size of all runs;
// with a "≤" the program may have needed less (package child says why).
//
// Before the stores come two figures of the sample store: what the layers of
// disclosure cost in tokens, and how large an MCP server has grown after 10,000
// requests.
//
// Nothing here fails because of a slow figure: a target that is not met is a
// word in the table. Exit status: 0 measured, 1 something could not be run, 2
// wrong usage.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
)

type options struct {
	sizes  []int
	runs   int
	memctl string
	json   string // "" for none
}

func main() {
	opts, err := parseFlags()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err = run(ctx, os.Stdout, opts)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func parseFlags() (options, error) {
	var o options
	sizes := flag.String("sizes", "600,10000,100000", "memories in a store, a `LIST`")
	flag.IntVar(&o.runs, "runs", 21, "rounds of measurements; reindex has fewer")
	flag.StringVar(&o.memctl, "memctl", "bin/memctl", "the `PROGRAM` to measure")
	flag.StringVar(&o.json, "json", "", "write every sample to `FILE`")
	flag.Parse()
	if flag.NArg() > 0 || o.runs < 1 {
		return o, fmt.Errorf("unexpected argument %q, or -runs below 1", flag.Arg(0))
	}
	for field := range strings.SplitSeq(*sizes, ",") {
		size, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil || size < 1 {
			return o, fmt.Errorf("-sizes: %q is no number of memories", field)
		}
		o.sizes = append(o.sizes, size)
	}
	return o, nil
}

func run(ctx context.Context, out io.Writer, opts options) error {
	dir, err := os.MkdirTemp("", "memctl-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p, err := startPrograms(ctx, dir, opts.memctl)
	if err != nil {
		return err
	}
	defer p.runner.Close()
	r := newReport(p, opts)
	r.printHead(out)
	if err := r.disclosure(ctx, out, p); err != nil {
		return err
	}
	for _, size := range opts.sizes {
		s, err := benchStore(ctx, p, size, opts.runs)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%d memories: %w", size, err)
		}
		r.Stores = append(r.Stores, s)
		s.print(out)
	}
	return r.write(opts.json)
}

// disclosure measures what does not depend on the size of a store.
func (r *report) disclosure(ctx context.Context, out io.Writer, p *programs) (err error) {
	if r.Tokens, err = countTokens(p); err != nil {
		return err
	}
	printTokens(out, r.Tokens)
	if r.Server, err = askServer(ctx, p); err != nil {
		return err
	}
	r.Server.print(out)
	return nil
}

// benchStore makes the stores of one size, measures, and removes them.
func benchStore(ctx context.Context, p *programs, size, runs int) (storeReport, error) {
	bed, err := newTestbed(p, size)
	if err != nil {
		return storeReport{}, err
	}
	defer bed.remove()
	list := measurements(bed)
	all, err := measure(ctx, bed, list, runs)
	if err != nil {
		return storeReport{}, err
	}
	return newStoreReport(bed, list, all), nil
}

// progress tells a person what is going on.
func progress(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...)
}
