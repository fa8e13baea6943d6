package hub

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"memctl/features/hub/remote"
	"memctl/hub/hubtest"

	"github.com/jackc/pgx/v5"
)

// rival is another program that locks the hub's tables.
type rival struct {
	*pgx.Conn
	watcher *pgx.Conn
}

func newRival(t *testing.T, h testHub) rival {
	t.Helper()
	connect := func() *pgx.Conn {
		conn, err := pgx.Connect(t.Context(), hubtest.Superuser(h.pool.Config().ConnString()))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(context.Background()) })
		return conn
	}
	r := rival{connect(), connect()}
	// PostgreSQL ends the one of two transactions that finds out first.
	if _, err := r.Exec(t.Context(), `SET deadlock_timeout = '1h'`); err != nil {
		t.Fatal(err)
	}
	return r
}

// await returns when some transactions of the service wait for a lock.
func (r rival) await(t *testing.T, transactions int) error {
	t.Helper()
	for {
		var waiting int
		err := r.watcher.QueryRow(t.Context(), `
			SELECT count(*)
			FROM pg_stat_activity
			WHERE datname = current_database()
				AND usename = 'hub_service'
				AND wait_event_type = 'Lock'`).Scan(&waiting)
		if err != nil || waiting >= transactions {
			return err
		}
	}
}

// start publishes in the background.
func start(t *testing.T, h testHub, p remote.Publication) <-chan error {
	t.Helper()
	published := make(chan error, 1)
	go func() {
		_, err := h.Publish(t.Context(), anna, p)
		published <- err
	}()
	return published
}

// A publication locks this table last.
const lockLast = `LOCK TABLE corpus_changes`

// PostgreSQL ends one of two transactions that wait for each other: a publication then
// starts again.
func TestPublishAfterADeadlock(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT keys")))
	next := publication(2, note("jwt", "JWT keys rotate"))
	r := newRival(t, h)
	var published <-chan error
	err := pgx.BeginFunc(t.Context(), r, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), lockLast); err != nil {
			return err
		}
		published = start(t, h, next)
		if err := r.await(t, 1); err != nil {
			return err
		}
		_, err := tx.Exec(t.Context(), `UPDATE repositories SET published_by = published_by`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-published; err != nil {
		t.Error(err)
	}
	h.checkSound(t, next)
}

// Two publications of a repository come one after the other: the second sees what the
// first has published, and is refused if it is older.
func TestPublicationsOfARepositoryAreSerial(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT keys")))
	newer := publication(3, note("jwt", "JWT keys rotate"))
	r := newRival(t, h)
	var first, second <-chan error
	err := pgx.BeginFunc(t.Context(), r, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), lockLast); err != nil {
			return err
		}
		first = start(t, h, newer)
		if err := r.await(t, 1); err != nil {
			return err
		}
		second = start(t, h, publication(2, note("jwt", "JWT keys never rotate")))
		return r.await(t, 2)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-first; err != nil {
		t.Error(err)
	}
	wantCode(t, <-second, "stale_sequence")
	h.checkSound(t, newer)
}

// What removes terms and what uses them do not meet.
func TestPublishWhileTheOwnerCleansUp(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	const passing = "github.com/acme/passing"
	var last [4]remote.Publication
	var wg sync.WaitGroup
	for i := range last {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 7))
			for sequence := range int64(5) {
				last[i] = publication(sequence+1, randomNotes(random, 6)...)
				last[i].Repository = fmt.Sprintf("github.com/acme/repository-%d", i)
				if _, err := h.Publish(t.Context(), anna, last[i]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Go(func() {
		random := rand.New(rand.NewPCG(0, 8))
		for range 3 {
			p := publication(1, randomNotes(random, 6)...)
			p.Repository = passing
			if _, err := h.Publish(t.Context(), anna, p); err != nil {
				t.Error(err)
			}
			if err := h.owner.Forget(t.Context(), passing); err != nil {
				t.Error(err)
			}
			if err := h.MergeFrequencies(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	h.checkSound(t, last[:]...)
}
