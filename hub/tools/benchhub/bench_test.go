package benchhub

import (
	"fmt"
	"math"
	"os"
	"strconv"
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
// memories as MEMORIES says.
//
// The database must be empty, or filled by this benchmark with the same number of memories.
// The role that connects must be allowed to create roles. Processor times need PostgreSQL on
// the same machine (Linux).
func BenchmarkHub(b *testing.B) {
	dsn := os.Getenv("MEMCTL_HUB_DSN")
	memories, err := strconv.Atoi(os.Getenv("MEMORIES"))
	if dsn == "" || err != nil || memories < 1 {
		b.Fatal("MEMCTL_HUB_DSN has to name an empty database, and MEMORIES how many memories the company has")
	}
	ctx := b.Context()
	c := newCompany(memories, max(1, memories/100), 1)
	if err := load(ctx, dsn, c); err != nil {
		b.Fatal(err)
	}
	prompts := c.prompts()
	// Without a limit, a hub ranks as an index of all memories does; a test holds that.
	all, err := measure(ctx, dsn, everything, hub.Options{MaxConns: 1, Postings: math.MaxInt32}, prompts)
	if err != nil {
		b.Fatal(err)
	}
	for _, run := range []struct {
		who     hub.Principal
		clients int
	}{{everything, 1}, {everything, clients}, {few, 1}} {
		m, err := measure(ctx, dsn, run.who, hub.Options{MaxConns: int32(run.clients)}, prompts)
		if err != nil {
			b.Fatal(err)
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
	if err := publishOne(ctx, dsn, c); err != nil {
		b.Fatal(err)
	}
}
