package hub

import (
	"context"
	"errors"
	"time"

	"memctl/remote"

	"github.com/jackc/pgx/v5"
)

// ErrNotOwner means that a role other than the tables' owner connects where the owner is
// needed: row security would hide what it looks for.
var ErrNotOwner = errors.New("the role that connects does not own the tables")

// IsOwner reports whether the role that connects owns the tables, or is above row
// security for another reason.
func (s *Store) IsOwner(ctx context.Context) (owner bool, err error) {
	err = s.asOwner(ctx, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `SELECT NOT row_security_active('memories')`).Scan(&owner)
	})
	return owner, err
}

// Stored is a repository as the hub's operator sees it.
type Stored struct {
	Repository  string    `json:"repository" db:"name"`
	Commit      string    `json:"commit" db:"commit_sha"`
	Sequence    int64     `json:"sequence"`
	PublishedAt time.Time `json:"published_at"`
	PublishedBy string    `json:"published_by"`
	Memories    int       `json:"memories"`
}

const storedColumns = `name, commit_sha, sequence, published_at, published_by, memories`

// Stored lists all repositories by name, whatever the grants say.
func (s *Store) Stored(ctx context.Context) (list []Stored, err error) {
	err = s.ownerQuery(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT `+storedColumns+` FROM repositories ORDER BY name`)
		if err != nil {
			return err
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByName[Stored])
		return err
	})
	return list, err
}

// StoredNamed returns one repository, whatever the grants say.
func (s *Store) StoredNamed(ctx context.Context, name string) (r Stored, err error) {
	err = s.ownerQuery(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT `+storedColumns+` FROM repositories WHERE name = $1`, name)
		if err != nil {
			return err
		}
		r, err = pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Stored])
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return r, &remote.Error{Status: 404, Code: "not_found", Message: "the hub has no repository " + name}
	}
	return r, err
}

// ownerQuery runs fn as the tables' owner. It returns ErrNotOwner for any other role.
func (s *Store) ownerQuery(ctx context.Context, fn func(pgx.Tx) error) error {
	return s.asOwner(ctx, func(tx pgx.Tx) error {
		var hidden bool
		if err := tx.QueryRow(ctx, `SELECT row_security_active('memories')`).Scan(&hidden); err != nil {
			return err
		}
		if hidden {
			return ErrNotOwner
		}
		return fn(tx)
	})
}
