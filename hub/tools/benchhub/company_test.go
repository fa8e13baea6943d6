package benchhub

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/remote"
	"memctl/schemas"
)

const (
	vocabulary = 100_000
	zipfS      = 1.07 // exponent; 1 is natural text, the generator wants more
	zipfV      = 6    // flattens the head, as stop words are not among the words
	ownWords   = 300  // of a repository: its subjects
	firstOwn   = 500  // the most frequent words are no repository's own
)

// company is what a company knows: memories of many repositories. Repositories differ in
// size, and each has words that are rare elsewhere. The same seed makes the same company.
type company struct {
	words []string // the most frequent first
	rank  map[string]int
	sizes []int // memories of each repository
	seed  int64
}

func newCompany(memories, repositories int, seed int64) *company {
	c := &company{words: makeWords(), rank: map[string]int{}, seed: seed}
	for i, word := range c.words {
		c.rank[word] = i
	}
	mean := float64(memories) / float64(repositories)
	left := memories
	for r := range repositories - 1 {
		// The size falls with the square root of the rank.
		size := min(left, max(1, int(mean/2/math.Sqrt((float64(r)+0.5)/float64(repositories)))))
		c.sizes = append(c.sizes, size)
		left -= size
	}
	c.sizes = append(c.sizes, left)
	return c
}

// makeWords returns words of two to five syllables. No two of them have the same stem but
// by chance.
func makeWords() []string {
	syllables := strings.Fields("ba ke lo mi nu pa re so ti vu da fe go hi ju ka le mo ni pu ra se to vi za")
	random := rand.New(rand.NewSource(42))
	seen := map[string]bool{}
	words := make([]string, 0, vocabulary)
	for len(words) < vocabulary {
		var word strings.Builder
		for range 2 + random.Intn(4) {
			word.WriteString(syllables[random.Intn(len(syllables))])
		}
		if !seen[word.String()] {
			seen[word.String()] = true
			words = append(words, word.String())
		}
	}
	return words
}

func repositoryName(r int) string { return fmt.Sprintf("git.example.com/company/r%05d", r) }

// memories returns the memories of a repository: decisions with 75 words of text.
func (c *company) memories(r int) []schemas.Memory {
	random := rand.New(rand.NewSource(c.seed*1_000_003 + int64(r)))
	common, rare := rand.NewZipf(random, zipfS, zipfV, vocabulary-1), rand.NewZipf(random, 1.2, 8, ownWords-1)
	own := make([]string, ownWords)
	for i := range own {
		own[i] = c.words[firstOwn+random.Intn(vocabulary-firstOwn)]
	}
	// words returns n words, each with probability p one of the repository's own.
	words := func(n int, p float64) []string {
		list := make([]string, n)
		for i := range list {
			if random.Float64() < p {
				list[i] = own[rare.Uint64()]
			} else {
				list[i] = c.words[common.Uint64()]
			}
		}
		return list
	}
	sentence := func(n int, p float64) string { return strings.Join(words(n, p), " ") }
	list := make([]schemas.Memory, c.sizes[r])
	for i := range list {
		age := time.Duration(random.Intn(700*24*3600)) * time.Second
		written := schemas.FormatTime(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC).Add(-age))
		content := &schemas.DecisionContent{
			Status: "accepted", Context: sentence(25, 0.35), Decision: sentence(25, 0.35),
			Rationale: []string{sentence(25, 0.35)},
		}
		tags := words(3+i%3, 0.6)
		slices.Sort(tags)
		list[i] = schemas.Memory{
			SchemaVersion: "1.0",
			Category:      schemas.Decision,
			ID:            fmt.Sprintf("m%05d-%06d", r, i),
			Title:         sentence(4+random.Intn(5), 0.5),
			Tags:          slices.Compact(tags),
			RecordStatus:  schemas.Active,
			CreatedAt:     written,
			UpdatedAt:     written,
			Content:       content,
		}
	}
	return list
}

// publication returns the memories of a repository as its CI sends them.
func (c *company) publication(r int, sequence int64) (remote.Publication, error) {
	p := remote.Publication{Repository: repositoryName(r), Commit: fmt.Sprintf("%040x", sequence), Sequence: sequence}
	for _, m := range c.memories(r) {
		data, err := m.Encode()
		if err != nil {
			return p, err
		}
		p.Memories = append(p.Memories, remote.File{Path: "decisions/" + m.ID + ".json", Memory: data})
	}
	return p, nil
}

func TestTheCompanysMemoriesAreValid(t *testing.T) {
	c := newCompany(300, 3, 1)
	total := 0
	for r := range c.sizes {
		p, err := c.publication(r, 1)
		if err != nil {
			t.Fatal(err)
		}
		total += len(p.Memories)
		for _, f := range p.Memories {
			if violations := schemas.Validate(f.Memory); len(violations) > 0 {
				t.Fatalf("%s: %v", f.Path, violations)
			}
		}
	}
	if total != 300 {
		t.Errorf("%d memories, not 300", total)
	}
	if n := len(c.prompts()); n != 200 {
		t.Errorf("%d prompts, not 200", n)
	}
}
