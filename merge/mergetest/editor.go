// Package mergetest changes memories at random, as two people do on two branches. The
// tests of the merge share it.
package mergetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"memctl/schemas"
)

// Memory is a constraint of an id, as a draft has it.
func Memory(id string) schemas.Document {
	return schemas.Document{
		"schema_version": "1.0", "category": "constraint", "id": id, "title": "Kafka", "record_status": "active",
		"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
		"tags": []any{"kafka", "limits", "t1"},
		"content": map[string]any{
			"kind": "technical", "rule": "1 MB", "impact": []any{"photos", "scans"}, "severity": "high", "active": true,
		},
		"changes":       []any{map[string]any{"date": "2026-01-01T00:00:00Z", "summary": "first"}},
		"times_updated": json.Number("1"),
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
func (e *Editor) Edit(doc schemas.Document, scalars []string) (schemas.Document, error) {
	data, err := doc.Encode()
	if err != nil {
		return nil, err
	}
	if doc, err = schemas.DecodeDocument(data); err != nil {
		return nil, err
	}
	content := doc["content"].(map[string]any)
	for range 1 + e.rand.IntN(4) {
		e.count++
		switch e.rand.IntN(5) {
		case 0:
			e.retag(doc)
		case 1:
			e.extend(doc, "related_files")
		case 2:
			e.extend(content, "impact")
		case 3:
			e.extend(content, "workarounds")
		case 4:
			e.rewrite(doc, content, scalars[e.rand.IntN(len(scalars))])
		}
		e.record(doc)
	}
	return doc, nil
}

// retag adds a tag that others may add too, and may remove one.
func (e *Editor) retag(doc schemas.Document) {
	tags := doc["tags"].([]any)
	if len(tags) > 2 && e.rand.IntN(3) == 0 {
		tags = slices.Delete(tags, 1, 2)
	}
	tag := any(fmt.Sprintf("t%d", e.rand.IntN(9)))
	if len(tags) < 5 && !slices.Contains(tags, tag) {
		tags = append(tags, tag)
	}
	slices.SortFunc(tags, func(a, b any) int { return cmp.Compare(a.(string), b.(string)) })
	doc["tags"] = tags
}

// extend inserts an item that no other editor writes.
func (e *Editor) extend(object map[string]any, list string) {
	items, _ := object[list].([]any)
	object[list] = slices.Insert(slices.Clone(items), e.rand.IntN(len(items)+1), any(e.text()))
}

func (e *Editor) rewrite(doc schemas.Document, content map[string]any, field string) {
	switch field {
	case "title":
		doc["title"] = "Kafka " + e.text()
	case "rule":
		content["rule"] = e.text()
	case "severity":
		content["severity"] = []string{"high", "medium", "low"}[e.rand.IntN(3)]
	case "kind":
		content["kind"] = []string{"limitation", "gap", "policy", "technical"}[e.rand.IntN(4)]
	}
}

// record adds an entry to the history, which stays in the order of its dates.
func (e *Editor) record(doc schemas.Document) {
	date := fmt.Sprintf("2026-%02d-%02dT%02d:%02d:00Z", 2+e.rand.IntN(10), 1+e.rand.IntN(28), e.rand.IntN(24), e.rand.IntN(60))
	changes := append(doc["changes"].([]any), any(map[string]any{"date": date, "summary": e.text()}))
	slices.SortStableFunc(changes, func(a, b any) int {
		return cmp.Compare(a.(map[string]any)["date"].(string), b.(map[string]any)["date"].(string))
	})
	doc["changes"] = changes
	doc["updated_at"] = date
	n, _ := doc["times_updated"].(json.Number).Int64()
	doc["times_updated"] = json.Number(fmt.Sprint(n + 1))
}

func (e *Editor) text() string { return fmt.Sprintf("%s %d", e.name, e.count) }
