// Package mergetest changes memories at random, as two people do on two branches. The
// tests of the merge share it.
package mergetest

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"memctl/schemas"
)

// Memory is a constraint of an id, as a draft has it.
func Memory(id string) *schemas.Memory {
	return &schemas.Memory{
		SchemaVersion: "1.0", Category: schemas.Constraint, ID: id, Title: "Kafka", RecordStatus: schemas.Active,
		CreatedAt: "2026-01-01T00:00:00Z", UpdatedAt: "2026-01-01T00:00:00Z",
		Tags: []string{"kafka", "limits", "t1"},
		Content: &schemas.ConstraintContent{
			Kind: "technical", Rule: "1 MB", Impact: []string{"photos", "scans"}, Severity: "high", Active: new(true),
		},
		Changes:      []schemas.Change{{Date: "2026-01-01T00:00:00Z", Summary: "first"}},
		TimesUpdated: 1,
	}
}

// Scalars are the fields that an Editor can rewrite.
var Scalars = []string{"title", "rule", "severity", "kind"}

// Editor changes memories. Every change keeps a memory valid, and adds an entry to its
// history.
type Editor struct {
	rand  *rand.Rand
	name  string // of the branch, part of what it writes
	count int
}

// NewEditor returns the editor of a branch, the same for the same seed.
func NewEditor(seed uint64, name string) *Editor {
	hash := fnv.New64()
	hash.Write([]byte(name))
	return &Editor{rand: rand.New(rand.NewPCG(seed, hash.Sum64())), name: name}
}

// Edit returns a changed copy of a memory. It rewrites only some Scalars.
func (e *Editor) Edit(m *schemas.Memory, scalars []string) *schemas.Memory {
	m = schemas.MemoryOf(m.Values())
	content := m.Content.(*schemas.ConstraintContent)
	for range 1 + e.rand.IntN(4) {
		e.count++
		switch e.rand.IntN(5) {
		case 0:
			e.retag(m)
		case 1:
			e.extend(&m.RelatedFiles)
		case 2:
			e.extend(&content.Impact)
		case 3:
			e.extend(&content.Workarounds)
		case 4:
			e.rewrite(m, content, scalars[e.rand.IntN(len(scalars))])
		}
		e.record(m)
	}
	return m
}

// retag adds a tag that others may add too, and may remove one.
func (e *Editor) retag(m *schemas.Memory) {
	if len(m.Tags) > 2 && e.rand.IntN(3) == 0 {
		m.Tags = slices.Delete(m.Tags, 1, 2)
	}
	tag := fmt.Sprintf("t%d", e.rand.IntN(9))
	if len(m.Tags) < 5 && !slices.Contains(m.Tags, tag) {
		m.Tags = append(m.Tags, tag)
	}
	slices.Sort(m.Tags)
}

// extend inserts an item that no other editor writes.
func (e *Editor) extend(list *[]string) {
	*list = slices.Insert(*list, e.rand.IntN(len(*list)+1), e.text())
}

func (e *Editor) rewrite(m *schemas.Memory, content *schemas.ConstraintContent, field string) {
	switch field {
	case "title":
		m.Title = "Kafka " + e.text()
	case "rule":
		content.Rule = e.text()
	case "severity":
		content.Severity = []string{"high", "medium", "low"}[e.rand.IntN(3)]
	case "kind":
		content.Kind = []string{"limitation", "gap", "policy", "technical"}[e.rand.IntN(4)]
	}
}

// record adds an entry to the history, which stays in the order of its dates.
func (e *Editor) record(m *schemas.Memory) {
	month, day, hour, minute := 2+e.rand.IntN(10), 1+e.rand.IntN(28), e.rand.IntN(24), e.rand.IntN(60)
	date := fmt.Sprintf("2026-%02d-%02dT%02d:%02d:00Z", month, day, hour, minute)
	m.Changes = append(m.Changes, schemas.Change{Date: date, Summary: e.text()})
	slices.SortStableFunc(m.Changes, func(a, b schemas.Change) int { return cmp.Compare(a.Date, b.Date) })
	m.UpdatedAt = date
	m.TimesUpdated++
}

func (e *Editor) text() string { return fmt.Sprintf("%s %d", e.name, e.count) }
