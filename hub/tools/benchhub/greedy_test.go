package benchhub

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	"memctl/features/hub/remote"
	"memctl/hub"
)

// greedyClients is how many clients of one person ask long questions without a pause.
const greedyClients = 90

// measureGreed prints how long another person's questions take beside one who is greedy.
func measureGreed(ctx context.Context, dsn string, prompts []prompt) error {
	store, err := hub.Open(ctx, dsn, hub.Options{MaxConns: clients, StatementTimeout: 10 * time.Second})
	if err != nil {
		return err
	}
	defer store.Close()
	server, err := hub.NewServer(store, hub.ServerOptions{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	served := httptest.NewServer(server)
	defer served.Close()
	greedy, err := store.CreateToken(ctx, hub.NewToken{Person: everything.Person})
	if err != nil {
		return err
	}
	other, err := store.CreateToken(ctx, hub.NewToken{Person: "other"})
	if err != nil {
		return err
	}
	if _, err := store.Grant(ctx, hub.Grant{Principal: "user:other", Repositories: "*"}); err != nil {
		return err
	}
	ask := func(ctx context.Context, token, question string) (int, error) {
		body, _ := json.Marshal(remote.Query{Query: question})
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, served.URL+remote.SearchPath, bytes.NewReader(body))
		if err != nil {
			return 0, err
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, err
		}
		return answer.StatusCode, answer.Body.Close()
	}
	var long strings.Builder
	for _, p := range prompts[:12] {
		long.WriteString(p.text + " ")
	}
	asking, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	for range greedyClients {
		all.Go(func() {
			for asking.Err() == nil {
				if status, _ := ask(asking, greedy.Secret, long.String()); status == http.StatusTooManyRequests {
					time.Sleep(10 * time.Millisecond)
				}
			}
		})
	}
	time.Sleep(time.Second) // until it is in full swing
	var took []time.Duration
	for _, p := range prompts[:100] {
		start := time.Now()
		if status, err := ask(ctx, other.Secret, p.text); err != nil || status != http.StatusOK {
			err = fmt.Errorf("another person: %d, %w", status, err)
			stop()
			all.Wait()
			return err
		}
		took = append(took, time.Since(start))
	}
	stop()
	all.Wait()
	slices.Sort(took)
	fmt.Printf("\nbeside %d clients of one person that ask %d bytes each: p50 %d ms, p95 %d ms\n", greedyClients, long.Len(),
		took[len(took)/2].Milliseconds(), took[len(took)*95/100].Milliseconds())
	return nil
}
