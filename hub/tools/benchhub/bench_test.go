package benchhub

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"memctl/hub"
)

// Who asks: one person may see everything, the other ten repositories.
var (
	everything = hub.Principal{Person: "everything"}
	few        = hub.Principal{Person: "few"}
)

// clients is how many clients ask at once.
const clients = 16

// BenchmarkHub measures the hub in the database that MEMCTL_HUB_DSN names, with as many
// memories as MEMORIES says, from the git folders in COMMITS. With MEMCTL_HUB_POOL, the
// connection string of a PgBouncer in front of that database, it measures that too.
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
	// Without a limit, a hub ranks as an index of all memories does; a test holds that.
	all, err := measure(ctx, dsn, dsn, everything, hub.Options{MaxConns: clients, Postings: math.MaxInt32}, prompts)
	if err != nil {
		b.Fatal(err)
	}
	runs := []struct {
		how, dsn string
		who      hub.Principal
		clients  int
	}{{"one at a time", dsn, everything, 1}, {"16 at once", dsn, everything, clients}, {"one at a time", dsn, few, 1}}
	if pool != "" {
		runs = append(runs, runs[1])
		runs[3].how, runs[3].dsn = "16 at once through PgBouncer", pool
	}
	for _, run := range runs {
		m, err := measure(ctx, dsn, run.dsn, run.who, hub.Options{MaxConns: int32(run.clients)}, prompts)
		if err != nil {
			b.Fatal(err)
		}
		fmt.Printf("\n%d memories, %s visible, %s: ", memories, run.who.Person, run.how)
		fmt.Printf("%.1f ms of PostgreSQL's processor time a question, p95 %.0f ms, %.0f questions a second\n",
			m.processor, m.percentile("", 95), m.rate)
		for _, kind := range kinds {
			fmt.Printf("  %-9s  p50 %5.1f ms  p95 %5.1f ms", kind, m.percentile(kind, 50), m.percentile(kind, 95))
			if run.who.Person == everything.Person {
				fmt.Printf("  of the best %d %.3f", results, m.overlap(kind, all))
			}
			fmt.Println()
		}
	}
	if err := measureGreed(ctx, dsn, prompts); err != nil {
		b.Fatal(err)
	}
	if err := publishOne(ctx, dsn, c); err != nil {
		b.Fatal(err)
	}
}
