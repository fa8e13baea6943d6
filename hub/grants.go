package hub

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"memctl/features/hub/remote"

	"github.com/jackc/pgx/v5"
)

// Grant lets a principal read repositories.
type Grant struct {
	Principal    string `json:"principal"`    // user:NAME, group:NAME or everyone
	Repositories string `json:"repositories"` // a repository; * stands for any characters
	Publish      bool   `json:"publish"`      // may publish them, too
}

// maxGrants is how many grants a file may have.
const maxGrants = 10_000

// patternForm is that of a repository's name, with an asterisk anywhere.
var patternForm = regexp.MustCompile(`^[A-Za-z0-9*][A-Za-z0-9.:_*/-]*$`)

// Check returns an error unless the grant can be stored.
func (g Grant) Check() error {
	if err := checkPrincipal(g.Principal); err != nil {
		return err
	}
	if len(g.Repositories) > remote.MaxRepository || !patternForm.MatchString(g.Repositories) ||
		strings.Contains(g.Repositories, "://") || strings.HasSuffix(g.Repositories, "/") {
		return badRequest("repositories", "expected a name such as github.com/acme/payments, or "+
			"github.com/acme/*, got %q", g.Repositories)
	}
	if g.Principal == ownRepository && !g.Publish {
		return badRequest("principal", ownRepository+" is whom a CI token names: it can only publish")
	}
	return nil
}

// likePattern writes a pattern as LIKE takes it.
var likePattern = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`)

// decodeStrictly decodes JSON. Who wrote it may mean something by a field that this hub does not know.
func decodeStrictly(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return badRequest("", "something follows the JSON")
	}
	return nil
}

// DecodeGrants decodes a JSON list of grants, as "grant list --json" prints it.
func DecodeGrants(data []byte) (grants []Grant, err error) {
	if err = decodeStrictly(data, &grants); err == nil {
		err = checkGrants(grants)
	}
	return grants, err
}

func checkGrants(grants []Grant) error {
	if grants == nil {
		return badRequest("", "expected a list of grants, [] for none")
	}
	if len(grants) > maxGrants {
		return badRequest("", "%d grants: expected at most %d", len(grants), maxGrants)
	}
	seen := map[[2]string]bool{}
	for i, g := range grants {
		if err := g.Check(); err != nil {
			return fmt.Errorf("grant %d: %w", i+1, err)
		}
		k := [2]string{g.Principal, strings.ToLower(g.Repositories)}
		if seen[k] {
			return badRequest("", "grant %d: %s has %s already", i+1, g.Principal, g.Repositories)
		}
		seen[k] = true
	}
	return nil
}

// GrantChanges says what a change of the grants changed.
type GrantChanges struct {
	Added     int `json:"added"`
	Changed   int `json:"changed"`
	Removed   int `json:"removed"`
	Unchanged int `json:"unchanged"`
}

// Grant adds a grant, or changes whether it is one to publish.
func (s *Store) Grant(ctx context.Context, g Grant) (GrantChanges, error) {
	return s.changeGrants(ctx, []Grant{g}, false, false)
}

// Revoke removes a grant. Principal and Repositories name it as it was given.
func (s *Store) Revoke(ctx context.Context, g Grant) (GrantChanges, error) {
	g.Publish = true // any
	return s.changeGrants(ctx, []Grant{g}, true, false)
}

// SetGrants makes the grants those of a list.
func (s *Store) SetGrants(ctx context.Context, grants []Grant) (GrantChanges, error) {
	return s.changeGrants(ctx, grants, false, true)
}

// changeGrants adds grants or, if remove, removes them; if alone, it removes all others. No other transaction changes
// grants meanwhile. The trigger that keeps access runs once for each kind of change.
func (s *Store) changeGrants(ctx context.Context, grants []Grant, remove, alone bool) (done GrantChanges, err error) {
	if err := checkGrants(grants); err != nil {
		return done, err
	}
	var principals, patterns, matches []string
	var publish []bool
	for _, g := range grants {
		pattern := strings.ToLower(g.Repositories)
		principals, patterns = append(principals, g.Principal), append(patterns, pattern)
		matches, publish = append(matches, likePattern.Replace(pattern)), append(publish, g.Publish)
	}
	err = s.asOwner(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `LOCK TABLE grants IN SHARE ROW EXCLUSIVE MODE`); err != nil {
			return err
		}
		return tx.QueryRow(ctx, `
			WITH listed AS (
				SELECT *
				FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[]) w (principal, pattern, matches, publish)
			),
			removed AS (
				DELETE FROM grants
				WHERE CASE WHEN (principal, pattern) IN (SELECT principal, pattern FROM listed)
					THEN $5::boolean ELSE $6::boolean END
				RETURNING 1
			),
			put AS (
				INSERT INTO grants (principal, pattern, matches, publish)
				SELECT principal, pattern, matches, publish FROM listed WHERE NOT $5
				ON CONFLICT (principal, pattern) DO UPDATE SET publish = excluded.publish
				WHERE grants.publish <> excluded.publish
				RETURNING xmax = 0 AS added
			)
			SELECT count(*) FILTER (WHERE added), count(*) FILTER (WHERE NOT added), (SELECT count(*) FROM removed),
				(SELECT count(*) FROM listed WHERE NOT $5) - count(*)
			FROM put`, principals, patterns, matches, publish, remove, alone).
			Scan(&done.Added, &done.Changed, &done.Removed, &done.Unchanged)
	})
	return done, err
}

// ListGrants lists the grants by principal and repositories.
var ListGrants = listing[Grant]("grants", `SELECT principal, pattern, publish FROM grants ORDER BY principal, pattern`)
