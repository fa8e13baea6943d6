package retrieve

import (
	"context"
	"encoding/json"
	"strings"

	"memctl/db"
	"memctl/observe"
)

// ObservationFilter selects observations. The zero value selects all.
type ObservationFilter struct {
	File    string // a recorded path, or its last elements
	Tool    string // in any case
	Session string // an id, or its beginning
	Failed  bool
	Since   string // RFC 3339, UTC, without the Z
	Query   string // words that must all occur
	Limit   int    // 0: no limit
}

// Observation is one run of a tool.
type Observation struct {
	ID          int64           `db:"observation_id" json:"-"`
	EventID     string          `db:"event_id" json:"event_id"`
	SessionID   string          `db:"session_id" json:"session_id"`
	Timestamp   string          `db:"timestamp" json:"timestamp"`
	PromptIndex int             `db:"prompt_index" json:"prompt_index"`
	ToolIndex   int             `db:"tool_index" json:"tool_index"`
	Tool        string          `db:"tool_name" json:"tool_name"`
	Success     bool            `db:"success" json:"success"`
	Error       string          `db:"error_message" json:"-"`
	File        string          `db:"file_path" json:"-"`
	Command     string          `db:"command" json:"-"`
	Pattern     string          `db:"pattern" json:"-"`
	RawPayload  string          `db:"payload" json:"-"`
	Payload     json.RawMessage `db:"-" json:"payload"`
}

// Observations returns what f selects, the last one first.
func Observations(ctx context.Context, d *db.DB, f ObservationFilter) ([]Observation, error) {
	where, args := f.where()
	limit := f.Limit
	if limit == 0 {
		limit = -1
	}
	var list []Observation
	err := d.Select(ctx, &list, `
		SELECT
			observation_id, event_id, session_id, timestamp, prompt_index, tool_index,
			tool_name, success,
			coalesce(error_message, '') AS error_message,
			coalesce(file_path, '') AS file_path,
			coalesce(command, '') AS command,
			coalesce(pattern, '') AS pattern,
			payload
		FROM observations`+where+`
		ORDER BY timestamp DESC, observation_id DESC
		LIMIT ?`, append(args, limit)...)
	for i := range list {
		list[i].Payload = json.RawMessage(list[i].RawPayload)
	}
	return list, err
}

// where returns the WHERE clause, "" for none, with its arguments.
func (f ObservationFilter) where() (string, []any) {
	var conditions []string
	var args []any
	add := func(condition string, values ...any) {
		conditions = append(conditions, condition)
		args = append(args, values...)
	}
	if f.File != "" {
		file := strings.ReplaceAll(f.File, `\`, "/")
		add(`(replace(file_path, '\', '/') = ? OR substr(replace(file_path, '\', '/'), -length(?)) = ?)`, file, "/"+file, "/"+file)
	}
	if f.Tool != "" {
		add(`tool_name = ? COLLATE NOCASE`, f.Tool)
	}
	if f.Session != "" {
		add(`substr(session_id, 1, length(?)) = ?`, f.Session, f.Session)
	}
	if f.Failed {
		add(`NOT success`)
	}
	if f.Since != "" {
		add(`timestamp >= ?`, f.Since)
	}
	if words := matchAll(strings.Fields(f.Query)); words != "" {
		add(`observation_id IN (SELECT rowid FROM observations_fts WHERE observations_fts MATCH ?)`, words)
	}
	if len(conditions) == 0 {
		return "", nil
	}
	return "\n\t\tWHERE " + strings.Join(conditions, "\n\t\t\tAND "), args
}

// Runs returns the tool runs that f selects, in the order of their recording. It
// ignores f.Limit.
func Runs(ctx context.Context, d *db.DB, f ObservationFilter) ([]observe.Run, error) {
	where, args := f.where()
	var runs []observe.Run
	err := d.Select(ctx, &runs, `
		SELECT
			session_id, timestamp, tool_name, success,
			coalesce(error_message, '') AS error_message,
			coalesce(file_path, '') AS file_path,
			coalesce(command, '') AS command
		FROM observations`+where+`
		ORDER BY path, observation_id`, args...)
	return runs, err
}
