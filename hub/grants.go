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
		return badRequest("repositories", fmt.Sprintf("expected a name such as github.com/acme/payments, or "+
			"github.com/acme/*, got %q", g.Repositories))
	}
	if g.Principal == ownRepository && !g.Publish {
		return badRequest("principal", ownRepository+" is whom a CI token names: it can only publish")
	}
	return nil
}

// likePattern writes a pattern as LIKE takes it.
var likePattern = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`)

var errFollowed = errors.New("something follows the JSON")

// decodeStrictly decodes JSON. Who wrote it may mean something by a field that this hub does not know.
func decodeStrictly(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errFollowed
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
		return badRequest("", fmt.Sprintf("%d grants: expected at most %d", len(grants), maxGrants))
	}
	seen := map[[2]string]bool{}
	for i, g := range grants {
		if err := g.Check(); err != nil {
			return fmt.Errorf("grant %d: %w", i+1, err)
		}
		k := [2]string{g.Principal, strings.ToLower(g.Repositories)}
		if seen[k] {
			return badRequest("", fmt.Sprintf("grant %d: %s has %s already", i+1, g.Principal, g.Repositories))
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
func (s *Store) Grant(ctx context.Context, g Grant) (done GrantChanges, err error) {
	return s.changeGrants(ctx, []Grant{g}, putGrants)
}

// Revoke removes a grant. Principal and Repositories name it as it was given.
func (s *Store) Revoke(ctx context.Context, g Grant) (done GrantChanges, err error) {
	g.Publish = true // any
	return s.changeGrants(ctx, []Grant{g}, `
		WITH removed AS (
			DELETE FROM grants WHERE (principal, pattern) IN (SELECT principal, pattern FROM wanted) RETURNING 1
		)
		SELECT 0, 0, count(*), 0 FROM removed`)
}

// SetGrants makes the grants those of a list, in one transaction.
func (s *Store) SetGrants(ctx context.Context, grants []Grant) (done GrantChanges, err error) {
	return s.changeGrants(ctx, grants, `
		WITH removed AS (
			DELETE FROM grants WHERE (principal, pattern) NOT IN (SELECT principal, pattern FROM wanted) RETURNING 1
		)
		SELECT 0, 0, count(*), 0 FROM removed`, putGrants)
}

const putGrants = `
	WITH put AS (
		INSERT INTO grants (principal, pattern, matches, publish)
		SELECT principal, pattern, matches, publish FROM wanted
		ON CONFLICT (principal, pattern) DO UPDATE SET publish = excluded.publish
		WHERE grants.publish <> excluded.publish
		RETURNING xmax = 0 AS added
	)
	SELECT count(*) FILTER (WHERE added), count(*) FILTER (WHERE NOT added), 0, (SELECT count(*) FROM wanted) - count(*)
	FROM put`

// changeGrants runs statements that return GrantChanges, with grants as the table wanted, while no other
// transaction changes grants. The trigger that keeps access runs once for each statement.
func (s *Store) changeGrants(ctx context.Context, grants []Grant, statements ...string) (done GrantChanges, err error) {
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
		for _, statement := range statements {
			var part GrantChanges
			if err := tx.QueryRow(ctx, `
				WITH wanted AS (
					SELECT *
					FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[])
						w (principal, pattern, matches, publish)
				),`+strings.TrimPrefix(strings.TrimSpace(statement), "WITH"), principals, patterns, matches, publish).
				Scan(&part.Added, &part.Changed, &part.Removed, &part.Unchanged); err != nil {
				return err
			}
			done = GrantChanges{done.Added + part.Added, done.Changed + part.Changed, done.Removed + part.Removed,
				done.Unchanged + part.Unchanged}
		}
		return nil
	})
	return done, err
}

// Grants lists the grants by principal and repositories.
func (s *Store) Grants(ctx context.Context) ([]Grant, error) {
	return own[Grant](ctx, s, `SELECT principal, pattern, publish FROM grants ORDER BY principal, pattern`)
}
