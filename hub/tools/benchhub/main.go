// Command benchhub measures a hub that holds a synthetic company: how long publishing
// takes, whether searches rank as SQLite's index of all memories does, and what they cost
// PostgreSQL.
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
	"os"
	"os/signal"
	"syscall"

	"memctl/hub"
)

// floor is the least evidence of a memory that a prompt gets.
const floor = 0.45

// Who asks: one person may see everything, the other ten repositories.
var (
	everything = hub.Principal{Person: "everything"}
	few        = hub.Principal{Person: "few"}
)

type options struct {
	dsn      string
	memories int
	clients  int
	index    string
}

func main() {
	var o options
	flag.StringVar(&o.dsn, "dsn", os.Getenv("MEMCTL_HUB_DSN"), "connection string of an empty database")
	flag.IntVar(&o.memories, "memories", 10_000, "how many memories the company has")
	flag.IntVar(&o.clients, "clients", 16, "how many clients ask at once")
	flag.StringVar(&o.index, "index", "", "file of SQLite's index of all memories, kept for the next time; a temporary one by default")
	flag.Parse()
	if flag.NArg() > 0 || o.memories < 1 || o.clients < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchhub:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options) error {
	if o.dsn == "" {
		return errors.New("no database: give -dsn, or set MEMCTL_HUB_DSN")
	}
	c := newCompany(o.memories, max(1, o.memories/100), 1)
	if err := load(ctx, o, c); err != nil {
		return err
	}
	r, err := openReference(ctx, o.index, c)
	if err != nil {
		return err
	}
	defer r.close()
	want, err := r.answers(ctx, c.prompts())
	if err != nil {
		return err
	}
	for _, run := range []struct {
		who     hub.Principal
		clients int
	}{{everything, 1}, {everything, o.clients}, {few, 1}} {
		m, err := measure(ctx, o.dsn, run.who, run.clients, c.prompts())
		if err != nil {
			return err
		}
		fmt.Printf("\n%d memories, %s visible, %d at once: %.1f ms of PostgreSQL's processor time a prompt, %.0f prompts a second\n",
			o.memories, run.who.Person, run.clients, m.processor, m.rate)
		for _, kind := range kinds {
			fmt.Printf("  %-9s  p50 %5.1f ms  p95 %5.1f ms", kind, m.percentile(kind, 50), m.percentile(kind, 95))
			if run.who.Person == everything.Person {
				for _, name := range rankings {
					fmt.Printf("  %s %.3f", name, m.overlap(kind, want[name]))
				}
			}
			fmt.Println()
		}
	}
	return publishOne(ctx, o, c)
}
