package hub

import (
	"context"
	"fmt"
	"slices"
	"strings"

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

// analyse splits the versions into terms that are not yet. Those of a stored document are the same again,
// so that the rows that they are in need not be searched for.
func (c *changes) analyse(ctx context.Context) error {
	defer c.close()
	var list []*version
	for _, v := range slices.Concat(c.put, c.old) {
		if !v.analysed {
			list = append(list, v)
		}
	}
	for part := range slices.Chunk(list, analysedAtOnce) {
		memories := make([]schemas.Memory, len(part))
		for i, v := range part {
			m, err := schemas.Decode(v.document)
			if err != nil {
				return fmt.Errorf("%s: %w", v.path, err)
			}
			memories[i], v.fields = m, fieldsOf(m)
		}
		if err := c.vocabulary.analyse(ctx, part, memories); err != nil {
			return err
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
	if len(c.removed) > 0 {
		if _, err := tx.Exec(ctx, `DELETE FROM memories WHERE memory_id = ANY ($1)`, c.removed); err != nil {
			return err
		}
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

// memoryRows are rows of memories, by column.
type memoryRows struct {
	ids                                       []int64
	paths, categories, titles, tags, statuses []string
	createdAt, updatedAt                      []string
	createdUnix, updatedUnix                  []*int64
	confidences                               []*float64
	hashes                                    [][]byte
	documents                                 []string
	sent                                      [][]byte
	positions                                 []string
}

const (
	memoryColumns = `path, category, title, tags, record_status, created_at, updated_at, created_unix, updated_unix,
		confidence, hash, document, sent, positions`
	memoryValues = `path, category, title, string_to_array(tags, '` + betweenTags + `'), record_status,
		created_at, updated_at,
		created_unix, updated_unix, confidence, hash, document, sent, positions::tsvector`
	memoryTable = `unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
		$8::text[], $9::text[],
		$10::bigint[], $11::bigint[], $12::float8[], $13::bytea[], $14::text[], $15::bytea[],
		$16::text[])
		AS w (memory_id, ` + memoryColumns + `)`
	betweenTags = "\n" // which shown leaves out of a tag
)

func (r *memoryRows) args(repo int32) []any {
	return []any{repo, r.ids, r.paths, r.categories, r.titles, r.tags, r.statuses, r.createdAt, r.updatedAt,
		r.createdUnix,
		r.updatedUnix, r.confidences, r.hashes, r.documents, r.sent, r.positions}
}

func (r *memoryRows) add(v *version) {
	tags := text.Tags(v.tags)
	for i, tag := range tags {
		tags[i] = shown(text.Truncate(tag, db.MaxTag))
	}
	r.ids = append(r.ids, v.id)
	r.paths = append(r.paths, v.path)
	r.categories = append(r.categories, string(v.category))
	r.titles = append(r.titles, shown(v.title))
	r.tags = append(r.tags, strings.Join(tags, betweenTags))
	r.statuses = append(r.statuses, string(v.status))
	r.createdAt = append(r.createdAt, shown(v.createdAt))
	r.updatedAt = append(r.updatedAt, shown(v.updatedAt))
	r.createdUnix = append(r.createdUnix, unix(v.createdAt))
	r.updatedUnix = append(r.updatedUnix, unix(v.updatedAt))
	r.confidences = append(r.confidences, v.confidence)
	r.hashes = append(r.hashes, v.hash)
	r.documents = append(r.documents, string(v.document))
	r.sent = append(r.sent, v.sent)
}

// putMemories writes rows of memories and gives new ones their ids.
func (c *changes) putMemories(ctx context.Context, tx pgx.Tx, repo int32, list []*version) error {
	var changed, added memoryRows
	isNew := map[string]*version{}
	for _, v := range list {
		rows := &changed
		if v.id == 0 {
			isNew[v.path], rows = v, &added
		}
		rows.add(v)
		rows.positions = append(rows.positions, c.positions(v.analysis))
	}
	if len(changed.ids) > 0 {
		if _, err := tx.Exec(ctx, `
			UPDATE memories m
			SET (`+memoryColumns+`) = (SELECT `+memoryValues+` FROM (SELECT w.*) new)
			FROM `+memoryTable+`
			WHERE m.repo_id = $1
				AND m.memory_id = w.memory_id`, changed.args(repo)...); err != nil {
			return err
		}
	}
	rows, _ := tx.Query(ctx, `
		INSERT INTO memories (repo_id, `+memoryColumns+`)
		SELECT $1, `+memoryValues+`
		FROM `+memoryTable+`
		RETURNING path, memory_id`, added.args(repo)...) // ForEachRow returns its error
	var path string
	var id int64
	_, err := pgx.ForEachRow(rows, []any{&path, &id}, func() error {
		isNew[path].id = id
		return nil
	})
	return err
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
