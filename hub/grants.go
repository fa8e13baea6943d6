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

	"memctl/remote"

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
		return fmt.Errorf("principal: %w", err)
	}
	switch host, _, _ := strings.Cut(g.Repositories, "/"); {
	case len(g.Repositories) > remote.MaxRepository || !patternForm.MatchString(g.Repositories):
		return fmt.Errorf("repositories: expected a name such as github.com/acme/payments, or github.com/acme/*, got %q",
			g.Repositories)
	case host != strings.ToLower(host):
		return fmt.Errorf("repositories: the host in %q is not in lower case", g.Repositories)
	}
	return nil
}

// likePattern is the grant's pattern as LIKE takes it.
func (g Grant) likePattern() string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`).Replace(g.Repositories)
}

// DecodeGrants decodes a JSON list of grants, as "grant list --json" prints it.
func DecodeGrants(data []byte) ([]Grant, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	var grants []Grant
	if err := decoder.Decode(&grants); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the list of grants")
	}
	if len(grants) > maxGrants {
		return nil, fmt.Errorf("%d grants: expected at most %d", len(grants), maxGrants)
	}
	type key struct{ principal, repositories string }
	seen := map[key]bool{}
	for i, g := range grants {
		if err := g.Check(); err != nil {
			return nil, fmt.Errorf("grant %d: %w", i+1, err)
		}
		k := key{g.Principal, g.Repositories}
		if seen[k] {
			return nil, fmt.Errorf("grant %d: %s has %s already", i+1, g.Principal, g.Repositories)
		}
		seen[k] = true
	}
	return grants, nil
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
	if err := g.Check(); err != nil {
		return done, err
	}
	err = s.changeGrants(ctx, func(tx pgx.Tx) error { return putGrant(ctx, tx, g, &done) })
	return done, err
}

// Revoke removes a grant. Principal and Repositories name it as it was given.
func (s *Store) Revoke(ctx context.Context, g Grant) (done GrantChanges, err error) {
	if err := g.Check(); err != nil {
		return done, err
	}
	err = s.changeGrants(ctx, func(tx pgx.Tx) error { return removeGrant(ctx, tx, g, &done) })
	return done, err
}

// SetGrants makes the grants those of a list, in one transaction.
func (s *Store) SetGrants(ctx context.Context, grants []Grant) (done GrantChanges, err error) {
	keep := map[Grant]bool{}
	for _, g := range grants {
		if err := g.Check(); err != nil {
			return done, err
		}
		keep[Grant{Principal: g.Principal, Repositories: g.Repositories}] = true
	}
	err = s.changeGrants(ctx, func(tx pgx.Tx) error {
		stored, err := collect[Grant](ctx, tx, grantsSQL)
		if err != nil {
			return err
		}
		for _, g := range stored {
			if keep[Grant{Principal: g.Principal, Repositories: g.Repositories}] {
				continue
			}
			if err := removeGrant(ctx, tx, g, &done); err != nil {
				return err
			}
		}
		for _, g := range grants {
			if err := putGrant(ctx, tx, g, &done); err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
}

// changeGrants runs fn while no other transaction changes grants: the trigger that keeps access
// makes all rows of a principal again.
func (s *Store) changeGrants(ctx context.Context, fn func(pgx.Tx) error) error {
	return s.asOwner(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `LOCK TABLE grants IN SHARE ROW EXCLUSIVE MODE`); err != nil {
			return err
		}
		return fn(tx)
	})
}

// Grants lists the grants by principal and repositories.
func (s *Store) Grants(ctx context.Context) ([]Grant, error) { return own[Grant](ctx, s, grantsSQL) }

const grantsSQL = `SELECT principal, pattern, publish FROM grants ORDER BY principal, pattern`

func putGrant(ctx context.Context, tx pgx.Tx, g Grant, done *GrantChanges) error {
	var added bool
	err := tx.QueryRow(ctx, `
		INSERT INTO grants (principal, pattern, matches, publish)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (principal, pattern) DO UPDATE SET publish = excluded.publish
		WHERE grants.publish <> excluded.publish
		RETURNING xmax = 0`, g.Principal, g.Repositories, g.likePattern(), g.Publish).Scan(&added)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		done.Unchanged++
		return nil
	case err != nil:
		return err
	case added:
		done.Added++
	default:
		done.Changed++
	}
	return nil
}

func removeGrant(ctx context.Context, tx pgx.Tx, g Grant, done *GrantChanges) error {
	tag, err := tx.Exec(ctx, `DELETE FROM grants WHERE principal = $1 AND pattern = $2`, g.Principal, g.Repositories)
	done.Removed += int(tag.RowsAffected())
	return err
}
