package hub

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/features/hub/remote"
	"memctl/hub/hubtest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// testHub is an empty hub with its two roles.
type testHub struct {
	*Store // as the service
	owner  *Store
	dsn    string // of the service
}

func newHub(t *testing.T) testHub {
	t.Helper()
	owner, service := hubtest.Database(t, Migrate)
	return openHub(t, owner, service, analyser{})
}

// openHub opens a hub as the version that has an analyser.
func openHub(t *testing.T, owner, service string, a analyser) testHub {
	t.Helper()
	return testHub{Store: open(t, service, Options{analyser: a}), owner: open(t, owner, Options{analyser: a}), dsn: service}
}

func open(t *testing.T, dsn string, o Options) *Store {
	t.Helper()
	s, err := Open(t.Context(), dsn, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// grant lets a principal read, or publish, the repositories that match a pattern of LIKE.
func (h testHub) grant(t *testing.T, principal, matches string, publish bool) {
	t.Helper()
	h.exec(t, `INSERT INTO grants (principal, pattern, matches, publish) VALUES ($1, $2, $2, $3)`, principal, matches, publish)
}

func (h testHub) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := h.owner.pool.Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// rows returns the rows of a query for one column, also those that row security hides from people.
func rows[T any](t *testing.T, h testHub, query string, args ...any) []T {
	t.Helper()
	found, err := h.owner.pool.Query(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(found, pgx.RowTo[T])
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// dump returns all that publications wrote, without ids and times.
func (h testHub) dump(t *testing.T) []string {
	t.Helper()
	return hubtest.Dump(t, h.dsn)
}

// checkSound fails unless the hub has exactly these publications.
func (h testHub) checkSound(t *testing.T, published ...remote.Publication) {
	t.Helper()
	if wrong := hubtest.WrongFrequencies(t, h.dsn); wrong != nil {
		t.Errorf("frequencies: %q", wrong)
	}
	for _, p := range published {
		found, err := h.owner.checkRepository(t.Context(), p)
		if err != nil || found != nil {
			t.Errorf("%s: %v, %q", p.Repository, err, found)
		}
	}
}

func TestReady(t *testing.T) {
	h := newHub(t)
	if err := h.Ready(t.Context()); err != nil {
		t.Errorf("a new hub is not ready: %v", err)
	}
	if err := h.owner.Ready(t.Context()); err != nil {
		t.Errorf("a new hub is not ready for its owner: %v", err)
	}
	h.exec(t, `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
	wantCode(t, h.Ready(t.Context()), "other_schema") // older
	h.exec(t, `INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)`, newestSchema()+1)
	if err := h.Ready(t.Context()); err != nil {
		t.Errorf("not ready with newer tables that answer: %v", err)
	}
	h.exec(t, `ALTER TABLE corpus RENAME TO statistics`)
	wantCode(t, h.Ready(t.Context()), "other_schema")
}

// A query that says nothing of who asks finds nothing.
func TestTheServiceSeesNothingByItself(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT keys rotate")))
	for _, table := range []string{"repositories", "memories", "postings"} {
		var n int
		count := `SELECT count(*) FROM ` + table
		if err := h.pool.QueryRow(t.Context(), count).Scan(&n); err == nil {
			t.Errorf("the service reads %s as itself", table)
		}
		for name, tt := range map[string]struct {
			by   Principal
			sees bool
		}{"nobody": {Principal{}, false}, "anna": {anna, true}} {
			err := h.as(t.Context(), tt.by, "", func(tx pgx.Tx) error { return tx.QueryRow(t.Context(), count).Scan(&n) })
			if err != nil || n > 0 != tt.sees {
				t.Errorf("%s sees %d rows of %s: %v", name, n, table, err)
			}
		}
	}
}

// What may be read cannot be written, but for the repository that is published.
func TestOnlyThePublishedRepositoryIsWritten(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT keys rotate")))
	before := h.dump(t)
	for _, statement := range []string{
		`DELETE FROM repositories`, `DELETE FROM memories`, `DELETE FROM postings`,
		`UPDATE repositories SET sequence = 0`, `UPDATE memories SET title = ''`, `UPDATE postings SET packed = '{}'`,
	} {
		for _, publishing := range []string{"", "github.com/acme/other"} {
			err := h.as(t.Context(), anna, publishing, func(tx pgx.Tx) error {
				_, err := tx.Exec(t.Context(), statement)
				return err
			})
			if err != nil {
				t.Errorf("%s: %v", statement, err)
			}
		}
	}
	for _, statement := range []string{`DELETE FROM grants`, `UPDATE access SET publish = true`, `DELETE FROM audit`, `INSERT INTO tokens (hash, person, groups) VALUES ('', 'eve', '{}')`} {
		err := h.as(t.Context(), anna, payments, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), statement)
			return err
		})
		if err == nil {
			t.Errorf("the service may %s", statement)
		}
	}
	if diff := cmp.Diff(before, h.dump(t)); diff != "" {
		t.Error(diff)
	}
}

func TestMigrateAgain(t *testing.T) {
	owner, _ := hubtest.Database(t, Migrate)
	if err := Migrate(t.Context(), owner); err != nil {
		t.Error(err)
	}
}

// Hubs of before had the terms beside the memories, or in a schema of their own. What only a hub has stays: grants,
// tokens and the audit; and the memories get their terms.
func TestUpgrade(t *testing.T) {
	for name, tt := range map[string]struct {
		from     int64
		terms    string // makes those of that time
		memories string // columns of that time, and their values
		values   string
	}{
		"from the second layout": {2, `INSERT INTO hub (analyser_version) VALUES (1)`, ", positions", ", ''"},
		"from the fifth layout":  {5, `SELECT add_analyser(1)`, "", ""},
	} {
		t.Run(name, func(t *testing.T) { testUpgrade(t, tt.from, tt.terms, tt.memories, tt.values) })
	}
}

func testUpgrade(t *testing.T, from int64, terms, column, value string) {
	h := newHub(t)
	if _, err := h.owner.Grant(t.Context(), Grant{Principal: "everyone", Repositories: "*", Publish: true}); err != nil {
		t.Fatal(err)
	}
	p := publication(1, note("jwt", "JWT rotating"), note("kafka", "Kafka events"))
	mustPublish(t, h, anna, p)
	token, err := h.owner.CreateToken(t.Context(), NewToken{Person: "anna"})
	if err != nil {
		t.Fatal(err)
	}
	audit := rows[string](t, h, `SELECT concat_ws(' ', person, action, detail) FROM audit ORDER BY asked_at`)
	h.Close()
	h.exec(t, `CREATE SCHEMA kept`)
	for _, table := range []string{"repositories", "memories", "grants", "tokens", "audit"} {
		h.exec(t, `CREATE TABLE kept.`+table+` AS TABLE `+table)
	}
	h.exec(t, `DROP SCHEMA public CASCADE`)
	h.exec(t, `CREATE SCHEMA public`)
	h.exec(t, `GRANT USAGE ON SCHEMA public TO PUBLIC`)
	old := stdlib.OpenDBFromPool(h.owner.pool)
	defer old.Close()
	migrator, err := migrator(old)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := migrator.UpTo(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		terms,
		`INSERT INTO repositories (name, commit_sha, sequence, published_at, published_by, memories)
		 SELECT name, commit_sha, sequence, published_at, published_by, memories FROM kept.repositories`,
		`INSERT INTO memories (repo_id, path, category, title, tags, record_status, created_at, updated_at, created_unix, updated_unix,
			confidence, hash, document, sent` + column + `)
		 SELECT repo_id, path, category, title, tags, record_status, created_at, updated_at, created_unix, updated_unix,
			confidence, hash, document, sent` + value + ` FROM kept.memories ORDER BY memory_id`,
		`INSERT INTO grants SELECT * FROM kept.grants`,
		`INSERT INTO tokens (hash, person, groups, created_at, expires_at, revoked_at)
		 SELECT hash, person, groups, created_at, expires_at, revoked_at FROM kept.tokens`,
		`TRUNCATE audit`,
		`INSERT INTO audit (asked_at, person, action, results, detail, shown, refused)
		 SELECT asked_at, person, action, results, detail, shown, refused FROM kept.audit`,
	} {
		h.exec(t, statement)
	}

	wantCode(t, h.owner.Ready(t.Context()), "other_schema")
	dsn := h.owner.pool.Config().ConnString()
	if err := Migrate(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	h = openHub(t, dsn, h.dsn, analyser{})
	if err := h.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	if got := rows[string](t, h, `SELECT nspname::text FROM pg_namespace WHERE nspname LIKE '%terms%'`); len(got) > 0 {
		t.Errorf("schemas of terms are left: %q", got)
	}
	if wrong := hubtest.WrongFrequencies(t, h.dsn); wrong != nil {
		t.Errorf("before the terms are made: %q", wrong)
	}
	if got := h.answers(t, "kafka"); got != nil {
		t.Errorf("found %q without terms", got)
	}
	h.analyse(t)
	h.checkSound(t, p)
	if got := h.answers(t, "kafka"); !slices.Equal(got, []string{"payments:decisions/kafka"}) {
		t.Errorf("found %q", got)
	}
	if by, err := h.Authenticate(t.Context(), token.Secret); err != nil || by.Person != "anna" {
		t.Errorf("the token: %v, %v", by, err)
	}
	if got := rows[string](t, h, `SELECT concat_ws(' ', person, action, detail) FROM audit ORDER BY asked_at LIMIT `+fmt.Sprint(len(audit))); !slices.Equal(got, audit) {
		t.Errorf("the audit: %q, want %q", got, audit)
	}
	mustPublish(t, h, anna, publication(2, note("jwt", "JWT rotating"), note("new", "Kafka again")))
}

func TestASlowStatement(t *testing.T) {
	_, service := hubtest.Database(t, Migrate)
	s := open(t, service, Options{StatementTimeout: 10 * time.Millisecond})
	err := s.as(t.Context(), anna, "", func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `SELECT pg_sleep(600)`)
		return err
	})
	wantCode(t, err, "too_slow")
}

// A request that is given up is not an answer of the hub.
func TestAGivenUpRequest(t *testing.T) {
	h := newHub(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Ready(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestPostgreSQLStopsAndStarts(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT keys rotate")))
	hubtest.Stop(t)
	wantCode(t, h.Ready(t.Context()), "busy")
	_, err := h.Publish(t.Context(), anna, publication(2, note("jwt", "JWT keys do not rotate")))
	wantCode(t, err, "busy")
	hubtest.Start(t)
	if err := h.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	mustPublish(t, h, anna, publication(3, note("jwt", "JWT keys rotate again")))
}

// A hub on a standby is not ready, and answers nothing that it could not keep in the audit. Failover makes it ready.
func TestStandby(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT keys rotate")))
	token, err := h.owner.CreateToken(t.Context(), NewToken{Person: "anna"})
	if err != nil {
		t.Fatal(err)
	}
	dsn, promote := hubtest.Standby(t, h.dsn)
	standby := open(t, dsn, Options{})
	if p, err := standby.Authenticate(t.Context(), token.Secret); err != nil || p.Person != "anna" {
		t.Errorf("%+v, %v", p, err)
	}
	question := remote.Query{Query: "keys"}
	wantCode(t, standby.Ready(t.Context()), "read_only")
	_, err = standby.Search(t.Context(), anna, question)
	wantCode(t, err, "read_only")
	_, err = standby.Publish(t.Context(), anna, publication(2, note("jwt", "JWT")))
	wantCode(t, err, "read_only")

	folder := func(dsn string) string { return strings.TrimPrefix(strings.Fields(dsn)[0], "host=") }
	both := strings.Replace(dsn, folder(dsn), folder(dsn)+","+folder(h.dsn), 1) + " target_session_attrs=read-write"
	either := open(t, both, Options{})
	if found, err := either.Search(t.Context(), anna, question); err != nil || len(found.Results) != 1 {
		t.Errorf("the primary of both: %v, %v", found, err)
	}
	promote()
	if err := standby.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	if found, err := standby.Search(t.Context(), anna, question); err != nil || len(found.Results) != 1 {
		t.Errorf("after the failover: %v, %v", found, err)
	}
	if _, err := standby.Publish(t.Context(), anna, publication(2, note("jwt", "JWT"))); err != nil {
		t.Error(err)
	}
}
