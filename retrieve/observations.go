package retrieve

import (
	"context"
	"database/sql"
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
	EventID     string          `db:"event_id" json:"event_id"`
	SessionID   string          `db:"session_id" json:"session_id"`
	Timestamp   string          `db:"timestamp" json:"timestamp"`
	PromptIndex int             `db:"prompt_index" json:"prompt_index"`
	ToolIndex   int             `db:"tool_index" json:"tool_index"`
	Tool        string          `db:"tool_name" json:"tool_name"`
	Success     *bool           `db:"success" json:"success"` // null if unknown
	Error       string          `db:"error_message" json:"-"`
	File        string          `db:"file_path" json:"-"`
	Command     string          `db:"command" json:"-"`
	Pattern     string          `db:"pattern" json:"-"`
	Payload     json.RawMessage `db:"payload" json:"payload"`
}

// selected is the condition of an ObservationFilter.
const selected = `
			(:file = '' OR substr('/' || replace(file_path, '\', '/'), -length(:file) - 1) = '/' || :file)
			AND (:tool = '' OR tool_name = :tool COLLATE NOCASE)
			AND (:session = '' OR substr(session_id, 1, length(:session)) = :session)
			AND (NOT :failed OR NOT success)
			AND (:since = '' OR timestamp >= :since)
			AND (:words = '' OR observation_id IN (SELECT rowid FROM observations_fts WHERE observations_fts MATCH :words))`

func (f ObservationFilter) args() []any {
	return []any{
		sql.Named("file", strings.ReplaceAll(f.File, `\`, "/")),
		sql.Named("tool", f.Tool),
		sql.Named("session", f.Session),
		sql.Named("failed", f.Failed),
		sql.Named("since", f.Since),
		sql.Named("words", matchAll(strings.Fields(f.Query))),
		sql.Named("limit", f.Limit),
	}
}

// Observations returns what f selects, the last one first.
func Observations(ctx context.Context, d *db.DB, f ObservationFilter) ([]Observation, error) {
	return query[Observation](ctx, d, `
		SELECT
			event_id, session_id, timestamp, prompt_index, tool_index,
			tool_name, success,
			coalesce(error_message, '') AS error_message,
			coalesce(file_path, '') AS file_path,
			coalesce(command, '') AS command,
			coalesce(pattern, '') AS pattern,
			CAST(payload AS BLOB) AS payload
		FROM observations
		WHERE `+selected+`
		ORDER BY timestamp DESC, observation_id DESC
		LIMIT CASE WHEN :limit > 0 THEN :limit ELSE -1 END`, f.args()...)
}

// Runs returns the tool runs that f selects, in the order of their recording. It
// ignores f.Limit.
func Runs(ctx context.Context, d *db.DB, f ObservationFilter) ([]observe.Run, error) {
	return query[observe.Run](ctx, d, `
		SELECT
			session_id, timestamp, tool_name,
			coalesce(success, 0) AS success,
			success IS NULL AS unsettled,
			coalesce(error_message, '') AS error_message,
			coalesce(file_path, '') AS file_path,
			coalesce(command, '') AS command
		FROM observations
		WHERE `+selected+`
		ORDER BY path, observation_id`, f.args()...)
}
