package benchhub

import (
	"context"
	"fmt"
	"strings"
	"time"

	"memctl/hub"

	"github.com/jackc/pgx/v5"
)

// publishers is how many repositories are published at once.
const publishers = 4

// load publishes all repositories of a company, unless the hub has them.
func load(ctx context.Context, dsn string, c *company) error {
	if err := hub.Migrate(ctx, dsn); err != nil {
		return err
	}
	store, err := hub.Open(ctx, dsn, hub.Options{MaxConns: publishers})
	if err != nil {
		return err
	}
	defer store.Close()
	stored, err := hub.ListRepositories.Do(store, ctx, struct{}{})
	switch {
	case err != nil:
		return err
	case len(stored) == c.repositories():
		return grant(ctx, store, c)
	case len(stored) > 0:
		return fmt.Errorf("the database has %d repositories, expected none, or the %d of this company",
			len(stored), c.repositories())
	}
	if err := grant(ctx, store, c); err != nil {
		return err
	}
	start := time.Now()
	repositories := make([]int, c.repositories())
	for r := range repositories {
		repositories[r] = r
	}
	if err := each(publishers, repositories, func(r int) error {
		p, err := c.publication(r, 1)
		if err == nil {
			_, err = store.Publish(ctx, everything, p)
		}
		return err
	}); err != nil {
		return err
	}
	if err := store.MergeFrequencies(ctx); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `VACUUM ANALYZE`); err != nil {
		return err
	}
	var size string
	err = conn.QueryRow(ctx, `SELECT pg_size_pretty(pg_database_size(current_database()))`).Scan(&size)
	fmt.Printf("published %d repositories in %.0f s; the database has %s\n",
		c.repositories(), time.Since(start).Seconds(), size)
	return err
}

// grant lets the persons see what they may.
func grant(ctx context.Context, store *hub.Store, c *company) error {
	grants := []hub.Grant{{Principal: "user:" + everything.Person, Repositories: "*", Publish: true}}
	for _, end := range []string{"0", "3", "6"} {
		grants = append(grants, hub.Grant{Principal: "user:" + third.Person, Repositories: "*" + end})
	}
	seen := map[string]bool{}
	for i := range 10 {
		if name := repositoryName(i * c.repositories() / 10); !seen[name] {
			seen[name] = true
			grants = append(grants, hub.Grant{Principal: "user:" + few.Person, Repositories: name})
		}
	}
	_, err := store.SetGrants(ctx, grants)
	return err
}

// publishOne publishes a new repository of 500 memories, and again with one changed.
func publishOne(ctx context.Context, dsn string, c *company) error {
	store, err := hub.Open(ctx, dsn, hub.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	p, err := c.publication(0, 1)
	if err != nil {
		return err
	}
	p.Repository = repositoryName(c.repositories()) // one that the company does not have yet
	var took [2]time.Duration
	for i := range took {
		start := time.Now()
		if _, err := store.Publish(ctx, everything, p); err != nil {
			return err
		}
		took[i] = time.Since(start)
		p.Memories[0].Memory = []byte(strings.Replace(string(p.Memories[0].Memory), `"title":"`,
			`"title":"changed `, 1))
	}
	fmt.Printf("\npublishing %d new memories %.2f s; again, with one changed %.2f s\n", len(p.Memories),
		took[0].Seconds(), took[1].Seconds())
	return store.Forget(ctx, p.Repository)
}
