package benchhub

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"memctl/hub"
)

// Who asks: one person may see everything, another three repositories of ten, another ten repositories.
var (
	everything = hub.Principal{Person: "everything"}
	third      = hub.Principal{Person: "third"}
	few        = hub.Principal{Person: "few"}
)

// run is how the prompts are asked.
type run struct {
	how, dsn string
	clients  int
}

// clients is how many clients ask at once.
const clients = 16

// BenchmarkHub measures the hub in the database that MEMCTL_HUB_DSN names, with as many
// memories as MEMORIES says, from the git folders in COMMITS. With MEMCTL_HUB_POOL, the
// connection string of a PgBouncer in front of that database, it measures that too. With MEMCTL_HUB_TRUTH, a folder, it
// keeps there what answers are compared with, which takes longest.
//
// The database must be empty, or filled by this benchmark with the same number of memories.
// The role that connects must be allowed to create roles. Processor times need PostgreSQL on
// the same machine (Linux).
func BenchmarkHub(b *testing.B) {
	dsn, pool := os.Getenv("MEMCTL_HUB_DSN"), os.Getenv("MEMCTL_HUB_POOL")
	folders := strings.Fields(os.Getenv("COMMITS"))
	memories, err := strconv.Atoi(os.Getenv("MEMORIES"))
	if dsn == "" || err != nil || memories < 1 || len(folders) == 0 {
		b.Fatal("MEMCTL_HUB_DSN has to name an empty database, MEMORIES how many memories the company has, " +
			"and COMMITS the git folders whose commit messages these are")
	}
	ctx := b.Context()
	c, err := newCompany(folders, memories)
	if err != nil {
		b.Fatal(err)
	}
	if err := load(ctx, dsn, c); err != nil {
		b.Fatal(err)
	}
	prompts := c.prompts()
	for _, who := range []hub.Principal{everything, third, few} {
		all, err := truth(ctx, dsn, who, prompts)
		if err != nil {
			b.Fatal(err)
		}
		runs := []run{{"one at a time", dsn, 1}, {"16 at once", dsn, clients}}
		if pool != "" {
			runs = append(runs, run{"16 at once through PgBouncer", pool, clients})
		}
		for _, run := range runs {
			m, err := measure(ctx, dsn, run.dsn, who, hub.Options{MaxConns: int32(run.clients)}, prompts)
			if err != nil {
				b.Fatal(err)
			}
			fmt.Printf("\n%d memories, %s visible, %s:\n", memories, who.Person, run.how)
			fmt.Printf("  %.1f ms of processor time a question, %.1f of it PostgreSQL's, p95 %.0f ms, %.0f questions a second, "+
				"postings read in %.1f s\n", m.processor+m.own, m.processor, m.percentile("", 95), m.rate, m.loading.Seconds())
			for _, kind := range kinds {
				fmt.Printf("  %-9s  p50 %5.1f ms  p95 %5.1f ms  of the best %d %.3f", kind, m.percentile(kind, 50),
					m.percentile(kind, 95), results, m.overlap(kind, all))
				if kind != broad {
					fmt.Printf("  MRR %.3f", m.reciprocal(kind))
				}
				fmt.Println()
			}
		}
	}
	if err := measureGreed(ctx, dsn, prompts); err != nil {
		b.Fatal(err)
	}
	if err := publishOne(ctx, dsn, c); err != nil {
		b.Fatal(err)
	}
}
