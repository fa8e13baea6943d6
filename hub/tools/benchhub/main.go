// Command benchhub measures a hub that holds a synthetic company: how long publishing
// takes, what searches cost PostgreSQL, and how many of the best memories they find.
//
//	go run -C hub ./tools/benchhub -dsn 'host=/run/postgresql user=postgres dbname=bench' -memories 100000
//
// The database must be empty, or filled by benchhub with the same number of memories. The
// role that connects must be allowed to create roles. Processor times need PostgreSQL on
// the same machine (Linux).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"syscall"

	"memctl/hub"
)

// Who asks: one person may see everything, the other ten repositories.
var (
	everything = hub.Principal{Person: "everything"}
	few        = hub.Principal{Person: "few"}
)

func main() {
	dsn := flag.String("dsn", os.Getenv("MEMCTL_HUB_DSN"), "connection string of an empty database")
	memories := flag.Int("memories", 10_000, "how many memories the company has")
	clients := flag.Int("clients", 16, "how many clients ask at once")
	flag.Parse()
	if flag.NArg() > 0 || *memories < 1 || *clients < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, *dsn, *memories, *clients)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchhub:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, dsn string, memories, clients int) error {
	if dsn == "" {
		return errors.New("no database: give -dsn, or set MEMCTL_HUB_DSN")
	}
	c := newCompany(memories, max(1, memories/100), 1)
	if err := load(ctx, dsn, c); err != nil {
		return err
	}
	prompts := c.prompts()
	// Without a limit, a hub ranks as an index of all memories does; a test holds that.
	all, err := measure(ctx, dsn, everything, hub.Options{MaxConns: 1, Postings: math.MaxInt32}, prompts)
	if err != nil {
		return err
	}
	for _, run := range []struct {
		who     hub.Principal
		clients int
	}{{everything, 1}, {everything, clients}, {few, 1}} {
		m, err := measure(ctx, dsn, run.who, hub.Options{MaxConns: int32(run.clients)}, prompts)
		if err != nil {
			return err
		}
		fmt.Printf("\n%d memories, %s visible, %d at once: ", memories, run.who.Person, run.clients)
		fmt.Printf("%.1f ms of PostgreSQL's processor time a prompt, %.0f prompts a second\n", m.processor, m.rate)
		for _, kind := range kinds {
			fmt.Printf("  %-9s  p50 %5.1f ms  p95 %5.1f ms", kind, m.percentile(kind, 50), m.percentile(kind, 95))
			if run.who.Person == everything.Person {
				fmt.Printf("  of the best %d %.3f", results, m.overlap(kind, all))
			}
			fmt.Println()
		}
	}
	return publishOne(ctx, dsn, c)
}
