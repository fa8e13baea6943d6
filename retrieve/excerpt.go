package retrieve

import (
	"encoding/json"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// maxKeyField is how many code points of a key field an excerpt shows.
const maxKeyField = 200

// keyFields are the fields of content that say what a memory is about.
var keyFields = map[schemas.Category][]string{
	schemas.Decision:       {"context", "decision", "rationale"},
	schemas.Constraint:     {"rule", "impact"},
	schemas.Preference:     {"topic", "value", "reason"},
	schemas.Runbook:        {"trigger", "root_cause"},
	schemas.TechDebt:       {"description", "reason_deferred"},
	schemas.SessionSummary: {"goal", "outcome"},
}

// Excerpt is enough of a memory to decide whether it is the one meant. It shows the
// file unchanged: a missing title is empty, tags keep their case and order.
type Excerpt struct {
	Title             string            `json:"title"`
	RecordStatus      schemas.Status    `json:"record_status"`
	Tags              []string          `json:"tags"`
	LastChangeSummary string            `json:"last_change_summary"`
	KeyFields         map[string]string `json:"key_fields"` // each at most 200 code points
}

// NewExcerpt returns the excerpt of a decoded memory. It takes the category from the
// index, because a file may leave it out.
func NewExcerpt(m schemas.Memory, category schemas.Category) Excerpt {
	e := Excerpt{
		Title:             m.Title,
		RecordStatus:      m.RecordStatus,
		Tags:              append([]string{}, m.Tags...),
		LastChangeSummary: "Initial creation",
		KeyFields:         map[string]string{},
	}
	if n := len(m.Changes); n > 0 {
		e.LastChangeSummary = m.Changes[n-1].Summary
	}
	content := m.ContentValues()
	for _, name := range keyFields[category] {
		if value := content[name]; value != nil {
			e.KeyFields[name] = text.Truncate(plain(value), maxKeyField)
		}
	}
	return e
}

// maxStatement is how many code points of what a memory says are quoted.
const maxStatement = 300

// Statement is what a memory says: its title and the key fields that add to it.
func Statement(m schemas.Memory) string {
	said, content := m.Title, m.ContentValues()
	add := func(part string) {
		if bare := strings.TrimRight(part, ".。"); !strings.Contains(said, bare) {
			said = strings.TrimRight(said, ".。") + ". " + part
		}
	}
	for _, name := range keyFields[m.Category] {
		switch value := content[name].(type) {
		case string:
			add(value)
		case []any:
			for _, item := range value {
				add(plain(item))
			}
		}
	}
	return text.OneLine(said, maxStatement)
}

// plain renders a string as it is, a list joined with "; ", anything else as JSON.
func plain(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = plain(item)
		}
		return strings.Join(parts, "; ")
	}
	raw, _ := json.Marshal(value) // was decoded from JSON
	return string(raw)
}
