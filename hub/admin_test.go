package hub

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/features/hub/remote"
	"memctl/hub/hubtest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// administeredHub is a hub with the administrators root, by name, and carl, by a group.
func administeredHub(t *testing.T) servedHub {
	t.Helper()
	h := serveHub(t, ServerOptions{})
	for _, principal := range []string{"user:root", "group:admins"} {
		if _, err := h.owner.AddAdministrator(t.Context(), principal); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

// client is that of memctl for a token.
func (h servedHub) client(t *testing.T, token string) *remote.Client {
	t.Helper()
	address, err := url.Parse(h.url)
	if err != nil {
		t.Fatal(err)
	}
	return remote.NewClient(address, token, "test")
}

// Each operation answers over the API what it answers the owner, through a pooler too, and the audit names who asked.
func TestAdministrators(t *testing.T) {
	h := administeredHub(t)
	h.Store.pool.Close()
	h.Store.pool = open(t, hubtest.Pooler(t, h.dsn), Options{}).pool
	h.grant(t, "user:anna", payments, true)
	mustPublish(t, h.testHub, anna, publication(1, note("jwt", "JWT keys rotate")))
	h.exec(t, `DELETE FROM grants`)
	ctx := t.Context()
	root, carl := h.client(t, h.token(t, "root")), h.client(t, h.token(t, "carl", "admins"))
	h.exec(t, `DELETE FROM audit`)
	check := func(what string, err error, is, want any) {
		t.Helper()
		if diff := cmp.Diff(want, is); err != nil || diff != "" {
			t.Errorf("%s: %v %s", what, err, diff)
		}
	}
	g := Grant{Principal: "user:anna", Repositories: "github.com/acme/*"}
	changes, err := AddGrant.Ask(ctx, root, g)
	check("add", err, changes, GrantChanges{Added: 1})
	list, err := ListGrants.Ask(ctx, root, struct{}{})
	check("grants", err, list, []Grant{g})
	if found, err := h.Repositories(ctx, anna, struct{}{}); err != nil || len(found.Repositories) != 1 {
		t.Errorf("anna sees %v: %v", found, err)
	}
	changes, err = SetGrants.Ask(ctx, carl, []Grant{{Principal: "user:ben", Repositories: "*"}})
	check("set", err, changes, GrantChanges{Added: 1, Removed: 1})
	changes, err = RemoveGrant.Ask(ctx, carl, Grant{Principal: "user:ben", Repositories: "*"})
	check("remove", err, changes, GrantChanges{Removed: 1})
	made, err := MakeToken.Ask(ctx, root, NewToken{Person: "anna", Expires: new(time.Now().Add(time.Hour))})
	check("make", err, made.Person, "anna")
	if p, err := h.Authenticate(ctx, made.Secret); err != nil || p.Person != "anna" {
		t.Errorf("the new token is for %v: %v", p, err)
	}
	tokens, err := ListTokens.Ask(ctx, root, struct{}{})
	check("tokens", err, len(tokens), 3)
	revoked, err := RevokeTokens.Ask(ctx, root, Revocation{Person: "anna"})
	check("revoke", err, []any{len(revoked.Tokens), revoked.Denied}, []any{1, "anna"})
	_, err = MakeToken.Ask(ctx, root, NewToken{Person: "anna"})
	wantCode(t, err, "denied")
	denied, err := ListDenied.Ask(ctx, root, struct{}{})
	check("denied", err, []any{len(denied), denied[0].Name}, []any{1, "anna"})
	_, err = AllowPerson.Ask(ctx, root, Person{"anna"})
	check("allow", err, nil, nil)
	stored, err := ListRepositories.Ask(ctx, root, struct{}{})
	check("repositories", err, []any{len(stored), stored[0].PublishedBy}, []any{1, "anna"})

	var got []string
	err = remote.Administer(ctx, root, AuditOperation, AuditQuery{Since: time.Now().Add(-time.Hour)}, func(a Audited) error {
		if a.Person != "anna" && (a.Request == nil || len(*a.Request) != 26) {
			t.Errorf("the row %v has no request", a)
		}
		line := a.Person + " " + a.Action
		if a.Detail != nil {
			line += " " + *a.Detail
		}
		got = append(got, strings.TrimSpace(line))
		return nil
	})
	want := []string{
		"root admin grants/add", "root grant insert user:anna github.com/acme/*",
		"root admin grants",
		"anna repositories",
		"carl admin grants/set", "carl grant delete user:anna github.com/acme/*", "carl grant insert user:ben *",
		"carl admin grants/remove", "carl grant delete user:ben *",
		"root admin tokens/create", fmt.Sprintf("root token %d anna", made.ID),
		"root admin tokens",
		"root admin tokens/revoke", "root deny anna", fmt.Sprintf("root revoke %d anna", made.ID),
		"root admin tokens/create",
		"root admin denied",
		"root admin denied/allow", "root allow anna",
		"root admin repositories",
		"root admin audit",
	}
	slices.Sort(got)
	slices.Sort(want)
	check("audit", err, got, want)
}

// Nobody else does any of it, and an administrator not more than the table of administrators says.
func TestWhoIsNoAdministrator(t *testing.T) {
	h := administeredHub(t)
	tokens := map[string]string{
		"anna": h.token(t, "anna"), "a group of that name": h.token(t, "eve", "root", "user:root"), "": "",
	}
	const protected = `SELECT a::text FROM administrators a UNION ALL SELECT t::text FROM tokens t ORDER BY 1`
	before := rows[string](t, h.testHub, protected)
	paths := 0
	for path := range h.server.routes {
		operation, found := strings.CutPrefix(path, remote.AdminPath)
		if !found {
			continue
		}
		paths++
		for name, token := range tokens {
			got := h.request(t, "POST", path, token, strings.NewReader(`{}`))
			if want := map[bool]int{true: 401, false: 403}[token == ""]; got.status != want {
				t.Errorf("%q: %s: %d %s", name, operation, got.status, got.body)
			}
		}
		root := h.token(t, "root")
		got := h.request(t, "POST", path, root, strings.NewReader(`{}`), "Origin", "https://evil.example")
		if got.status != 403 || got.error(t).Code != "forbidden" {
			t.Errorf("%s from another site: %d %s", operation, got.status, got.body)
		}
		if got := h.request(t, "GET", path, root, nil); got.status != 405 {
			t.Errorf("GET %s: %d %s", operation, got.status, got.body)
		}
		h.exec(t, `DELETE FROM tokens WHERE person = 'root'`)
	}
	if paths != 11 {
		t.Errorf("%d paths", paths)
	}
	n := rows[int](t, h.testHub, `SELECT count(*)::int FROM audit WHERE refused = 'no_administrator'`)
	if n[0] != 2*paths {
		t.Errorf("%d refusals in the audit", n[0])
	}
	root := h.client(t, h.token(t, "root"))
	for _, more := range []NewToken{{Person: "root"}, {Person: "eve", Groups: []string{"a", "admins"}}} {
		_, err := MakeToken.Ask(t.Context(), root, more)
		wantCode(t, err, "no_right")
	}
	refused := rows[string](t, h.testHub, `SELECT person || ' ' || detail FROM audit WHERE refused = 'no_right'`)
	if want := []string{"root tokens/create", "root tokens/create"}; !slices.Equal(refused, want) {
		t.Errorf("the audit has the refusals %q", refused)
	}
	for _, bad := range []struct{ path, body string }{
		{"grants/add", `{"principal": "anna", "repositories": "*"}`},
		{"grants/set", `[{"principal":"everyone","repositories":"*"},{"principal":"everyone","repositories":"*"}]`},
		{"tokens/create", `{"user": " "}`}, {"tokens/revoke", `{"user": "a\u0000"}`}, {"tokens", `{"more": 1}`},
		{"audit", `{"since": "x"}`}, {"audit", `{"user": "a\u0000"}`}, {"denied/allow", `{"user": "a\u0000"}`},
	} {
		got := h.request(t, "POST", remote.AdminPath+bad.path, h.token(t, "root"), strings.NewReader(bad.body))
		if got.status != 400 {
			t.Errorf("%s: %d %s", bad.path, got.status, got.body)
		}
	}
	h.exec(t, `DELETE FROM tokens WHERE person = 'root'`)
	if diff := cmp.Diff(before, rows[string](t, h.testHub, protected)); diff != "" {
		t.Error(diff)
	}
	if _, err := h.owner.RemoveAdministrator(t.Context(), "user:root"); err != nil {
		t.Fatal(err)
	}
	_, err := ListGrants.Ask(t.Context(), h.client(t, h.token(t, "root")), struct{}{})
	wantCode(t, err, "no_administrator")
	for _, principal := range []string{"everyone", "repository", "anna", "user:"} {
		if _, err := h.owner.AddAdministrator(t.Context(), principal); err == nil {
			t.Errorf("%s is an administrator", principal)
		}
	}
}

// What the role of administrators may do, for an administrator and for another person.
func TestWhatTheAdministratorsRoleMayDo(t *testing.T) {
	h := twoRepositories(t)
	if _, err := h.owner.AddAdministrator(t.Context(), "user:root"); err != nil {
		t.Fatal(err)
	}
	h.exec(t, `UPDATE tokens SET revoked_at = now()`)
	for statement, want := range map[string]string{
		`SELECT FROM repositories`: "2 0", `SELECT FROM grants`: "2 0", `SELECT FROM tokens`: "1 0", `SELECT FROM denied`: "0 0",
		`SELECT FROM audit WHERE action <> 'admin'`:      "5 0",
		`DELETE FROM grants`:                             "2 0",
		`INSERT INTO denied VALUES ('x')`:                "1 refused",
		`UPDATE tokens SET revoked_at = NULL`:            "refused 0",
		`UPDATE tokens SET person = 'root'`:              "refused refused",
		`DELETE FROM audit`:                              "refused refused",
		`INSERT INTO administrators VALUES ('user:eve')`: "refused refused",
		`SELECT FROM administrators`:                     "refused refused",
		`UPDATE repositories SET sequence = 0`:           "refused refused",
		`SELECT FROM memories`:                           "refused refused",
		`SELECT FROM memory_rows`:                        "refused refused",
		`SELECT FROM postings`:                           "refused refused",
		`SELECT FROM terms`:                              "refused refused",
		`SELECT FROM access`:                             "refused refused",
		`SELECT keep_audit(7)`:                           "refused refused",
		`SELECT drop_audit(now())`:                       "refused refused",
		`SELECT figures()`:                               "refused refused",
	} {
		var got []string
		for _, person := range []string{"root", "eve"} {
			err := h.as(t.Context(), Principal{Person: person}, payments, func(tx pgx.Tx) error {
				if _, err := tx.Exec(t.Context(), `SELECT set_config('role', 'memctl_hub_admin', true)`); err != nil {
					t.Fatal(err)
				}
				done, err := tx.Exec(t.Context(), statement)
				if err != nil {
					return err
				}
				got = append(got, fmt.Sprint(done.RowsAffected()))
				return tx.Rollback(t.Context())
			})
			switch sqlState(err) {
			case insufficientPrivilege:
				got = append(got, "refused")
			case "":
			default:
				t.Errorf("%s: %v", statement, err)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", statement, got, want)
		}
	}
}

// A service whose role is not a member of the administrators' says so.
func TestAServiceWithoutAdministration(t *testing.T) {
	h := administeredHub(t)
	if err := hubtest.Exec(t.Context(), h.dsn, `CREATE ROLE plain LOGIN NOINHERIT IN ROLE memctl_hub`); err != nil {
		t.Fatal(err)
	}
	h.server.store = open(t, strings.Replace(h.dsn, "user=hub_service", "user=plain", 1), Options{})
	_, err := ListGrants.Ask(t.Context(), h.client(t, h.token(t, "root")), struct{}{})
	wantCode(t, err, "no_administration")
}

// An ID of a request is in the answer, the log and the audit: the caller's if it is a short word.
func TestRequestIDs(t *testing.T) {
	h := serveHub(t, ServerOptions{})
	token := h.token(t, "anna")
	ask := func(id, token string) reply {
		body := strings.NewReader(`{"query":"x"}`)
		return h.request(t, "POST", remote.SearchPath, token, body, requestHeader, id)
	}
	long := strings.Repeat("x", 64)
	for id, kept := range map[string]bool{"proxy-7/a": true, long: true, long + "x": false, "a b": false, "é": false, "": false} {
		got := ask(id, token)
		answered := got.header.Get(requestHeader)
		if (answered == id) != kept || len(answered) < 9 {
			t.Errorf("%q is answered as %q", id, answered)
		}
		n := rows[int](t, h.testHub, `SELECT count(*)::int FROM audit WHERE request = $1`, answered)
		if n[0] != 1 {
			t.Errorf("%q: %d rows of the audit", answered, n[0])
		}
		encoded, _ := json.Marshal(answered)
		if strings.Count(h.log.String(), `"request":`+string(encoded)) != 1 {
			t.Errorf("%q is not in the log", answered)
		}
		refused := ask(id, "nobody")
		if refused.status != 401 || refused.error(t).Request != refused.header.Get(requestHeader) {
			t.Errorf("%q: %d %s", id, refused.status, refused.body)
		}
	}
	address, _ := url.Parse(h.url)
	_, err := remote.NewClient(address, "nobody", "test").Search(t.Context(), remote.Query{Query: "x"})
	if err == nil || !strings.Contains(err.Error(), "the token is not valid (request ") {
		t.Errorf("memctl says %v", err)
	}
}

// Rows always find a partition, and go with their month or one by one.
func TestAuditMonths(t *testing.T) {
	h := newHub(t)
	months := func() []string {
		return rows[string](t, h, `
			SELECT inhrelid::regclass::text
			FROM pg_inherits
			WHERE inhparent = 'audit'::regclass
			ORDER BY 1`)
	}
	now := time.Now().UTC()
	month := func(n int) string {
		return time.Date(now.Year(), now.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC).Format("audit_2006_01")
	}
	had := []string{month(0), month(1), month(2), "audit_default"}
	slices.Sort(had)
	if diff := cmp.Diff(had, months()); diff != "" {
		t.Error(diff)
	}
	// As in ten months, of which nobody ran a service; and then in one with rows that came too early.
	h.exec(t, `
		INSERT INTO audit (asked_at, action, results)
		SELECT now() + make_interval(months => m), 'search', m
		FROM generate_series(-3, 10) m`)
	if n := rows[int](t, h, `SELECT count(*)::int FROM audit_default`); n[0] != 8 {
		t.Errorf("%d rows in the default partition", n[0])
	}
	h.exec(t, `DROP TABLE `+month(1))
	h.exec(t, `INSERT INTO audit (asked_at, action, results) SELECT now() + interval '1 month', '', 1`)
	for range 2 {
		if n, err := h.KeepAudit(t.Context(), 0); err != nil || n != 0 {
			t.Errorf("removed %d: %v", n, err)
		}
	}
	if got := months(); slices.Contains(got, month(1)) || !slices.Contains(got, month(2)) {
		t.Errorf("partitions %v", got)
	}
	if n, err := h.KeepAudit(t.Context(), 40); err != nil || n != 2 {
		t.Errorf("removed %d: %v", n, err)
	}
	if n, err := h.KeepAudit(t.Context(), 6); err != nil || n != 0 {
		t.Errorf("the service removed %d rows of the last days: %v", n, err)
	}
	// The rest, with whole months.
	if n, err := h.owner.DropAudit(t.Context(), now.AddDate(0, 5, 0)); err != nil || n < 6 {
		t.Errorf("removed %d: %v", n, err)
	}
	if got := months(); slices.Contains(got, month(0)) || slices.Contains(got, month(2)) {
		t.Errorf("partitions %v", got)
	}
	h.exec(t, `INSERT INTO audit (person, action, results) VALUES ('anna', 'search', 0)`)
}

// What holds the audit does not hold questions up: its partition goes the next time.
func TestARemovalOfTheAuditWaitsForNobody(t *testing.T) {
	h := newHub(t)
	h.exec(t, `INSERT INTO audit (asked_at, action, results) VALUES (now() - interval '1 year', 'search', 0)`)
	name := rows[string](t, h, `SELECT to_char(now() AT TIME ZONE 'UTC', '"audit_"YYYY_MM')`)[0]
	h.exec(t, `ALTER TABLE `+name+` RENAME TO audit_2001_01`)
	tx, err := h.owner.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	if _, err := tx.Exec(t.Context(), `SELECT count(*) FROM audit`); err != nil {
		t.Fatal(err)
	}
	if _, err := h.KeepAudit(t.Context(), 30); err == nil {
		t.Error("it is done beside a reader")
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := h.KeepAudit(t.Context(), 30); err != nil || n != 1 {
		t.Errorf("removed %d: %v", n, err)
	}
}
