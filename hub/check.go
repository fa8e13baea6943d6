package hub

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"memctl/features/hub/remote"
	"memctl/schemas"
	"memctl/text"

	"github.com/jackc/pgx/v5"
)

// Difference is one between a repository's rows and its files, or between its postings
// and its memories.
type Difference struct {
	Path    string `json:"path,omitempty"` // of the memory; "" for the repository itself
	Problem string `json:"problem"`        // one of the Problems
	Detail  string `json:"detail"`
}

// Problems of a Difference.
const (
	Missing     = "missing"     // the hub does not have the memory
	Foreign     = "foreign"     // the files do not have the memory
	Different   = "different"   // the hub has another text
	WrongTerms  = "wrong terms" // postings or positions are not those of the memories
	WrongCommit = "commit"      // the hub has another commit than the files
	WrongCount  = "count"       // the repository's row has another number of memories
)

func (d Difference) String() string {
	if d.Path == "" {
		return d.Problem + ": " + d.Detail
	}
	return d.Path + ": " + d.Problem + ": " + d.Detail
}

// check collects differences of a repository.
type check []Difference

func (c *check) add(path, problem, format string, args ...any) {
	*c = append(*c, Difference{path, problem, text.Printable(fmt.Sprintf(format, args...))})
}

// CheckRepository compares the rows of a repository with what publishing its files would
// derive. It needs the owner of the tables.
func (s *Store) CheckRepository(ctx context.Context, p remote.Publication) (found []Difference, err error) {
	files, err := readMemories(s.options.Version, p.Memories)
	if err != nil {
		return nil, err
	}
	var c check
	err = s.inspect(ctx, func(tx pgx.Tx) error {
		if err := s.useTerms(ctx, tx); err != nil {
			return err
		}
		repo, err := repositoryID(ctx, tx, p.Repository)
		if err != nil {
			return err
		}
		stored, err := storedMemories(ctx, tx, repo)
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
			c.add(v.path, Foreign, "the files do not have it")
		case !bytes.Equal(m.document, v.document):
			c.add(v.path, Different, "the hub has another text")
		}
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		c.add(path, Missing, "the hub does not have it")
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
		c.add("", WrongCommit, "the hub has %s, the files are those of %s", published, commit)
	}
	if counted != memories {
		c.add("", WrongCount, "%d memories counted, %d found", counted, memories)
	}
	return nil
}

// readable leaves out documents that another program made unreadable: their terms cannot be
// checked.
func (c *check) readable(stored []*version) (list []*version) {
	for _, v := range stored {
		if sum := sha256.Sum256(v.document); !bytes.Equal(sum[:], v.hash) {
			c.add(v.path, Different, "its hash is that of another text")
		}
		if _, err := schemas.Decode(v.document); err != nil {
			c.add(v.path, Different, "the hub's text is no memory")
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
		c.add("", WrongTerms, "postings of %s are not those of the memories", term)
	}
	for part := range slices.Chunk(stored, writtenAtOnce) {
		if err != nil {
			break
		}
		ids, positions := expected.positionsByID(part)
		wrong, err = column[string](ctx, tx, `
			SELECT m.path
			FROM memories m
			JOIN unnest($1::bigint[], $2::text[]) w (memory_id, positions) USING (memory_id)
			LEFT JOIN positions p USING (memory_id)
			WHERE p.positions IS DISTINCT FROM w.positions::tsvector
			ORDER BY m.path`, ids, positions)
		for _, path := range wrong {
			c.add(path, WrongTerms, "its positions are those of another text")
		}
	}
	return err
}

//go:embed check.sql
var checkSQL string

// CheckFrequencies counts all postings and returns a line for each number that is wrong.
func (s *Store) CheckFrequencies(ctx context.Context) (wrong []string, err error) {
	err = s.inspect(ctx, func(tx pgx.Tx) error {
		if err := s.useTerms(ctx, tx); err != nil {
			return err
		}
		lines, err := column[string](ctx, tx, checkSQL, maxLength)
		for _, line := range lines {
			wrong = append(wrong, text.Printable(line))
		}
		return err
	})
	return wrong, err
}
