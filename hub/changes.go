package hub

import (
	"context"
	"fmt"
	"slices"

	"memctl/db"
	"memctl/features/hub/remote"
	"memctl/schemas"
	"memctl/text"

	"github.com/jackc/pgx/v5"
)

// version is a memory before or after a publication, checked and filtered. A publication has many, so it holds little.
type version struct {
	fields
	path     string
	document []byte // as the hub stores it
	hash     []byte // of document
	sent     []byte // sentHash of its digest; nil if it had none, or the hub found a secret in it
	analysis
	id int64 // 0 if it is not stored yet
}

// fields are those of a memory that have columns.
type fields struct {
	category             schemas.Category
	status               schemas.Status
	title                string
	tags                 []string
	createdAt, updatedAt string
	confidence           *float64
}

func fieldsOf(m schemas.Memory) fields {
	return fields{m.Category, m.RecordStatus, m.Title, m.Tags, m.CreatedAt, m.UpdatedAt, m.Confidence}
}

// changes are the changes of a publication to the rows of a repository.
type changes struct {
	done    remote.Published
	put     []*version // added or changed memories as they will be
	old     []*version // changed and removed memories as they were
	removed []int64    // ids of memories
	resent  []*version // unchanged memories that were sent in other words
	count   int        // of the memories afterwards
	more    bool       // of the memories that go; these are some of them, and nothing else changes
	end     bool       // of a publication that came in parts

	*vocabulary // of all versions, and maybe of more
}

// readOld reads the documents of the memories whose terms go.
func (c *changes) readOld(ctx context.Context, tx pgx.Tx) error {
	ids := make([]int64, len(c.old))
	for i, v := range c.old {
		ids[i] = v.id
	}
	rows, _ := tx.Query(ctx, `
		SELECT m.document
		FROM unnest($1::bigint[]) WITH ORDINALITY old (memory_id, place)
		LEFT JOIN memories m USING (memory_id)
		ORDER BY place`, ids) // CollectRows returns its error
	documents, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	for i, document := range documents {
		c.old[i].document = document
	}
	return err
}

// analyse splits the versions into terms that are not yet. Those of a stored document are the same again,
// so that the rows that they are in need not be searched for.
func (c *changes) analyse(ctx context.Context) error {
	list := slices.DeleteFunc(slices.Concat(c.put, c.old), func(v *version) bool { return v.analysed })
	if len(list) == 0 {
		return nil
	}
	splitter, err := db.NewAnalyser(ctx)
	if err != nil {
		return err
	}
	defer splitter.Close()
	for part := range slices.Chunk(list, analysedAtOnce) {
		memories := make([]schemas.Memory, len(part))
		for i, v := range part {
			m, err := schemas.Decode(v.document)
			if err != nil {
				return fmt.Errorf("%s: %w", v.path, err)
			}
			memories[i], v.fields = m, fieldsOf(m)
		}
		found, err := splitter.Memories(ctx, memories)
		if err != nil {
			return err
		}
		for i, terms := range found {
			part[i].analysis = c.newAnalysis(terms)
		}
	}
	return nil
}

// used returns the numbers of the terms that the versions have.
func (c *changes) used() (numbers []int32) {
	seen := make([]bool, len(c.vocabulary.terms))
	for _, v := range slices.Concat(c.put, c.old) {
		for _, n := range slices.Concat(v.terms[:]...) {
			if n != tooLong && !seen[n] {
				seen[n] = true
				numbers = append(numbers, n)
			}
		}
	}
	return numbers
}

// words returns the terms with these numbers, sorted.
func (v *vocabulary) words(numbers []int32) []string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = v.terms[n]
	}
	slices.Sort(list)
	return list
}

// write makes the changes, given the ids of the terms.
func (c *changes) write(ctx context.Context, tx pgx.Tx, repo int32, ids map[string]int32) error {
	if _, err := tx.Exec(ctx, `DELETE FROM memories WHERE memory_id = ANY ($1)`, c.removed); err != nil {
		return err
	}
	for part := range slices.Chunk(c.put, writtenAtOnce) {
		if err := c.putMemories(ctx, tx, repo, part); err != nil {
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
	if len(c.put)+len(c.old) == 0 {
		return nil
	}
	return c.writeTerms(ctx, tx, repo, ids)
}

// writtenAtOnce is how many memories go to PostgreSQL before it answers.
const writtenAtOnce = 500

const (
	memoryColumns = `category, title, tags, record_status, created_at, updated_at, created_unix, updated_unix,
		confidence, hash, document, sent, positions`
	memoryValues = `$3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15::text::tsvector`
	insertMemory = `
		INSERT INTO memories (repo_id, path, ` + memoryColumns + `)
		VALUES ($1, $2, ` + memoryValues + `)
		RETURNING memory_id`
	updateMemory = `
		UPDATE memories
		SET (` + memoryColumns + `) = (` + memoryValues + `)
		WHERE repo_id = $1
			AND path = $2
		RETURNING memory_id`
)

// putMemories writes rows of memories and gives new ones their ids.
func (c *changes) putMemories(ctx context.Context, tx pgx.Tx, repo int32, list []*version) error {
	var batch pgx.Batch
	for _, v := range list {
		query := updateMemory
		if v.id == 0 {
			query = insertMemory
		}
		batch.Queue(query, append(v.columns(repo), c.positions(v.analysis))...).QueryRow(func(row pgx.Row) error {
			return row.Scan(&v.id)
		})
	}
	return tx.SendBatch(ctx, &batch).Close()
}

// columns are those of the row of a memory, in the order of the statements above.
func (v *version) columns(repo int32) []any {
	tags := append([]string{}, text.Tags(v.tags)...)
	for i, tag := range tags {
		tags[i] = shown(text.Truncate(tag, db.MaxTag))
	}
	return []any{repo, v.path, v.category, shown(v.title), tags, v.status, shown(v.createdAt), shown(v.updatedAt),
		unix(v.createdAt), unix(v.updatedAt), v.confidence, v.hash, string(v.document), v.sent}
}

// shown returns a short text as lists show it. The document keeps it as it is.
func shown(s string) string { return text.Printable(text.Truncate(s, db.MaxTitle)) }

// unix is nil for what is no timestamp.
func unix(stamp string) *int64 {
	if t, ok := schemas.ParseTime(stamp); ok {
		return new(t.Unix())
	}
	return nil
}
