package schemas

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fullContent has every field of each category.
var fullContent = map[Category]string{
	Decision: `{"status":"accepted","context":"c","decision":"d","rationale":["r"],
		"alternatives":[{"option":"o","rejected_reason":"r"}],"consequences":["c"]}`,
	SessionSummary: `{"goal":"g","outcome":"partial","completed":["c"],"next_actions":["n"],
		"in_progress":["i"],"blockers":["b"],"key_changes":["k"]}`,
	Runbook: `{"trigger":"t","steps":["s"],"verification":"v","symptoms":["s"],
		"root_cause":"r","environment":"e"}`,
	Constraint: `{"kind":"gap","rule":"r","impact":["i"],"severity":"high","active":true,
		"workarounds":["w"],"expires":"2027-01-01",
		"check":{"forbidden_command":"f","forbidden_lines":"f","instead":"i","proposed":true}}`,
	TechDebt: `{"status":"open","priority":"low","description":"d","reason_deferred":"r",
		"impact":["i"],"suggested_fix":["s"],"acceptance_criteria":["a"]}`,
	Preference: `{"topic":"t","value":"v","reason":"r","strength":"soft",
		"examples":{"prefer":["p"],"avoid":["a"]}}`,
}

var minimalContent = map[Category]string{
	Decision:       `{"status":"proposed","context":"c","decision":"d","rationale":["r"]}`,
	SessionSummary: `{"goal":"g","outcome":"success","completed":[],"next_actions":[]}`,
	Runbook:        `{"trigger":"t","steps":["s"],"verification":"v"}`,
	Constraint:     `{"kind":"policy","rule":"r","impact":["i"],"severity":"low","active":false}`,
	TechDebt:       `{"status":"resolved","priority":"critical","description":"d","reason_deferred":"r"}`,
	Preference:     `{"topic":"t","value":"v","reason":"r","strength":"strong"}`,
}

func minimalMemory(c Category) string {
	return fmt.Sprintf(`{"schema_version":"1.0","category":%q,"id":"a","title":"t","record_status":"active",
		"created_at":"2026-01-31T09:00:00Z","updated_at":"2026-01-31T10:00:00.5+01:00","tags":["x"],"content":%s}`,
		c, minimalContent[c])
}

func fullMemory(c Category) string {
	return fmt.Sprintf(`{"schema_version":"1.0","category":%q,"id":"a-1","title":"t","record_status":"archived",
		"created_at":"2026-01-31T09:00:00Z","updated_at":"2026-01-31T09:00:00Z","tags":["x","y"],
		"related_files":["*.go"],"folder":"packages/web","confidence":0.5,"content":%s,
		"changes":[{"date":"2026-01-31T09:00:00Z","summary":"s","field":"f","old_value":null,"new_value":{"a":[1]}}],
		"times_updated":1,"retired_at":"2026-01-31T09:00:00Z","retired_reason":"r",
		"archived_at":"2026-01-31T09:00:00Z","archived_reason":"r"}`, c, fullContent[c])
}

// with returns a minimal decision with more members in front.
func with(members string) string {
	return strings.Replace(minimalMemory(Decision), "{", "{"+members+",", 1)
}

func numbered(n int) []any {
	list := make([]any, n)
	for i := range list {
		list[i] = fmt.Sprint("t", i)
	}
	return list
}

func decodeAny(t *testing.T, text string) any {
	t.Helper()
	var doc any
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

func encode(t *testing.T, doc any) []byte {
	t.Helper()
	data, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// split is the opposite of dotted, for the paths that tests write.
func split(path string) []string {
	return slices.DeleteFunc(strings.Split(path, "."), func(name string) bool { return name == "" })
}

// at returns a field of a decoded document.
func at(doc any, path []string) any {
	for _, name := range path {
		switch d := doc.(type) {
		case []any:
			i, _ := strconv.Atoi(name)
			doc = d[i]
		case map[string]any:
			doc = d[name]
		}
	}
	return doc
}

// absent as a new value deletes a field.
var absent = new(int)

// changed returns a copy of doc with one field set.
func changed(doc any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch old := doc.(type) {
	case []any:
		list := slices.Clone(old)
		i, _ := strconv.Atoi(path[0])
		list[i] = changed(list[i], path[1:], value)
		return list
	case map[string]any:
		object := maps.Clone(old)
		object[path[0]] = changed(object[path[0]], path[1:], value)
		if object[path[0]] == absent {
			delete(object, path[0])
		}
		return object
	}
	panic("no such field: " + dotted(path))
}
