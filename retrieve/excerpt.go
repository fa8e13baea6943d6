package retrieve

import (
	"encoding/json"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// maxKeyField is how many code points of a key field an excerpt shows.
const maxKeyField = 200

// keyFields are the fields of content that tell what a memory says.
var keyFields = map[schemas.Category][]string{
	schemas.Decision:       {"context", "decision", "rationale"},
	schemas.Constraint:     {"rule", "impact"},
	schemas.Preference:     {"topic", "value", "reason"},
	schemas.Runbook:        {"trigger", "root_cause"},
	schemas.TechDebt:       {"description", "reason_deferred"},
	schemas.SessionSummary: {"goal", "outcome"},
}

// Excerpt is enough of a memory to tell whether it is the one meant. It shows the
// file as it stands: a missing title is empty, tags keep their case and order.
type Excerpt struct {
	Title             string            `json:"title"`
	RecordStatus      schemas.Status    `json:"record_status"`
	Tags              []string          `json:"tags"`
	LastChangeSummary string            `json:"last_change_summary"`
	KeyFields         map[string]string `json:"key_fields"`
}

// NewExcerpt takes the excerpt of a memory as schemas.Decode left it. The category
// is the index's: the file may leave it to its folder.
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
	var content map[string]any
	if json.Unmarshal(m.Content, &content) != nil {
		return e // content of another type has no fields
	}
	for _, name := range keyFields[category] {
		if value := content[name]; value != nil {
			e.KeyFields[name] = text.Truncate(plain(value), maxKeyField)
		}
	}
	return e
}

// plain renders a value as text: lists joined, what should not be there as JSON.
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
	raw, err := json.Marshal(value)
	if err != nil {
		return "" // cannot be: the value came from JSON
	}
	return string(raw)
}
