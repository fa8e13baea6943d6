package retrieve

import (
	"context"

	"memctl/db"
)

// ToolStats sums up the observations.
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

// ToolCount is one tool; the time is the mean of the runs whose time is known.
type ToolCount struct {
	Tool     string   `db:"tool_name" json:"tool"`
	Runs     int      `db:"runs" json:"runs"`
	Failures int      `db:"failures" json:"failures"`
	MeanMS   *float64 `db:"mean_ms" json:"mean_ms"` // null where no duration is known
}

// KindCount is how many secrets of a kind were kept from the disk.
type KindCount struct {
	Kind  string `db:"kind" json:"kind"`
	Count int    `db:"count" json:"count"`
}

// Stats reads the sums.
func Stats(ctx context.Context, d *db.DB) (ToolStats, error) {
	var sums []ToolStats
	if err := d.Select(ctx, &sums, `
		SELECT
			count(*) AS observations,
			coalesce(sum(NOT success), 0) AS failures,
			count(DISTINCT session_id) AS sessions,
			coalesce(min(timestamp), '') AS first,
			coalesce(max(timestamp), '') AS last,
			coalesce((SELECT sum(broken) FROM observation_files), 0) AS broken,
			coalesce(sum(payload ->> '$.metadata.privacy.privateCount'), 0) AS private
		FROM observations`); err != nil {
		return ToolStats{}, err
	}
	s := sums[0]
	s.Tools, s.Secrets = []ToolCount{}, []KindCount{}
	if err := d.Select(ctx, &s.Tools, `
		SELECT tool_name, count(*) AS runs, sum(NOT success) AS failures, avg(duration_ms) AS mean_ms
		FROM observations
		GROUP BY tool_name
		ORDER BY runs DESC, tool_name`); err != nil {
		return s, err
	}
	err := d.Select(ctx, &s.Secrets, `
		SELECT s.key AS kind, sum(s.value) AS count
		FROM observations o, json_each(o.payload, '$.metadata.privacy.secrets') s
		GROUP BY s.key
		ORDER BY count DESC, kind`)
	return s, err
}
