package hub

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"

	"memctl/schemas"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// migrations are those of the hub's database, numbered from 1. A hub is migrated, not made
// again: add a file.
//
//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the schema of a database to the newest version. The role that connects
// becomes the owner of the tables, and a member of memctl_hub.
//
// Migrate does not change the terms of memories: if Ready then reports another analyser,
// Reanalyse makes them again.
func Migrate(ctx context.Context, dsn string) error {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return err
	}
	database := stdlib.OpenDB(*config)
	defer database.Close()
	var encoding string
	if err := database.QueryRowContext(ctx, `SHOW server_encoding`).Scan(&encoding); err != nil {
		return err
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the database has the encoding %s: create one with UTF8", encoding)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	// One process migrates; others look again every second.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, database, files,
		goose.WithDisableGlobalRegistry(true), goose.WithSessionLocker(locker))
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("create tables: %w", err)
	}
	_, err = database.ExecContext(ctx, `
		INSERT INTO hub (analyser_version)
		VALUES ($1)
		ON CONFLICT DO NOTHING`, AnalyserVersion)
	return err
}

// Reanalyse makes all terms, postings and positions again from the documents, after a new
// version of the analyser. It is one transaction: publications wait for it, and searches
// find the old terms until it commits. It needs the owner of the tables. It refuses terms of
// a newer analyser: hubs of that version run, and their operator would make those again.
func (s *Store) Reanalyse(ctx context.Context) error {
	return s.asOwner(ctx, func(tx pgx.Tx) error {
		if err := lockTerms(ctx, tx); err != nil {
			return err
		}
		var newer bool
		if err := tx.QueryRow(ctx, `SELECT analyser_version > $1 FROM hub`, AnalyserVersion).Scan(&newer); err != nil {
			return err
		}
		if newer {
			return checkAnalyser(ctx, tx)
		}
		var old pgx.Batch
		for _, table := range []string{"postings", "terms", "term_changes", "corpus_changes"} {
			old.Queue(`DELETE FROM ` + table)
		}
		old.Queue(`UPDATE corpus SET memories = 0, terms = 0`)
		if err := tx.SendBatch(ctx, &old).Close(); err != nil {
			return err
		}
		repos, err := column[int32](ctx, tx, `SELECT repo_id FROM repositories ORDER BY repo_id`)
		if err != nil {
			return err
		}
		for _, repo := range repos {
			if err := reanalyseRepository(ctx, tx, repo); err != nil {
				return err
			}
		}
		var made pgx.Batch
		mergeFrequencies(&made)
		made.Queue(`UPDATE hub SET analyser_version = $1`, AnalyserVersion)
		return tx.SendBatch(ctx, &made).Close()
	})
}

// reanalyseRepository writes the terms of a repository that has no postings.
func reanalyseRepository(ctx context.Context, tx pgx.Tx, repo int32) error {
	memories, err := storedMemories(ctx, tx, repo)
	if err != nil {
		return err
	}
	for i := range memories {
		if err := memories[i].decode(); err != nil {
			return err
		}
	}
	c := changes{put: memories}
	if err := c.analyse(ctx); err != nil {
		return err
	}
	for part := range slices.Chunk(c.put, writtenAtOnce) {
		if err := c.putPositions(ctx, tx, part); err != nil {
			return err
		}
	}
	words := c.words()
	for part := range slices.Chunk(words, rowsAtOnce) {
		if err := insertTerms(ctx, tx, part); err != nil {
			return err
		}
	}
	ids, err := termIDs(ctx, tx, words)
	if err != nil {
		return err
	}
	if err := c.writePostings(ctx, tx, repo, ids); err != nil {
		return err
	}
	return c.countChanges(ctx, tx)
}

// storedMemories reads the documents of a repository, and their hashes.
func storedMemories(ctx context.Context, tx pgx.Tx, repo int32) ([]version, error) {
	rows, _ := tx.Query(ctx, `
		SELECT memory_id, path, hash, document
		FROM memories
		WHERE repo_id = $1
		ORDER BY path`, repo) // CollectRows returns its error
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (v version, err error) {
		err = row.Scan(&v.id, &v.path, &v.hash, &v.document)
		return v, err
	})
}

// decode reads the document of a stored memory.
func (v *version) decode() (err error) {
	if v.Memory, err = schemas.Decode(v.document); err != nil {
		return fmt.Errorf("%s: %w", v.path, err)
	}
	return nil
}

func (v *vocabulary) putPositions(ctx context.Context, tx pgx.Tx, list []version) error {
	ids, positions := v.positionsByID(list)
	_, err := tx.Exec(ctx, `
		UPDATE memories m
		SET positions = w.positions::tsvector
		FROM unnest($1::bigint[], $2::text[]) w (memory_id, positions)
		WHERE m.memory_id = w.memory_id`, ids, positions)
	return err
}

func (v *vocabulary) positionsByID(list []version) (ids []int64, positions []string) {
	for _, m := range list {
		ids, positions = append(ids, m.id), append(positions, v.positions(m.analysis))
	}
	return ids, positions
}
