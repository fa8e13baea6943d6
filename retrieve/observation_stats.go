package retrieve

import (
	"context"

	"memctl/db"
)

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
func Stats(ctx context.Context, d *db.DB) (ToolStats, error) {
	s, err := queryRow[ToolStats](ctx, d, `
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
		return s, err
	}
	s.Tools, s.Secrets = []ToolCount{}, []KindCount{}
	if err := d.Select(ctx, &s.Tools, `
		SELECT tool_name, count(*) AS runs, sum(NOT success) AS failures, avg(duration_ms) AS mean_ms
		FROM observations
		GROUP BY tool_name
		ORDER BY runs DESC, tool_name`); err != nil {
		return s, err
	}
	err = d.Select(ctx, &s.Secrets, `
		SELECT s.key AS kind, sum(s.value) AS count
		FROM observations o, json_each(o.payload, '$.metadata.privacy.secrets') s
		GROUP BY s.key
		ORDER BY count DESC, kind`)
	return s, err
}

// ObservationTotals says how much is recorded of what tools did.
type ObservationTotals struct {
	Runs     int    `db:"runs" json:"runs"`
	Sessions int    `db:"sessions" json:"sessions"`
	Bytes    int64  `db:"bytes" json:"size_bytes"` // on disk; a file that cannot be read has none
	First    string `db:"first" json:"first"`      // RFC 3339, "" without runs
	Last     string `db:"last" json:"last"`
}

// CountObservations returns the totals of observations and their files.
func CountObservations(ctx context.Context, d *db.DB) (ObservationTotals, error) {
	return queryRow[ObservationTotals](ctx, d, `
		SELECT
			(SELECT count(*) FROM observations) AS runs,
			count(*) AS sessions,
			coalesce(sum(max(size_bytes, 0)), 0) AS bytes,
			coalesce((SELECT min(timestamp) FROM observations), '') AS first,
			coalesce((SELECT max(timestamp) FROM observations), '') AS last
		FROM observation_files`)
}

// Redaction is what the privacy filter kept from the disk of one kind, in observations.
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
func Redactions(ctx context.Context, d *db.DB) ([]Redaction, error) {
	return query[Redaction](ctx, d, `
		SELECT kind, sum(count) AS count, min(timestamp) AS first, max(timestamp) AS last, sum(characters) AS characters
		FROM (
			SELECT s.key AS kind, s.value AS count, o.timestamp,
				o.payload ->> '$.metadata.privacy.originalLength' - o.payload ->> '$.metadata.privacy.filteredLength' AS characters
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
