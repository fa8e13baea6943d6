package hub

import (
	"context"
	"slices"

	"memctl/db"
	"memctl/remote"
	"memctl/schemas"
	"memctl/text"

	"github.com/jackc/pgx/v5"
)

// version is a memory before or after a publication, checked and filtered.
type version struct {
	schemas.Memory
	path     string
	document []byte // as the hub stores it
	hash     []byte // of document
	sent     []byte // of what was sent for it, nil if that had a secret
	analysis
	id int64 // 0 if it is not stored yet
}

// changes are what a publication changes in the rows of a repository.
type changes struct {
	done    remote.Published
	put     []version // added or changed memories as they will be
	old     []version // changed and removed memories as they were
	removed []int64   // ids of memories
	resent  []version // unchanged memories that were sent in other words

	vocabulary // of all versions
}

// readOld reads the documents of the memories whose terms go.
func (c *changes) readOld(ctx context.Context, tx pgx.Tx) error {
	ids := make([]int64, len(c.old))
	for i, v := range c.old {
		ids[i] = v.id
	}
	documents, err := column[[]byte](ctx, tx, `
		SELECT m.document
		FROM unnest($1::bigint[]) WITH ORDINALITY old (memory_id, place)
		LEFT JOIN memories m USING (memory_id)
		ORDER BY place`, ids)
	for i, document := range documents {
		c.old[i].document = document
	}
	return err
}

// analyse splits all versions into terms. Those of a stored document are the same again,
// so that the rows that they are in need not be searched for.
func (c *changes) analyse(ctx context.Context) error {
	var documents [][]byte
	for v := range c.versions {
		documents = append(documents, v.document)
	}
	found, err := c.vocabulary.analyse(ctx, documents)
	if err != nil {
		return err
	}
	for v := range c.versions {
		v.analysis, found = found[0], found[1:]
	}
	return nil
}

// versions yields all versions.
func (c *changes) versions(yield func(*version) bool) {
	for _, list := range [][]version{c.put, c.old} {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// words returns the terms of all versions, sorted.
func (c *changes) words() []string { return slices.Sorted(slices.Values(c.vocabulary.terms)) }

// write makes the changes, given the ids of the terms.
func (c *changes) write(ctx context.Context, tx pgx.Tx, repo int32, ids map[string]int32) error {
	if len(c.removed) > 0 {
		if _, err := tx.Exec(ctx, `DELETE FROM memories WHERE memory_id = ANY ($1)`, c.removed); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(c.put, writtenAtOnce) {
		if err := putMemories(ctx, tx, repo, part); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(c.resent, writtenAtOnce) {
		var batch pgx.Batch
		for _, v := range part {
			batch.Queue(`UPDATE memories SET sent = $2 WHERE memory_id = $1`, v.id, v.sent)
		}
		if err := tx.SendBatch(ctx, &batch).Close(); err != nil {
			return err
		}
	}
	if err := c.writePostings(ctx, tx, repo, ids); err != nil {
		return err
	}
	return c.countChanges(ctx, tx)
}

// writtenAtOnce is how many memories go to PostgreSQL before it answers.
const writtenAtOnce = 500

const (
	memoryColumns = `repo_id, path, category, title, tags, record_status, created_at, updated_at, created_unix, updated_unix,
		confidence, hash, document, positions, sent`
	memoryValues = `$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::float8, $12, $13, $14::text::tsvector, $15`
)

// putMemories writes rows of memories and gives new ones their ids.
func putMemories(ctx context.Context, tx pgx.Tx, repo int32, list []version) error {
	var batch pgx.Batch
	for i := range list {
		v := &list[i]
		if v.id != 0 {
			batch.Queue(`
				UPDATE memories
				SET (`+memoryColumns+`) = (`+memoryValues+`)
				WHERE memory_id = $16`, append(memoryRow(repo, v), v.id)...)
			continue
		}
		batch.Queue(`
			INSERT INTO memories (`+memoryColumns+`)
			VALUES (`+memoryValues+`)
			RETURNING memory_id`, memoryRow(repo, v)...).
			QueryRow(func(row pgx.Row) error { return row.Scan(&v.id) })
	}
	return tx.SendBatch(ctx, &batch).Close()
}

// memoryRow is in the order of memoryColumns.
func memoryRow(repo int32, v *version) []any {
	m := v.Memory
	tags := []string{}
	for _, tag := range text.Tags(m.Tags) {
		tags = append(tags, shown(text.Truncate(tag, db.MaxTag)))
	}
	return []any{
		repo, v.path, string(m.Category), shown(m.Title), tags, string(m.RecordStatus),
		shown(m.CreatedAt), shown(m.UpdatedAt), unix(m.CreatedAt), unix(m.UpdatedAt), m.Confidence, v.hash,
		string(v.document), v.positions, v.sent,
	}
}

// shown returns a short text as lists show it. The document keeps it as it is.
func shown(s string) string { return text.Printable(text.Truncate(s, db.MaxTitle)) }

// unix is nil for what is no timestamp.
func unix(stamp string) *int64 {
	t, ok := schemas.ParseTime(stamp)
	if !ok {
		return nil
	}
	seconds := t.Unix()
	return &seconds
}
