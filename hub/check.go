package hub

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"memctl/remote"
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
	WrongTerms  = "wrong terms" // postings or positions are not those of the memory
	WrongCommit = "commit"      // the hub has another commit than the files
	WrongCount  = "count"       // the repository's row has another number of memories
)

func (d Difference) String() string {
	if d.Path == "" {
		return d.Problem + ": " + d.Detail
	}
	return d.Path + ": " + d.Problem + ": " + d.Detail
}

// CheckRepository compares the rows of a repository with a publication that was read from
// its files. It needs the owner of the tables.
func (s *Store) CheckRepository(ctx context.Context, p remote.Publication) (found []Difference, err error) {
	files, err := s.readMemories(ctx, p.Memories)
	if err != nil {
		return nil, err
	}
	err = s.inspect(ctx, func(tx pgx.Tx) error {
		if err := checkAnalyser(ctx, tx); err != nil {
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
		c := check{stored: stored}
		c.compareFiles(files)
		if err := c.checkRow(ctx, tx, repo, p.Commit); err != nil {
			return err
		}
		if err := c.checkHashes(ctx, tx, repo); err != nil {
			return err
		}
		c.dropUnreadable()
		err = c.checkTerms(ctx, tx, repo)
		found = c.found
		return err
	})
	return found, err
}

// check collects differences of a repository.
type check struct {
	stored []version
	found  []Difference
}

func (c *check) add(path, problem, format string, args ...any) {
	c.found = append(c.found, Difference{path, problem, text.Printable(fmt.Sprintf(format, args...))})
}

func (c *check) compareFiles(files []memory) {
	byPath := map[string]memory{}
	for _, m := range files {
		byPath[m.path] = m
	}
	for _, v := range c.stored {
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

func (c *check) checkRow(ctx context.Context, tx pgx.Tx, repo int32, commit string) error {
	var published string
	var counted int
	err := tx.QueryRow(ctx, `SELECT commit_sha, memories FROM repositories WHERE repo_id = $1`, repo).Scan(&published, &counted)
	if err != nil {
		return err
	}
	if published != commit {
		c.add("", WrongCommit, "the hub has %s, the files are those of %s", published, commit)
	}
	if counted != len(c.stored) {
		c.add("", WrongCount, "%d memories counted, %d found", counted, len(c.stored))
	}
	return nil
}

// checkHashes looks for rows that another program changed.
func (c *check) checkHashes(ctx context.Context, tx pgx.Tx, repo int32) error {
	rows, err := tx.Query(ctx, `
		SELECT path
		FROM memories
		WHERE repo_id = $1
			AND hash <> sha256(convert_to(document, 'UTF8'))
		ORDER BY path`, repo)
	if err != nil {
		return err
	}
	var path string
	_, err = pgx.ForEachRow(rows, []any{&path}, func() error {
		c.add(path, Different, "its hash is that of another text")
		return nil
	})
	return err
}

// dropUnreadable leaves out documents that another program made unreadable: their terms
// cannot be checked.
func (c *check) dropUnreadable() {
	var readable []version
	for _, v := range c.stored {
		if err := v.decode(); err != nil {
			c.add(v.path, Different, "the hub's text is no memory")
			continue
		}
		readable = append(readable, v)
	}
	c.stored = readable
}

// checkTerms splits the memories into terms again and compares those.
func (c *check) checkTerms(ctx context.Context, tx pgx.Tx, repo int32) error {
	expected := changes{put: c.stored}
	if err := expected.analyse(ctx); err != nil {
		return err
	}
	if err := c.checkPostings(ctx, tx, repo); err != nil {
		return err
	}
	for part := range slices.Chunk(c.stored, writtenAtOnce) {
		if err := c.checkPositions(ctx, tx, part); err != nil {
			return err
		}
	}
	return nil
}

func (c *check) checkPostings(ctx context.Context, tx pgx.Tx, repo int32) error {
	type place struct {
		term   string
		memory int64
	}
	expected, paths := map[place]int64{}, map[int64]string{}
	for i := range c.stored {
		v := &c.stored[i]
		paths[v.id] = v.path
		for term, f := range v.terms {
			expected[place{term, v.id}] = v.pack(f)
		}
	}
	rows, err := tx.Query(ctx, `
		SELECT coalesce(t.term, 'number ' || p.term_id), element
		FROM postings p
		LEFT JOIN terms t ON t.term_id = p.term_id
		CROSS JOIN unnest(p.packed) element
		WHERE p.repo_id = $1
		ORDER BY 1, 2`, repo)
	if err != nil {
		return err
	}
	var term string
	var element int64
	_, err = pgx.ForEachRow(rows, []any{&term, &element}, func() error {
		at := place{term, memoryOf(element)}
		want, isExpected := expected[at]
		delete(expected, at)
		switch {
		case paths[at.memory] == "":
			c.add("", WrongTerms, "postings of %s have memory number %d, which cannot be read or is not in the repository", term, at.memory)
		case !isExpected:
			c.add(paths[at.memory], WrongTerms, "postings of %s have it, or have it twice", term)
		case element != want:
			c.add(paths[at.memory], WrongTerms, "its element in postings of %s is %d, expected %d", term, element, want)
		}
		return nil
	})
	if err != nil {
		return err
	}
	left := make([]Difference, 0, len(expected))
	for at := range expected {
		left = append(left, Difference{paths[at.memory], WrongTerms, text.Printable("postings of " + at.term + " lack it")})
	}
	slices.SortFunc(left, func(a, b Difference) int { return strings.Compare(a.String(), b.String()) })
	c.found = append(c.found, left...)
	return nil
}

func (c *check) checkPositions(ctx context.Context, tx pgx.Tx, list []version) error {
	ids, positions := positionsByID(list)
	rows, err := tx.Query(ctx, `
		SELECT m.path
		FROM memories m
		JOIN unnest($1::bigint[], $2::text[]) w (memory_id, positions) USING (memory_id)
		WHERE m.positions <> w.positions::tsvector
		ORDER BY m.path`, ids, positions)
	if err != nil {
		return err
	}
	var path string
	_, err = pgx.ForEachRow(rows, []any{&path}, func() error {
		c.add(path, WrongTerms, "its positions are those of another text")
		return nil
	})
	return err
}
