package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
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
	archived   = 20   // one memory of that many
)

// company is what a company knows: memories of many repositories. Repositories differ in
// size, and each has words that are rare elsewhere. The same seed makes the
// same company.
type company struct {
	words []string // the most frequent first
	rank  map[string]int
	sizes []int // memories of each repository
	first []int // the number of the first one, among all memories
	seed  int64
}

func newCompany(memories, repositories int, seed int64) *company {
	c := &company{words: makeWords(), rank: map[string]int{}, seed: seed}
	for i, word := range c.words {
		c.rank[word] = i
	}
	mean := float64(memories) / float64(repositories)
	left := memories
	for r := range repositories {
		// The size falls with the square root of the rank.
		size := max(1, int(mean/2/math.Sqrt((float64(r)+0.5)/float64(repositories))))
		if size = min(size, left); r == repositories-1 {
			size = left
		}
		c.first = append(c.first, memories-left)
		c.sizes = append(c.sizes, size)
		left -= size
	}
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

// writer writes the text of one repository.
type writer struct {
	random       *rand.Rand
	words, own   []string
	common, rare *rand.Zipf
}

func (c *company) writer(r int) *writer {
	random := rand.New(rand.NewSource(c.seed*1_000_003 + int64(r)))
	w := &writer{
		random: random,
		words:  c.words,
		common: rand.NewZipf(random, zipfS, zipfV, vocabulary-1),
		rare:   rand.NewZipf(random, 1.2, 8, ownWords-1),
	}
	for range ownWords {
		w.own = append(w.own, c.words[firstOwn+random.Intn(vocabulary-firstOwn)])
	}
	return w
}

// word returns one of the repository's own words with probability own.
func (w *writer) word(own float64) string {
	if w.random.Float64() < own {
		return w.own[w.rare.Uint64()]
	}
	return w.words[w.common.Uint64()]
}

func (w *writer) sentence(words int, own float64) string {
	list := make([]string, words)
	for i := range list {
		list[i] = w.word(own)
	}
	return strings.Join(list, " ")
}

// memories returns the memories of a repository.
func (c *company) memories(r int) []schemas.Memory {
	w := c.writer(r)
	list := make([]schemas.Memory, c.sizes[r])
	for i := range list {
		list[i] = w.memory(fmt.Sprintf("m%05d-%06d", r, i), i)
	}
	return list
}

func (w *writer) memory(id string, i int) schemas.Memory {
	const bodyOwn = 0.35
	written := schemas.FormatTime(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC).Add(-time.Duration(w.random.Intn(700*24*3600)) * time.Second))
	m := schemas.Memory{
		SchemaVersion: "1.0",
		Category:      schemas.Categories[w.random.Intn(len(schemas.Categories))].Category,
		ID:            id,
		Title:         w.sentence(4+w.random.Intn(5), 0.5),
		RecordStatus:  schemas.Active,
		CreatedAt:     written,
		UpdatedAt:     written,
		Confidence:    new(math.Round(100*w.random.Float64()) / 100),
	}
	for len(m.Tags) < 3+i%3 {
		if tag := w.word(0.6); !slices.Contains(m.Tags, tag) {
			m.Tags = append(m.Tags, tag)
		}
	}
	if w.random.Intn(archived) == 0 {
		m.RecordStatus, m.ArchivedAt, m.ArchivedReason = schemas.Archived, written, "replaced"
	}
	m.Content = content(m.Category, func(words int) string { return w.sentence(words, bodyOwn) })
	return m
}

// content returns 75 words in the fields that a category has.
func content(category schemas.Category, sentence func(words int) string) json.RawMessage {
	var fields map[string]any
	switch category {
	case schemas.Decision:
		fields = map[string]any{"status": "accepted", "context": sentence(25), "decision": sentence(25), "rationale": []string{sentence(25)}}
	case schemas.Constraint:
		fields = map[string]any{"kind": "technical", "rule": sentence(25), "impact": []string{sentence(50)}, "severity": "high", "active": true}
	case schemas.Preference:
		fields = map[string]any{"topic": sentence(5), "value": sentence(35), "reason": sentence(35), "strength": "strong"}
	case schemas.Runbook:
		fields = map[string]any{"trigger": sentence(25), "steps": []string{sentence(25)}, "verification": sentence(25)}
	case schemas.TechDebt:
		fields = map[string]any{"status": "open", "priority": "medium", "description": sentence(50), "reason_deferred": sentence(25)}
	case schemas.SessionSummary:
		fields = map[string]any{"goal": sentence(25), "outcome": "success", "completed": []string{sentence(25)}, "next_actions": []string{sentence(25)}}
	}
	data, _ := json.Marshal(fields) // strings only
	return data
}

// publication returns the memories of a repository as its CI sends them.
func (c *company) publication(r int, sequence int64) (remote.Publication, error) {
	p := remote.Publication{Repository: repositoryName(r), Commit: fmt.Sprintf("%040x", sequence), Sequence: sequence}
	for _, m := range c.memories(r) {
		info, _ := m.Category.Info()
		data, err := json.Marshal(m)
		if err != nil {
			return p, err
		}
		p.Memories = append(p.Memories, remote.File{Path: info.Folder + "/" + m.ID + ".json", Memory: data})
	}
	return p, nil
}
