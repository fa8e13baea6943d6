package hub

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
)

// IsOwner reports whether the role that connects owns the tables, or is above row security for another reason.
func (s *Store) IsOwner(ctx context.Context) (owner bool, err error) {
	err = s.transaction(ctx, snapshot, func(tx pgx.Tx) error {
		return tx.QueryRow(ctx, `SELECT NOT row_security_active('memories')`).Scan(&owner)
	})
	return owner, err
}

// Stored is a repository as the hub's operator sees it.
type Stored struct {
	Repository  string    `json:"repository"`
	Commit      string    `json:"commit"`
	Sequence    int64     `json:"sequence"`
	PublishedAt time.Time `json:"published_at"`
	PublishedBy string    `json:"published_by"`
	Memories    int       `json:"memories"`
	// Incomplete says that parts of a newer publication came, and not its end.
	Incomplete bool `json:"incomplete"`
}

// ListRepositories lists all repositories by name, whatever the grants say.
var ListRepositories = listing[Stored]("repositories", `
	SELECT name, commit_sha, sequence, published_at, published_by, memories, incomplete
	FROM repositories
	ORDER BY name`)

// Restart has a repository accept any sequence next, and leaves its memories as they are. It needs the owner of the
// tables.
func (s *Store) Restart(ctx context.Context, repository string) error {
	return s.asOwner(ctx, func(tx pgx.Tx) error {
		id, err := repositoryID(ctx, tx, repository)
		if err == nil {
			_, err = tx.Exec(ctx, `UPDATE repositories SET sequence = 0 WHERE repo_id = $1`, id)
		}
		return err
	})
}

// Forget removes a repository with its memories, their terms and the frequencies of those.
// Grants stay: they are patterns. It needs the owner of the tables.
func (s *Store) Forget(ctx context.Context, repository string) error {
	return s.asOwner(ctx, func(tx pgx.Tx) error {
		if err := lockTerms(ctx, tx); err != nil {
			return err
		}
		id, err := repositoryID(ctx, tx, repository)
		if err != nil {
			return err
		}
		var b pgx.Batch
		removeTerms(&b, id)
		b.Queue(`DELETE FROM repositories WHERE repo_id = $1`, id)
		dropUnused(&b)
		return tx.SendBatch(ctx, &b).Close()
	})
}

// repositoryID returns the id of a repository, for its owner.
func repositoryID(ctx context.Context, tx pgx.Tx, name string) (id int32, err error) {
	err = tx.QueryRow(ctx, `SELECT repo_id FROM repositories WHERE name = lower($1)`, name).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = refusal(http.StatusNotFound, "not_found", "the hub has no repository %s", name)
	}
	return id, err
}
