package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"memctl/hub"

	"github.com/jackc/pgx/v5"
)

// publishers is how many repositories are published at once.
const publishers = 4

// load publishes all repositories of a company, unless the hub has them.
func load(ctx context.Context, o options, c *company) error {
	if err := hub.Migrate(ctx, o.dsn); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, o.dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	var memories int
	if err := conn.QueryRow(ctx, `SELECT count(*) FROM memories`).Scan(&memories); err != nil {
		return err
	}
	if memories == o.memories {
		return nil
	}
	if memories != 0 {
		return fmt.Errorf("the database has %d memories, expected none or %d", memories, o.memories)
	}
	if _, err := conn.Exec(ctx, `
		INSERT INTO grants (principal, pattern, matches, publish)
		VALUES ('user:everything', '*', '%', true)
		ON CONFLICT DO NOTHING`); err != nil {
		return err
	}
	for i := range 10 { // large and small ones: the size falls with the number
		if _, err := conn.Exec(ctx, `
			INSERT INTO grants (principal, pattern, matches, publish)
			VALUES ('user:few', $1, $1, false)
			ON CONFLICT DO NOTHING`, strings.ReplaceAll(repositoryName(i*len(c.sizes)/10), "_", `\_`)); err != nil {
			return err
		}
	}
	start := time.Now()
	if err := publishAll(ctx, o, c); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, `VACUUM ANALYZE`); err != nil {
		return err
	}
	var size string
	if err := conn.QueryRow(ctx, `SELECT pg_size_pretty(pg_database_size(current_database()))`).Scan(&size); err != nil {
		return err
	}
	fmt.Printf("published %d memories of %d repositories in %.0f s; the database has %s\n", o.memories, len(c.sizes), time.Since(start).Seconds(), size)
	return nil
}

func publishAll(ctx context.Context, o options, c *company) error {
	store, err := hub.Open(ctx, o.dsn, hub.Options{MaxConns: publishers})
	if err != nil {
		return err
	}
	defer store.Close()
	var next atomic.Int64
	errs := make([]error, publishers)
	var group sync.WaitGroup
	for i := range publishers {
		group.Go(func() {
			for r := int(next.Add(1)) - 1; r < len(c.sizes) && errs[i] == nil; r = int(next.Add(1)) - 1 {
				p, err := c.publication(r, 1)
				if err == nil {
					_, err = store.Publish(ctx, everything, p)
				}
				errs[i] = err
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return store.MergeFrequencies(ctx)
}

// publishOne publishes a new repository of 500 memories, and again with one changed.
func publishOne(ctx context.Context, o options, c *company) error {
	store, err := hub.Open(ctx, o.dsn, hub.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	const memories = 500
	r := len(c.sizes) // one that the company does not have yet
	larger := *c
	larger.sizes = append(larger.sizes[:r:r], memories)
	p, err := larger.publication(r, time.Now().Unix())
	if err != nil {
		return err
	}
	start := time.Now()
	if _, err := store.Publish(ctx, everything, p); err != nil {
		return err
	}
	first := time.Since(start)
	p.Sequence++
	p.Memories[0].Memory = []byte(strings.Replace(string(p.Memories[0].Memory), `"title":"`, `"title":"changed `, 1))
	start = time.Now()
	if _, err := store.Publish(ctx, everything, p); err != nil {
		return err
	}
	fmt.Printf("\npublishing %d new memories %.2f s; again, with one changed %.2f s\n", memories, first.Seconds(), time.Since(start).Seconds())
	p.Memories = nil
	p.Sequence++
	_, err = store.Publish(ctx, everything, p)
	return err
}
