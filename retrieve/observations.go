package retrieve

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/observe"
	"memctl/schemas"
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
			AND (:words = '' OR observation_id IN (
				SELECT rowid FROM observations_fts WHERE observations_fts MATCH :words))`

func (f ObservationFilter) args() []any {
	return []any{
		sql.Named("file", strings.ReplaceAll(f.File, `\`, "/")),
		sql.Named("tool", f.Tool),
		sql.Named("session", f.Session),
		sql.Named("failed", f.Failed),
		sql.Named("since", f.Since),
		sql.Named("words", db.MatchAll(strings.Fields(f.Query))),
		sql.Named("limit", f.Limit),
	}
}

// Observations returns the observations that f selects, the last one first.
func (s Source) Observations(ctx context.Context, f ObservationFilter) ([]Observation, error) {
	return db.Query[Observation](ctx, s.DB, `
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

// runColumns are those of a schemas.Run, without its error. A run that the person interrupted has not failed.
const runColumns = `
			session_id, timestamp, tool_name,
			coalesce(success, 0) AS success,
			success IS NULL
				OR success = 0 AND coalesce(json_extract(payload, '$.metadata.interrupted'), 0) AS unsettled,
			coalesce(file_path, '') AS file_path,
			coalesce(command, '') AS command,
			coalesce(pattern, '') AS pattern`

// Runs returns the tool runs that f selects, in the order of their recording. It
// ignores f.Limit.
func (s Source) Runs(ctx context.Context, f ObservationFilter) ([]schemas.Run, error) {
	return db.Query[schemas.Run](ctx, s.DB, `
		SELECT `+runColumns+`,
			coalesce(error_message, '') AS error_message
		FROM observations
		WHERE `+selected+`
		ORDER BY path, observation_id`, f.args()...)
}

const (
	// maxRemedySessions and maxRemedyRuns bound what KeepRemedies reads at once: the sessions and their runs, the
	// newest.
	maxRemedySessions, maxRemedyRuns = 50, 10_000
	// tooFresh is the least age at which a file's time shows that it has not been written since.
	tooFresh = time.Second
)

// KeepRemedies brings the remedies of the root up to date with what was observed since they were. It reads no session
// that has ended before.
func (s Source) KeepRemedies(ctx context.Context, now time.Time) error {
	records, err := s.DB.ObservationFiles(ctx)
	if err != nil {
		return err
	}
	remedies := observe.ReadRemedies(s.Root)
	var changed []db.ObservationFile
	for _, f := range records {
		if f.MtimeNS >= remedies.Read.UnixNano() || remedies.Read.IsZero() {
			changed = append(changed, f)
		}
	}
	if len(records) == 0 && len(remedies.Fixes) == 0 {
		return nil
	}
	slices.SortFunc(changed, func(a, b db.ObservationFile) int { return cmp.Compare(b.MtimeNS, a.MtimeNS) })
	var paths []string
	for _, f := range changed[:min(len(changed), maxRemedySessions)] {
		paths = append(paths, f.Path)
	}
	runs, err := s.lastRuns(ctx, paths)
	if err != nil {
		return err
	}
	remedies.Update(runs, func(session string) bool {
		_, found := records[files.SessionFile{Name: observe.SessionFile(session)}.Path()]
		return !found
	}, now)
	remedies.Read = now.Add(-tooFresh)
	_ = remedies.Keep(s.Root) // else no remedy is given
	return nil
}

// lastRuns returns the last runs that files of sessions have, without their errors, in the order of their recording.
func (s Source) lastRuns(ctx context.Context, paths []string) ([]schemas.Run, error) {
	list, _ := json.Marshal(paths) // of strings: cannot fail
	runs, err := db.Query[schemas.Run](ctx, s.DB, `
		SELECT `+runColumns+`
		FROM observations
		WHERE path IN (SELECT value FROM json_each(?))
		ORDER BY observation_id DESC
		LIMIT ?`, string(list), maxRemedyRuns)
	slices.Reverse(runs)
	return runs, err
}

// Session is a session whose tools were observed.
type Session struct {
	ID       string `db:"session_id" json:"session_id"`
	First    string `db:"first" json:"first"` // RFC 3339, UTC
	Last     string `db:"last" json:"last"`
	Runs     int    `db:"runs" json:"runs"`
	Failures int    `db:"failures" json:"failures"`
}

// Sessions returns the sessions whose tools were observed, the last one first.
func (s Source) Sessions(ctx context.Context, limit int) ([]Session, error) {
	return db.Query[Session](ctx, s.DB, `
		SELECT
			session_id,
			min(timestamp) AS first,
			max(timestamp) AS last,
			count(*) AS runs,
			coalesce(sum(NOT success), 0) AS failures
		FROM observations
		GROUP BY session_id
		ORDER BY last DESC, session_id
		LIMIT ?`, limit)
}

// ToolStats are the totals of all observations.
type ToolStats struct {
	Observations    int         `db:"observations" json:"observations"`
	Failures        int         `db:"failures" json:"failures"`
	Sessions        int         `db:"sessions" json:"sessions"`
	First           string      `db:"first" json:"first"`
	Last            string      `db:"last" json:"last"`
	BrokenLines     int         `db:"broken" json:"broken_lines"`
	PrivateSections int         `db:"private" json:"private_sections"`
	Tools           []ToolCount `db:"-" json:"tools"`
	Secrets         []KindCount `db:"-" json:"secrets"`
}

// ToolCount is one tool with its runs.
type ToolCount struct {
	Tool     string   `db:"tool_name" json:"tool"`
	Runs     int      `db:"runs" json:"runs"`
	Failures int      `db:"failures" json:"failures"`
	MeanMS   *float64 `db:"mean_ms" json:"mean_ms"` // milliseconds; nil if no run has a duration
}

// KindCount is how many secrets of a kind were removed before writing.
type KindCount struct {
	Kind  string `db:"kind" json:"kind"`
	Count int    `db:"count" json:"count"`
}

// Stats returns the totals of all observations, by tool and by kind of secret.
func (s Source) Stats(ctx context.Context) (ToolStats, error) {
	stats, err := db.QueryRow[ToolStats](ctx, s.DB, `
		SELECT
			count(*) AS observations,
			coalesce(sum(NOT success), 0) AS failures,
			count(DISTINCT session_id) AS sessions,
			coalesce(min(timestamp), '') AS first,
			coalesce(max(timestamp), '') AS last,
			coalesce((SELECT sum(broken) FROM observation_files), 0) AS broken,
			coalesce(sum(payload ->> '$.metadata.privacy.privateCount'), 0) AS private
		FROM observations`)
	if err != nil {
		return stats, err
	}
	stats.Tools, stats.Secrets = []ToolCount{}, []KindCount{}
	if err := s.DB.Select(ctx, &stats.Tools, `
		SELECT tool_name, count(*) AS runs, sum(NOT success) AS failures, avg(duration_ms) AS mean_ms
		FROM observations
		GROUP BY tool_name
		ORDER BY runs DESC, tool_name`); err != nil {
		return stats, err
	}
	err = s.DB.Select(ctx, &stats.Secrets, `
		SELECT s.key AS kind, sum(s.value) AS count
		FROM observations o, json_each(o.payload, '$.metadata.privacy.secrets') s
		GROUP BY s.key
		ORDER BY count DESC, kind`)
	return stats, err
}

// ObservationTotals says how many runs of tools are recorded.
type ObservationTotals struct {
	Runs     int    `db:"runs" json:"runs"`
	Sessions int    `db:"sessions" json:"sessions"`
	Bytes    int64  `db:"bytes" json:"size_bytes"` // on disk; a file that cannot be read has none
	First    string `db:"first" json:"first"`      // RFC 3339, "" without runs
	Last     string `db:"last" json:"last"`
}

// CountObservations returns the totals of observations and their files.
func (s Source) CountObservations(ctx context.Context) (ObservationTotals, error) {
	return db.QueryRow[ObservationTotals](ctx, s.DB, `
		SELECT
			(SELECT count(*) FROM observations) AS runs,
			count(*) AS sessions,
			coalesce(sum(max(size_bytes, 0)), 0) AS bytes,
			coalesce((SELECT min(timestamp) FROM observations), '') AS first,
			coalesce((SELECT max(timestamp) FROM observations), '') AS last
		FROM observation_files`)
}

// Redaction counts the text of one kind that the privacy filter removed from observations.
type Redaction struct {
	Kind  string `db:"kind" json:"kind"` // "" is a private section
	Count int    `db:"count" json:"count"`
	First string `db:"first" json:"first"` // RFC 3339
	Last  string `db:"last" json:"last"`
	// Characters is how much shorter the texts became in which it was found.
	Characters int `db:"characters" json:"characters"`
}

// Redactions returns what the privacy filter kept from the disk, the most frequent kind
// first.
func (s Source) Redactions(ctx context.Context) ([]Redaction, error) {
	return db.Query[Redaction](ctx, s.DB, `
		SELECT kind, sum(count) AS count, min(timestamp) AS first, max(timestamp) AS last, sum(characters) AS characters
		FROM (
			SELECT s.key AS kind, s.value AS count, o.timestamp,
				o.payload ->> '$.metadata.privacy.originalLength'
					- o.payload ->> '$.metadata.privacy.filteredLength' AS characters
			FROM observations o, json_each(o.payload, '$.metadata.privacy.secrets') s
			UNION ALL
			SELECT '', o.payload ->> '$.metadata.privacy.privateCount', o.timestamp,
				o.payload ->> '$.metadata.privacy.originalLength' - o.payload ->> '$.metadata.privacy.filteredLength'
			FROM observations o
			WHERE o.payload ->> '$.metadata.privacy.privateCount' > 0
		)
		GROUP BY kind
		ORDER BY count DESC, kind`)
}
