package hub

import (
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"memctl/features/hub/remote"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

const ledger = "github.com/acme/ledger"

// twoRepositories is a hub in which anna may publish payments and reads it, and ben ledger.
func twoRepositories(t *testing.T) testHub {
	t.Helper()
	h := newHub(t)
	h.grant(t, "user:anna", payments, true)
	h.grant(t, "user:ben", ledger, true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT keys rotate")))
	p := publication(1, note("book", "Ledgers balance"))
	p.Repository = ledger
	mustPublish(t, h, Principal{Person: "ben"}, p)
	if _, err := h.owner.CreateToken(t.Context(), NewToken{Person: "ben"}); err != nil {
		t.Fatal(err)
	}
	return h
}

// What each table shows to the service, for a query without WHERE. A table that is not
// here fails the test.
func TestWhatTheServiceReads(t *testing.T) {
	h := twoRepositories(t)
	const (
		foreign = "nothing foreign" // rows of the principal alone
		global  = "global"          // what hub/README.md says of global frequencies
		none    = "none"            // may not be read
	)
	kinds := map[string]string{
		"repositories": foreign, "memories": foreign, "memory_rows": foreign, "postings": foreign, "access": foreign, "grants": foreign,
		"terms": global, "term_changes": global, "corpus": global, "corpus_changes": global, "goose_db_version": global,
		"tokens": none, "denied": none, "administrators": none, "audit": none,
	}
	for _, table := range rows[string](t, h, `
		SELECT relname::text
		FROM pg_class
		WHERE relkind IN ('r', 'p', 'v', 'm', 'f')
			AND relnamespace = 'public'::regnamespace
		ORDER BY relname`) {
		kind, known := kinds[table]
		if strings.HasPrefix(table, "audit_") { // a partition
			kind, known = none, true
		}
		if !known {
			t.Errorf("the table %s is not in this test", table)
		}
		for _, tt := range []struct {
			by   Principal
			want int
		}{{Principal{}, 0}, {Principal{Person: "eve", Groups: []string{`x","user:ben`, `{user:ben}`, "user:ben,", "everyone"}}, 0}, {anna, 1}} {
			var n int
			err := h.as(t.Context(), tt.by, "", func(tx pgx.Tx) error {
				return tx.QueryRow(t.Context(), `SELECT count(*) FROM `+table).Scan(&n)
			})
			switch {
			case kind == none && err == nil:
				t.Errorf("the service reads %s", table)
			case kind == foreign && table != "postings" && (err != nil || n != tt.want):
				t.Errorf("%+v sees %d rows of %s, want %d: %v", tt.by, n, table, tt.want, err)
			case kind == foreign && table == "postings" && (err != nil || n > 0 != (tt.want > 0)):
				t.Errorf("%+v sees %d rows of %s: %v", tt.by, n, table, err)
			}
		}
	}
}

// denied is SQLSTATE insufficient_privilege, which row security has, too.
const denied = "42501"

// Statements that something could bring the service to run, while anna publishes payments.
// Each is refused or changes nothing.
func TestWhatTheServiceMayNotDo(t *testing.T) {
	h := twoRepositories(t)
	everything := func() []string {
		return append(h.dump(t), rows[string](t, h, `
			SELECT 'grant ' || g::text FROM grants g
			UNION ALL SELECT 'access ' || a::text FROM access a
			UNION ALL SELECT 'token ' || k::text FROM tokens k
			UNION ALL SELECT 'audit ' || a::text FROM audit a
			ORDER BY 1`)...)
	}
	before := everything()
	const ledgerID = `(SELECT max(repo_id) + 1 FROM repositories)` // anna sees one
	tests := map[string]struct {
		statement string
		refused   bool // else it finds no rows
	}{
		"another's row":               {`INSERT INTO repositories (name, commit_sha, sequence, published_at, published_by, memories) VALUES ('github.com/acme/new', '', 1, now(), 'anna', 0)`, true},
		"another name":                {`UPDATE repositories SET name = 'github.com/acme/new'`, true},
		"a memory in another":         {`UPDATE memories SET repo_id = ` + ledgerID, true},
		"a new memory in another":     {`INSERT INTO memories (repo_id, path, category, title, tags, record_status, created_at, updated_at, hash, document) SELECT ` + ledgerID + `, 'x', category, title, tags, record_status, created_at, updated_at, hash, document FROM memories`, true},
		"postings of another":         {`INSERT INTO postings (term_id, repo_id, packed) VALUES (1, ` + ledgerID + `, '{1}')`, true},
		"postings to another":         {`UPDATE postings SET repo_id = ` + ledgerID, true},
		"another's memories":          {`DELETE FROM memories WHERE title = 'Ledgers balance'`, false},
		"another's postings":          {`DELETE FROM postings WHERE repo_id = ` + ledgerID, false},
		"another's repository":        {`DELETE FROM repositories WHERE name = '` + ledger + `'`, false},
		"another's sequence":          {`UPDATE repositories SET sequence = 9 WHERE name = '` + ledger + `'`, false},
		"a grant":                     {`INSERT INTO grants (principal, pattern, matches, publish) VALUES ('everyone', '*', '%', true)`, true},
		"a changed grant":             {`UPDATE grants SET matches = '%'`, true},
		"no grants":                   {`DELETE FROM grants`, true},
		"access":                      {`INSERT INTO access (principal, repo_id, publish) VALUES ('everyone', ` + ledgerID + `, true)`, true},
		"no access":                   {`DELETE FROM access`, true},
		"hashes of tokens":            {`SELECT hash FROM tokens`, true},
		"persons of tokens":           {`SELECT person FROM tokens`, true},
		"a token":                     {`INSERT INTO tokens (hash, person, groups) VALUES ('', 'eve', '{}')`, true},
		"a token that is valid again": {`UPDATE tokens SET revoked_at = NULL`, true},
		"the audit":                   {`SELECT count(*) FROM audit`, true},
		"no audit":                    {`DELETE FROM audit`, true},
		"another audit":               {`UPDATE audit SET person = 'ben'`, true},
		"another analyser":            {`UPDATE repositories SET analysed_by = 9 WHERE name = '` + ledger + `'`, false},
		"another schema":              {`DELETE FROM goose_db_version`, true},
		"fewer terms":                 {`DELETE FROM terms`, true},
		"emptied tables":              {`TRUNCATE memories CASCADE`, true},
		"no row security":             {`ALTER TABLE memories DISABLE ROW LEVEL SECURITY`, true},
		"row security off":            {`SET LOCAL row_security = off; SELECT count(*) FROM memories`, true},
		"another policy":              {`CREATE POLICY mine ON memories USING (true)`, true},
		"no trigger":                  {`ALTER TABLE repositories DISABLE TRIGGER granted`, true},
		"a function of the owner":     {`CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'`, true},
		"a table":                     {`CREATE TABLE mine ()`, true},
		"a right":                     {`GRANT SELECT ON tokens TO PUBLIC`, false}, // a warning
		"the role of the owner":       {`SET LOCAL ROLE hub_owner`, true},
		"an administrator":            {`INSERT INTO administrators (principal) VALUES ('user:anna')`, true},
		"tokens as administrators do": {`SET LOCAL ROLE memctl_hub_admin; UPDATE tokens SET revoked_at = now()`, false},
		"a denied person as they do":  {`SET LOCAL ROLE memctl_hub_admin; INSERT INTO denied VALUES ('ben')`, true},
		"less audit":                  {`SELECT drop_audit(now())`, true},
		"none of the last week":       {`SELECT keep_audit(6)`, false},
		"a part of the audit":         {`DROP TABLE audit_default`, true},
		"a role":                      {`CREATE ROLE eve SUPERUSER`, true},
		"a file":                      {`SELECT pg_read_file('postgresql.conf')`, true},
		"a program":                   {`COPY (SELECT 1) TO PROGRAM 'true'`, true},
	}
	for name, tt := range tests {
		err := h.as(t.Context(), anna, payments, func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), tt.statement, pgx.QueryExecModeSimpleProtocol)
			return err
		})
		if code := sqlState(err); tt.refused && code != denied {
			t.Errorf("%s: %v, want a refusal", name, err)
		} else if !tt.refused && err != nil && code != denied {
			t.Errorf("%s: %v", name, err)
		}
	}
	if diff := cmp.Diff(before, everything()); diff != "" {
		t.Error(diff)
	}
}

// The triggers act as the owner. A temporary table does not make them read other grants.
func TestATemporaryTableGrantsNothing(t *testing.T) {
	h := twoRepositories(t)
	ctx := t.Context()
	conn, err := h.pool.Acquire(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	for _, statement := range []string{
		`CREATE TEMPORARY TABLE grants (principal text, pattern text, matches text, publish boolean)`,
		`CREATE TEMPORARY TABLE tokens (hash bytea, person text, groups text[], expires_at timestamptz, revoked_at timestamptz)`,
		`GRANT ALL ON grants, tokens TO PUBLIC`,
		`INSERT INTO grants VALUES ('user:eve', '*', '%', true)`,
		`INSERT INTO tokens (hash, person, groups) VALUES ('eve', 'root', '{}')`,
		`SELECT set_config('memctl.publishing', 'github.com/eve/new', false)`,
		`SET ROLE memctl_hub`,
		`INSERT INTO repositories (name, commit_sha, sequence, published_at, published_by, memories) VALUES ('github.com/eve/new', '', 1, now(), 'eve', 0)`,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if got := rows[string](t, h, `SELECT principal FROM access JOIN repositories USING (repo_id) WHERE name = 'github.com/eve/new'`); len(got) > 0 {
		t.Errorf("the temporary table gives access to %q", got)
	}
	var persons int
	if err := conn.QueryRow(ctx, `SELECT count(*) FROM authenticate('eve')`).Scan(&persons); err != nil || persons > 0 {
		t.Errorf("the temporary table has a valid token: %v", err)
	}
	if err := conn.Conn().Close(context.Background()); err != nil { // not for other tests
		t.Fatal(err)
	}
}

// Functions of the owner are for the service alone, and read no table by a name that the
// caller chooses.
func TestFunctionsOfTheOwner(t *testing.T) {
	h := newHub(t)
	for _, f := range rows[string](t, h, `
		SELECT format('%s %s %s', proname, array_to_string(proconfig, ' '), has_function_privilege('public', oid, 'EXECUTE') AND prorettype <> 'trigger'::regtype)
		FROM pg_proc
		WHERE prosecdef
			AND pronamespace = 'public'::regnamespace`) {
		if !strings.HasSuffix(f, "search_path=public, pg_temp f") {
			t.Errorf("the function %s", f)
		}
	}
}

// A person or group whose name has what an array's text is made of is that name alone.
func TestNamesAreNotSyntax(t *testing.T) {
	h := twoRepositories(t)
	names := []string{`ben","everyone`, `{user:ben}`, `x,user:ben`, `\`, `"`, `NULL`, "ben\n", "ben ", "Ben", "'", `%`, "user:ben"}
	for _, attack := range attacks {
		if len(attack) <= maxName && utf8.ValidString(attack) && !strings.Contains(attack, "\x00") {
			names = append(names, attack)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		for _, p := range []Principal{{Person: name}, {Person: "eve", Groups: []string{name}}} {
			list, err := h.Repositories(t.Context(), p, struct{}{})
			if err != nil || len(list.Repositories) > 0 {
				t.Errorf("%+v sees %v: %v", p, list.Repositories, err)
			}
			_, err = h.Publish(t.Context(), p, publication(9, note("jwt", "Mine")))
			wantCode(t, err, "forbidden")
			h.grant(t, p.names()[len(p.names())-1], ledger, false)
			list, err = h.Repositories(t.Context(), p, struct{}{})
			if err != nil || !slices.ContainsFunc(list.Repositories, func(r remote.Repository) bool { return r.Repository == ledger }) || len(list.Repositories) != 1 {
				t.Errorf("%+v with a grant sees %v: %v", p, list.Repositories, err)
			}
		}
	}
}
