package hub

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"memctl/features/hub/remote"
	"memctl/schemas"
	"memctl/text"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

// check collects the differences between a repository's rows and its files, or between its postings and its memories.
type check []string

// add adds a difference of a memory, or of the repository if path is "".
func (c *check) add(path, problem, format string, args ...any) {
	detail := problem + ": " + text.Printable(fmt.Sprintf(format, args...))
	if path != "" {
		detail = path + ": " + detail
	}
	*c = append(*c, detail)
}

// checkRepository compares the rows of a repository with what publishing its files would
// derive. It needs the owner of the tables.
func (s *Store) checkRepository(ctx context.Context, p remote.Publication) (found []string, err error) {
	files, err := readMemories(s.options.Version, p.Memories)
	if err != nil {
		return nil, err
	}
	var c check
	err = s.transaction(ctx, snapshot, func(tx pgx.Tx) error {
		repo, err := repositoryID(ctx, tx, p.Repository)
		if err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, `
			SELECT memory_id, path, hash, document
			FROM memories
			WHERE repo_id = $1
			ORDER BY path`, repo) // CollectRows returns its error
		stored, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*version, error) {
			var v version
			err := row.Scan(&v.id, &v.path, &v.hash, &v.document)
			return &v, err
		})
		if err != nil {
			return err
		}
		c.compareFiles(files, stored)
		if err := c.checkRow(ctx, tx, repo, p.Commit, len(stored)); err != nil {
			return err
		}
		return c.checkTerms(ctx, tx, repo, c.readable(stored), s.options.analyser)
	})
	return c, err
}

func (c *check) compareFiles(files, stored []*version) {
	byPath := map[string]*version{}
	for _, m := range files {
		byPath[m.path] = m
	}
	for _, v := range stored {
		m, isFile := byPath[v.path]
		delete(byPath, v.path)
		switch {
		case !isFile:
			c.add(v.path, "foreign", "the files do not have it")
		case !bytes.Equal(m.document, v.document):
			c.add(v.path, "different", "the hub has another text")
		}
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		c.add(path, "missing", "the hub does not have it")
	}
}

func (c *check) checkRow(ctx context.Context, tx pgx.Tx, repo int32, commit string, memories int) error {
	var published string
	var counted int
	err := tx.QueryRow(ctx, `
		SELECT commit_sha, memories
		FROM repositories
		WHERE repo_id = $1`, repo).Scan(&published, &counted)
	if err != nil {
		return err
	}
	if published != commit {
		c.add("", "commit", "the hub has %s, the files are those of %s", published, commit)
	}
	if counted != memories {
		c.add("", "count", "%d memories counted, %d found", counted, memories)
	}
	return nil
}

// readable leaves out documents that another program made unreadable: their terms cannot be
// checked.
func (c *check) readable(stored []*version) (list []*version) {
	for _, v := range stored {
		if sum := sha256.Sum256(v.document); !bytes.Equal(sum[:], v.hash) {
			c.add(v.path, "different", "its hash is that of another text")
		}
		if _, err := schemas.Decode(v.document); err != nil {
			c.add(v.path, "different", "the hub's text is no memory")
			continue
		}
		list = append(list, v)
	}
	return list
}

// checkTerms splits the memories into terms again and compares those.
func (c *check) checkTerms(ctx context.Context, tx pgx.Tx, repo int32, stored []*version, a analyser) error {
	expected := changes{put: stored, vocabulary: &vocabulary{analyser: a}}
	if err := expected.analyse(ctx); err != nil {
		return err
	}
	var packed []string
	for _, elements := range expected.elements() {
		slices.Sort(elements)
		packed = append(packed, arrayText(elements))
	}
	wrong, err := column[string](ctx, tx, `
		SELECT term
		FROM (
			SELECT coalesce(t.term, 'number ' || p.term_id) AS term, p.packed
			FROM postings p
			LEFT JOIN terms t USING (term_id)
			WHERE p.repo_id = $1
		) p
		FULL JOIN unnest($2::text[], $3::text[]) w (term, packed) USING (term)
		WHERE p.packed IS DISTINCT FROM w.packed::bigint[]
		ORDER BY term COLLATE "C"`, repo, expected.vocabulary.terms, packed)
	for _, term := range wrong {
		c.add("", "wrong terms", "postings of %s are not those of the memories", term)
	}
	for part := range slices.Chunk(stored, writtenAtOnce) {
		if err != nil {
			break
		}
		var ids []int64
		var positions []string
		for _, m := range part {
			ids, positions = append(ids, m.id), append(positions, expected.positions(m.analysis))
		}
		wrong, err = column[string](ctx, tx, `
			SELECT m.path
			FROM memories m
			JOIN unnest($1::bigint[], $2::text[]) w (memory_id, positions) USING (memory_id)
			WHERE m.positions <> w.positions::tsvector
			ORDER BY m.path`, ids, positions)
		for _, path := range wrong {
			c.add(path, "wrong terms", "its positions are those of another text")
		}
	}
	return err
}

// Whatever is wrong is found.
func TestCheckRepository(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	jwt, kafka := note("jwt", "JWT keys"), note("kafka", "Kafka")
	published := publication(1, jwt, kafka)
	for name, tt := range map[string]struct {
		files  []remote.File
		damage string
		want   []string
	}{
		"nothing":           {[]remote.File{jwt, kafka}, `SELECT 1`, nil},
		"a missing memory":  {[]remote.File{jwt, kafka, note("s3", "S3")}, `SELECT 1`, []string{"decisions/s3.json: missing: the hub does not have it"}},
		"a foreign memory":  {[]remote.File{jwt}, `SELECT 1`, []string{"decisions/kafka.json: foreign: the files do not have it"}},
		"a different one":   {[]remote.File{jwt, note("kafka", "Kafka keys")}, `SELECT 1`, []string{"decisions/kafka.json: different: the hub has another text"}},
		"another commit":    {[]remote.File{jwt, kafka}, `UPDATE repositories SET commit_sha = 'x'`, []string{"commit: the hub has x, the files are those of " + commitOf(1)}},
		"a wrong count":     {[]remote.File{jwt, kafka}, `UPDATE repositories SET memories = 5`, []string{"count: 5 memories counted, 2 found"}},
		"a changed row":     {[]remote.File{jwt, kafka}, `UPDATE memories SET hash = '' WHERE title = 'Kafka'`, []string{"decisions/kafka.json: different: its hash is that of another text"}},
		"a lost posting":    {[]remote.File{jwt, kafka}, `DELETE FROM postings WHERE term_id = (SELECT term_id FROM terms WHERE term = 'kafka')`, []string{"wrong terms: postings of kafka are not those of the memories"}},
		"a posting twice":   {[]remote.File{jwt, kafka}, `UPDATE postings SET packed = packed || packed WHERE term_id = (SELECT term_id FROM terms WHERE term = 'kafka')`, []string{"wrong terms: postings of kafka are not those of the memories"}},
		"another frequency": {[]remote.File{jwt, kafka}, `UPDATE postings SET packed[1] = packed[1] + 1 WHERE term_id = (SELECT term_id FROM terms WHERE term = 'kafka')`, []string{"wrong terms: postings of kafka are not those of the memories"}},
		"a foreign posting": {[]remote.File{jwt, kafka}, `UPDATE postings SET packed = packed || (77::bigint << 32) WHERE term_id = (SELECT term_id FROM terms WHERE term = 'kafka')`, []string{"wrong terms: postings of kafka are not those of the memories"}},
		"no memory": {[]remote.File{jwt, kafka}, `UPDATE memories SET document = 'x' WHERE title = 'Kafka'`, []string{
			"decisions/kafka.json: different: the hub has another text",
			"decisions/kafka.json: different: its hash is that of another text",
			"decisions/kafka.json: different: the hub's text is no memory",
			"wrong terms: postings of accept", "wrong terms: postings of kafka", "wrong terms: postings of r ", "wrong terms: postings of untag",
		}},
		"other positions": {[]remote.File{jwt, kafka}, `UPDATE memories SET positions = '' WHERE title = 'Kafka'`, []string{"decisions/kafka.json: wrong terms: its positions are those of another text"}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := h.owner.Forget(t.Context(), payments); err != nil {
				wantCode(t, err, "not_found")
			}
			mustPublish(t, h, anna, published)
			h.exec(t, tt.damage)
			p := published
			p.Memories = tt.files
			found, err := h.owner.checkRepository(t.Context(), p)
			var got []string
			for i, line := range found {
				if i < len(tt.want) && strings.HasPrefix(line, tt.want[i]) {
					line = tt.want[i]
				}
				got = append(got, line)
			}
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("%v %s", err, diff)
			}
		})
	}
	other := published
	other.Repository = "github.com/acme/other"
	_, err := h.owner.checkRepository(t.Context(), other)
	wantCode(t, err, "not_found")
}

// column returns the rows of a query for one column.
func column[T any](ctx context.Context, tx pgx.Tx, query string, args ...any) ([]T, error) {
	rows, _ := tx.Query(ctx, query, args...) // CollectRows returns its error
	return pgx.CollectRows(rows, pgx.RowTo[T])
}
