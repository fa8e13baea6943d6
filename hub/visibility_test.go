package hub

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"memctl/features/hub/remote"
	"memctl/hub/hubtest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// statements records what a pool asks PostgreSQL, without the values.
type statements struct {
	mu   sync.Mutex
	list []string
}

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, data.SQL)
	return ctx
}

func (s *statements) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	return ctx
}

func (s *statements) TraceBatchQuery(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchQueryData) {
	s.TraceQueryStart(ctx, conn, pgx.TraceQueryStartData{SQL: data.SQL})
}

func (s *statements) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

func (s *statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// take returns the statements since the last call.
func (s *statements) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.list = nil }()
	return s.list
}

// traced returns a store of the service whose statements are recorded.
func traced(t *testing.T, h testHub) (testHub, *statements) {
	t.Helper()
	s := &statements{}
	config := h.pool.Config()
	config.ConnConfig.Tracer = s
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	copied := *h.Store
	copied.pool = pool
	h.Store = &copied
	return h, s
}

const secret = "github.com/acme/secret"

// secretHub has two repositories with a memory each, of which only anna sees the second.
func secretHub(t *testing.T) testHub {
	t.Helper()
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	h.grant(t, "user:ben", payments, false)
	mustPublish(t, h, anna, publication(1, note("kafka", "Kafka keeps events", "kafka"), note("later", "Kafka loses events", "kafka")))
	mustPublish(t, h, anna, remote.Publication{Repository: secret, Commit: commitOf(1), Sequence: 1, Memories: []remote.File{note("kafka", "Kafka is bought", "kafka")}})
	return h
}

var ben = Principal{Person: "ben"}

func TestWhatMayNotBeSeen(t *testing.T) {
	h := secretHub(t)
	hidden, missing := secret+":decisions/kafka", "github.com/acme/nothing:decisions/kafka"
	for name, ask := range map[string]func(h testHub, by Principal, id string) error{
		"get": func(h testHub, by Principal, id string) error {
			_, err := h.Get(t.Context(), by, remote.Selection{IDs: []string{id}})
			return err
		},
		"get of two": func(h testHub, by Principal, id string) error {
			_, err := h.Get(t.Context(), by, remote.Selection{IDs: []string{payments + ":decisions/kafka", id}})
			return err
		},
		"timeline": func(h testHub, by Principal, id string) error {
			_, err := h.Timeline(t.Context(), by, remote.Moment{ID: id})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := ask(h, anna, hidden); err != nil {
				t.Errorf("who may see it: %v", err)
			}
			h, asked := traced(t, h)
			err := ask(h, ben, hidden)
			wantCode(t, err, "not_found")
			first := asked.take()
			other := ask(h, ben, missing)
			if got, want := err.Error(), strings.ReplaceAll(other.Error(), missing, hidden); got != want {
				t.Errorf("the error is %q for what is hidden, %q for what is not there", got, want)
			}
			if diff := cmp.Diff(first, asked.take()); diff != "" {
				t.Errorf("the statements differ (-hidden +missing):\n%s", diff)
			}
		})
	}
	for by, want := range map[string]int{"anna": 3, "ben": 2, "carl": 0, "": 0} {
		found, err := h.Search(t.Context(), Principal{Person: by}, remote.Query{Query: "kafka"})
		if err != nil || len(found.Results) != want {
			t.Errorf("%q finds %d, want %d (%v)", by, len(found.Results), want, err)
		}
	}
}

// A connection plans a search once, for whoever asks.
func TestAPlanIsKept(t *testing.T) {
	h := secretHub(t)
	see := func(s *Store, want map[string]int) {
		t.Helper()
		for by, want := range want {
			if found, err := s.Search(t.Context(), Principal{Person: by}, remote.Query{Query: "kafka"}); err != nil || len(found.Results) != want {
				t.Errorf("%q finds %d, want %d (%v)", by, len(found.Results), want, err)
			}
		}
	}
	all := map[string]int{"anna": 3, "ben": 2, "carl": 0, "": 0}
	for _, c := range []struct{ how, dsn, want string }{
		{"a connection", h.dsn, "3 with 12 generic plans"},
		{"PgBouncer", hubtest.Pooler(t, h.dsn), "0 with 0 generic plans"},
	} {
		one := open(t, c.dsn, Options{MaxConns: 1})
		if err := one.KeepPostings(t.Context()); err != nil { // so that no search waits, and begins again
			t.Fatal(err)
		}
		see(one, all)
		var got string
		if err := one.pool.QueryRow(t.Context(), `
			SELECT format('%s with %s generic plans', count(*), coalesce(sum(generic_plans), 0))
			FROM pg_prepared_statements`).Scan(&got); err != nil || got != c.want {
			t.Errorf("%s: %s, want %s (%v)", c.how, got, c.want, err)
		}
	}
}

// A query without a condition shows nothing foreign.
func TestRowSecurity(t *testing.T) {
	h := secretHub(t)
	for _, query := range []string{
		`SELECT name FROM repositories`,
		`SELECT DISTINCT name FROM memories JOIN repositories USING (repo_id)`,
		`SELECT DISTINCT repository FROM memory_rows`,
		`SELECT DISTINCT coalesce(name, 'hidden') FROM postings LEFT JOIN repositories USING (repo_id)`,
		`SELECT DISTINCT coalesce(name, 'hidden') FROM memories LEFT JOIN repositories USING (repo_id)`,
	} {
		for _, tt := range []struct {
			by   Principal
			want []string
		}{
			{anna, []string{payments, secret}},
			{ben, []string{payments}},
			{Principal{Person: "carl", Groups: []string{"user:anna", "anna"}}, nil},
			{Principal{Person: `anna"},{"`}, nil},
			{Principal{}, nil},
		} {
			var got []string
			err := h.as(t.Context(), tt.by, "", func(tx pgx.Tx) error {
				rows, err := tx.Query(t.Context(), query+` ORDER BY 1`)
				if err == nil {
					got, err = pgx.CollectRows(rows, pgx.RowTo[string])
				}
				return err
			})
			if diff := cmp.Diff(tt.want, got); err != nil || len(tt.want)+len(got) > 0 && diff != "" {
				t.Errorf("%+v: %s: %v\n%s", tt.by, query, err, diff)
			}
		}
	}
}

func TestGet(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	kafka := note("kafka", "Kafka keeps events", "kafka")
	archived := noteWith("old", "Kafka was kept", []string{"kafka"}, map[string]any{
		"record_status": "archived", "archived_at": "2026-03-02T12:00:00Z", "archived_reason": "no longer true",
	})
	const withPort = "git.acme.example:8443/Pay_ments"
	mustPublish(t, h, anna, publication(1, kafka, archived))
	mustPublish(t, h, anna, remote.Publication{Repository: withPort, Commit: commitOf(2), Sequence: 1, Memories: []remote.File{kafka}})
	ids := []string{withPort + ":decisions/kafka", payments + ":decisions/old", payments + ":decisions/kafka", payments + ":decisions/old"}
	details, err := h.Get(t.Context(), anna, remote.Selection{IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range details.Details {
		got = append(got, d.ID)
	}
	ids[0] = strings.ToLower(ids[0]) // names of repositories have no case
	if diff := cmp.Diff(ids, got); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	if d := details.Details[1]; d.Status != "archived" || d.Commit != commitOf(1) {
		t.Errorf("%+v", d.Row)
	}
	var want, memory any
	if err := errors.Join(json.Unmarshal(kafka.Memory, &want), json.Unmarshal(details.Details[0].Memory, &memory)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, memory); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestGetAndTimelineRefuse(t *testing.T) {
	h := newHub(t)
	for _, id := range []string{
		"", ":", "/:", "decisions/kafka", payments, payments + ":", payments + ":kafka", payments + ":decisions/../kafka", payments + ":decisions/a/b",
		payments + ":decisions/a\x00b", payments + ":secrets/kafka", "acme:decisions/kafka", "' OR true; --:decisions/kafka", strings.Repeat("a/", 200) + ":decisions/kafka",
	} {
		_, err := h.Get(t.Context(), anna, remote.Selection{IDs: []string{id}})
		wantCode(t, err, "bad_request")
		_, err = h.Timeline(t.Context(), anna, remote.Moment{ID: id})
		wantCode(t, err, "bad_request")
	}
	for _, n := range []int{0, remote.MaxIDs + 1} {
		_, err := h.Get(t.Context(), anna, remote.Selection{IDs: make([]string, n)})
		wantCode(t, err, "bad_request")
	}
	for _, window := range []int{-1, remote.MaxWindow + 1} {
		_, err := h.Timeline(t.Context(), anna, remote.Moment{ID: payments + ":decisions/kafka", Window: window})
		wantCode(t, err, "bad_request")
	}
	_, err := h.Get(t.Context(), anna, remote.Selection{IDs: []string{payments + `:decisions/' OR true; --`}})
	wantCode(t, err, "not_found")
}

func TestTimeline(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	var files []remote.File
	for i := range 9 {
		files = append(files, noteWith(fmt.Sprintf("n%d", i), "Kafka", nil, map[string]any{"created_at": fmt.Sprintf("2026-03-0%dT12:00:00Z", 9-i)}))
	}
	mustPublish(t, h, anna, publication(1, files...))
	mustPublish(t, h, anna, remote.Publication{Repository: secret, Commit: commitOf(1), Sequence: 1, Memories: []remote.File{note("kafka", "Kafka is bought")}})
	for _, tt := range []struct {
		name          string
		window        int
		before, after string
	}{
		{"n4", 0, "n7 n6 n5", "n3 n2 n1"},
		{"n4", 1, "n5", "n3"},
		{"n8", 2, "", "n7 n6"},
		{"n1", 20, "n8 n7 n6 n5 n4 n3 n2", "n0"},
	} {
		found, err := h.Timeline(t.Context(), anna, remote.Moment{ID: payments + ":decisions/" + tt.name, Window: tt.window})
		if err != nil {
			t.Fatal(err)
		}
		names := func(list []remote.Row) string {
			var names []string
			for _, r := range list {
				names = append(names, strings.TrimPrefix(r.ID, payments+":decisions/"))
			}
			return strings.Join(names, " ")
		}
		if before, after := names(found.Before), names(found.After); before != tt.before || after != tt.after || names([]remote.Row{found.Memory}) != tt.name {
			t.Errorf("%s within %d: %q, %s, %q", tt.name, tt.window, before, found.Memory.ID, after)
		}
	}
}

func TestRepositories(t *testing.T) {
	h := secretHub(t)
	for _, tt := range []struct {
		by   Principal
		want string
	}{
		{anna, payments + " 2, " + secret + " 1"},
		{ben, payments + " 2"},
		{Principal{Person: "carl"}, ""},
	} {
		list, err := h.Repositories(t.Context(), tt.by, struct{}{})
		if err != nil || list.Repositories == nil {
			t.Fatal(list, err)
		}
		var got []string
		for _, r := range list.Repositories {
			got = append(got, fmt.Sprintf("%s %d", r.Repository, r.Memories))
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%+v: %q", tt.by, got)
		}
	}
}

func FuzzSplitID(f *testing.F) {
	for _, id := range []string{payments + ":decisions/kafka", "git.acme.example:8443/pay:runbooks/x", "", ":", "a/b:c/d", "a:1/b/c:decisions/d:e"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		repository, path, err := splitID("id", id)
		if err != nil {
			return
		}
		if repository+":"+nameOf(path) != id {
			t.Errorf("%q is split into %q and %q", id, repository, path)
		}
	})
}
