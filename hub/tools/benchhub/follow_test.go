package benchhub

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"memctl/features/hub/remote"
	"memctl/hub"
)

// BenchmarkFollow publishes through one service for MINUTES while 16 clients ask another one, in the database
// of BenchmarkHub. A memory that was published or removed a second ago must be found, or not. Nobody may be shown what no
// grant allows.
func BenchmarkFollow(b *testing.B) {
	dsn := os.Getenv("MEMCTL_HUB_DSN")
	memories, err := strconv.Atoi(os.Getenv("MEMORIES"))
	minutes, err2 := strconv.Atoi(os.Getenv("MINUTES"))
	if dsn == "" || err != nil || err2 != nil {
		b.Fatal("MEMCTL_HUB_DSN has to name the database of BenchmarkHub, MEMORIES its size, and MINUTES how long to ask")
	}
	c, err := newCompany(strings.Fields(os.Getenv("COMMITS")), memories)
	if err != nil {
		b.Fatal(err)
	}
	if err := load(b.Context(), dsn, c); err != nil {
		b.Fatal(err)
	}
	f := &following{company: c, prompts: c.prompts(), sequences: map[string]int64{}}
	for _, store := range []**hub.Store{&f.publishing, &f.asked} {
		if *store, err = hub.Open(b.Context(), dsn, hub.Options{MaxConns: clients + 2}); err != nil {
			b.Fatal(err)
		}
		defer (*store).Close()
	}
	if err := f.asked.KeepPostings(b.Context()); err != nil {
		b.Fatal(err)
	}
	stored, err := hub.ListRepositories.Do(f.asked, b.Context(), struct{}{})
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range stored {
		f.sequences[s.Repository] = s.Sequence
	}
	ctx, stop := context.WithTimeout(b.Context(), time.Duration(minutes)*time.Minute)
	defer stop()
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() { f.ask(ctx, i) })
	}
	all.Go(func() { f.keep(ctx) })
	fmt.Printf("memory before %s\n", heap())
	f.publish(ctx)
	all.Wait()
	fmt.Printf("%d questions, %d publications, %d wrong, %d asked a second later and stale (the latest %s later), %d errors; memory after %s\n",
		f.questions.Load(), f.publications.Load(), f.wrong.Load(), f.stale.Load(), f.longest, f.errors.Load(), heap())
	if f.wrong.Load()+f.stale.Load()+f.errors.Load() > 0 {
		b.Fail()
	}
}

type following struct {
	*company
	prompts           []prompt
	publishing, asked *hub.Store
	sequences         map[string]int64 // of the last publications
	longest           time.Duration
	questions         atomic.Int64
	publications      atomic.Int64
	wrong, stale      atomic.Int64
	errors            atomic.Int64
}

func heap() string {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return fmt.Sprintf("%d MB", m.HeapAlloc>>20)
}

// keep runs the job of a service.
func (f *following) keep(ctx context.Context) {
	for ctx.Err() == nil {
		f.failed(ctx, f.asked.KeepPostings(ctx))
		f.failed(ctx, f.asked.MergeFrequencies(ctx))
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
		}
	}
}

func (f *following) failed(ctx context.Context, err error) bool {
	if err != nil && ctx.Err() == nil {
		f.errors.Add(1)
		fmt.Println(err)
	}
	return err != nil
}

// ask asks prompts without a pause, as the persons in turn.
func (f *following) ask(ctx context.Context, client int) {
	random := rand.New(rand.NewSource(int64(client)))
	for i := client; ctx.Err() == nil; i++ {
		who := []hub.Principal{everything, third, few}[i%3]
		found, err := f.asked.Search(ctx, who, remote.Query{Query: f.prompts[random.Intn(len(f.prompts))].text})
		if f.failed(ctx, err) {
			continue
		}
		f.questions.Add(1)
		for _, r := range found.Results {
			if who.Person == third.Person && !strings.ContainsAny(r.Repository[len(r.Repository)-1:], "036") {
				f.wrong.Add(1)
			}
		}
	}
}

// publish adds a memory with a word of its own to a repository, looks for it, removes it, and looks again.
func (f *following) publish(ctx context.Context) {
	random := rand.New(rand.NewSource(1))
	for n := 0; ctx.Err() == nil; n++ {
		r := random.Intn(f.repositories())
		sequence := f.sequences[repositoryName(r)] + 1
		f.sequences[repositoryName(r)] = sequence + 1
		p, err := f.publication(r, sequence)
		if f.failed(ctx, err) {
			return
		}
		word := fmt.Sprintf("zq%dx%d", sequence, n)
		m := f.memories[r*perRepository]
		m.ID, m.Title = "follow", "A memory about "+word
		data, err := m.Encode()
		if f.failed(ctx, err) {
			return
		}
		with := p
		with.Memories = append(slices.Clone(p.Memories), remote.File{Path: "decisions/follow.json", Memory: data})
		if _, err := f.publishing.Publish(ctx, everything, with); f.failed(ctx, err) {
			continue
		}
		f.look(ctx, word, 1)
		p.Sequence, p.Commit = sequence+1, fmt.Sprintf("%040x", sequence+1)
		if _, err := f.publishing.Publish(ctx, everything, p); f.failed(ctx, err) {
			continue
		}
		f.look(ctx, word, 0)
		f.publications.Add(2)
	}
}

// look notes how long it takes until a word has as many memories as it should.
func (f *following) look(ctx context.Context, word string, want int) {
	start := time.Now()
	for ctx.Err() == nil {
		asked := time.Since(start)
		found, err := f.asked.Search(ctx, everything, remote.Query{Query: word})
		if f.failed(ctx, err) {
			return
		}
		if len(found.Results) == want {
			return
		}
		f.longest = max(f.longest, asked)
		if asked > time.Second {
			f.stale.Add(1)
			return
		}
	}
}
