package schemas

import "encoding/json"

// Status is a memory's record_status.
type Status string

// The life of a memory: active, then retired or archived.
const (
	Active   Status = "active"
	Retired  Status = "retired"
	Archived Status = "archived"
)

// Statuses lists every status in the order people read them.
var Statuses = []Status{Active, Retired, Archived}

// The limits of two lists, as memory.schema.json states them.
const (
	MaxTags    = 12
	MaxChanges = 50
)

// Memory is one memory file. The order of the fields is their order in the file.
type Memory struct {
	SchemaVersion  string          `json:"schema_version"`
	Category       Category        `json:"category"`
	ID             string          `json:"id"`
	Title          string          `json:"title"`
	RecordStatus   Status          `json:"record_status"`
	CreatedAt      string          `json:"created_at"`
	UpdatedAt      string          `json:"updated_at"`
	Tags           []string        `json:"tags"`
	RelatedFiles   []string        `json:"related_files,omitempty"`
	Confidence     *float64        `json:"confidence,omitempty"`
	Content        json.RawMessage `json:"content"`
	Changes        []Change        `json:"changes,omitempty"`
	TimesUpdated   int             `json:"times_updated"`
	RetiredAt      string          `json:"retired_at,omitempty"`
	RetiredReason  string          `json:"retired_reason,omitempty"`
	ArchivedAt     string          `json:"archived_at,omitempty"`
	ArchivedReason string          `json:"archived_reason,omitempty"`
}

// Change is one entry of a memory's history, oldest first.
type Change struct {
	Date     string          `json:"date"`
	Summary  string          `json:"summary"`
	Field    string          `json:"field,omitempty"`
	OldValue json.RawMessage `json:"old_value,omitempty"`
	NewValue json.RawMessage `json:"new_value,omitempty"`
}
