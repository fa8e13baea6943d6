// Package storetest writes synthetic memory stores, the same for the same seed. Word
// frequencies follow Zipf's law, as they do in text: a few words are nearly
// everywhere, most are rare.
package storetest

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memctl/files"
	"memctl/schemas"
)

const (
	vocabulary = 12_000
	zipfS      = 1.07 // exponent; 1 is natural text, the generator wants more
	zipfV      = 6    // flattens the head, as stop words are not among the words
)

// Write gives the folder project a memory root with n memories.
func Write(project string, n int, seed int64) error {
	for _, m := range Memories(n, seed) {
		if err := Put(project, m); err != nil {
			return err
		}
	}
	return nil
}

// Put writes one memory into the memory root of a project.
func Put(project string, m schemas.Memory) error {
	info, ok := m.Category.Info()
	if !ok {
		return fmt.Errorf("%s: no category %q", m.ID, m.Category)
	}
	data, err := m.Encode()
	if err != nil {
		return err
	}
	folder := filepath.Join(project, filepath.FromSlash(files.RootPath), info.Folder)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, m.ID+".json"), data, 0o644)
}

// Memories makes the n memories of a store.
func Memories(n int, seed int64) []schemas.Memory {
	g := newGenerator(seed)
	list := make([]schemas.Memory, n)
	for i := range list {
		list[i] = g.memory(i)
	}
	return list
}

type generator struct {
	random *rand.Rand
	zipf   *rand.Zipf
	words  []string
}

func newGenerator(seed int64) *generator {
	random := rand.New(rand.NewSource(seed))
	return &generator{random, rand.NewZipf(random, zipfS, zipfV, vocabulary-1), Words()}
}

// Words is the vocabulary, the most frequent first: made-up words of two to four
// syllables, so that prefixes are shared as they are in language.
func Words() []string {
	syllables := strings.Fields("ba ke lo mi nu pa re so ti vu da fe go hi ju ka le mo ni pu ra se to vi za")
	random := rand.New(rand.NewSource(42))
	seen := map[string]bool{}
	words := make([]string, 0, vocabulary)
	for len(words) < vocabulary {
		var b strings.Builder
		for range 2 + random.Intn(3) {
			b.WriteString(syllables[random.Intn(len(syllables))])
		}
		if word := b.String(); !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}

func (g *generator) word() string { return g.words[g.zipf.Uint64()] }

func (g *generator) sentence(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = g.word()
	}
	return strings.Join(words, " ")
}

func (g *generator) memory(i int) schemas.Memory {
	info := schemas.Categories[g.random.Intn(len(schemas.Categories))]
	updated := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC).Add(-time.Duration(g.random.Intn(700*24)) * time.Hour)
	m := schemas.Memory{
		SchemaVersion: "1.0",
		Category:      info.Category,
		ID:            fmt.Sprintf("%s-%s-%06d", g.word(), g.word(), i),
		Title:         g.sentence(4 + g.random.Intn(5)),
		RecordStatus:  schemas.Active,
		CreatedAt:     schemas.FormatTime(updated),
		UpdatedAt:     schemas.FormatTime(updated),
		Content:       g.content(info.Category),
	}
	seen := map[string]bool{}
	for len(m.Tags) < 3+i%3 {
		if tag := g.word(); !seen[tag] {
			seen[tag] = true
			m.Tags = append(m.Tags, tag)
		}
	}
	if g.random.Intn(20) == 0 {
		m.RecordStatus, m.RetiredAt, m.RetiredReason = schemas.Retired, m.UpdatedAt, g.sentence(5)
	}
	return m
}

// content is valid for the category and about 600 bytes of text.
func (g *generator) content(c schemas.Category) schemas.Content {
	s, list := g.sentence, func(n int) []string { return []string{g.sentence(n), g.sentence(n)} }
	switch c {
	case schemas.Decision:
		return &schemas.DecisionContent{Status: "accepted", Context: s(25), Decision: s(25), Rationale: list(14)}
	case schemas.Constraint:
		return &schemas.ConstraintContent{Kind: "technical", Rule: s(30), Impact: list(20), Severity: "high",
			Active: new(true)}
	case schemas.Preference:
		return &schemas.PreferenceContent{Topic: s(5), Value: s(30), Reason: s(40), Strength: "default"}
	case schemas.Runbook:
		return &schemas.RunbookContent{Trigger: s(15), Steps: list(20), Verification: s(20)}
	case schemas.TechDebt:
		return &schemas.TechDebtContent{Status: "open", Priority: "low", Description: s(40), ReasonDeferred: s(35)}
	}
	return &schemas.SessionContent{Goal: s(15), Outcome: "success", Completed: list(20), NextActions: list(10)}
}
