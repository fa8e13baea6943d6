package retrieve

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

const (
	// maxRowSummary is how many code points of a summary stand in a row.
	maxRowSummary = 100
	// observedShare is the part of an answer that observations may take from weaker
	// memories: one in three.
	observedShare = 3
)

// Row is one line of the index, the first layer: what there is, and what all of it
// would cost.
type Row struct {
	ID        string  `json:"id"`
	Type      string  `json:"type"`
	Category  string  `json:"category"` // of an observation: the tool
	Summary   string  `json:"summary"`  // at most 100 code points
	Relevance float64 `json:"relevance"`
	Timestamp string  `json:"timestamp"`
	// Tokens is about what the whole of it costs.
	Tokens int `json:"tokens"`
}

// String is the row as a line, without its line feed.
func (r Row) String() string {
	return fmt.Sprintf("%s | %s | %.2f | %s | %d tokens | %s", r.ID, r.Category, r.Relevance, day(r.Timestamp), r.Tokens, r.Summary)
}

// day is the date of a timestamp, or a dash.
func day(stamp string) string {
	if t, ok := schemas.ParseTime(stamp); ok {
		return t.UTC().Format("2006-01-02")
	}
	return "-"
}

// Memories are the rows of what was ranked, in the same order.
func (s Source) Memories(ctx context.Context, q Query, results []Result) ([]Row, error) {
	if len(results) == 0 {
		return []Row{}, nil
	}
	ids := make([]string, len(results))
	for i, r := range results {
		ids[i] = r.ID
	}
	shared, err := s.shared(ctx, ids)
	if err != nil {
		return nil, err
	}
	best, err := s.scale(ctx, q)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(results))
	for i, r := range results {
		rows[i] = Row{
			ID:        rowID(r.ID, r.Path, shared),
			Type:      MemoryType,
			Category:  string(r.Category),
			Summary:   s.summary(r),
			Relevance: best.relevance(r),
			Timestamp: r.UpdatedAt,
			Tokens:    text.CostOf(int(r.Size)),
		}
	}
	return rows, nil
}

// summaryField is the field of content whose first sentence says most.
var summaryField = map[schemas.Category]string{
	schemas.Decision:       "decision",
	schemas.Constraint:     "rule",
	schemas.Preference:     "value",
	schemas.Runbook:        "trigger",
	schemas.TechDebt:       "description",
	schemas.SessionSummary: "goal",
}

// summary takes the first sentence from the file, for an index row is all that
// the agent may see of it; the title where there is none.
func (s Source) summary(r Result) string {
	data, err := s.Root.ReadFile(r.Path)
	if err == nil {
		var m schemas.Memory
		if m, err = schemas.Decode(data); err == nil {
			return memorySummary(m, r.Category, r.Title, maxRowSummary)
		}
	}
	return text.Summary(r.Title, maxRowSummary) // it is going or changing right now
}

func memorySummary(m schemas.Memory, category schemas.Category, title string, n int) string {
	for name, value := range schemas.Members(m.Content) {
		if name != summaryField[category] {
			continue
		}
		if said := text.Summary(schemas.String(value), n); said != "" {
			return said
		}
	}
	return text.Summary(title, n)
}

// Observed returns the observations that say most of the query's tokens, the
// newest of equals first. Only a query without filters is about observations.
func (s Source) Observed(ctx context.Context, q Query, limit int) ([]Row, error) {
	if limit < 1 || len(q.words()) == 0 || len(q.Categories) > 0 || q.Tag != "" || !q.onlyActive() {
		return nil, nil
	}
	tokens, err := json.Marshal(q.words())
	if err != nil {
		return nil, err
	}
	var found []struct {
		ID        string `db:"event_id"`
		Tool      string `db:"tool_name"`
		Timestamp string `db:"timestamp"`
		Line      string `db:"document"`
		Size      int    `db:"size"`
		Matched   int    `db:"matched"`
	}
	// The size is that of what observationDetail stores: four values and their names.
	err = s.DB.Select(ctx, &found, `
		SELECT o.event_id, o.tool_name, o.timestamp, d.document, length(o.payload) + length(o.event_id) + length(o.session_id) + length(o.timestamp) + 57 AS size, h.matched
		FROM (
			SELECT f.rowid AS observation_id, count(*) AS matched
			FROM json_each(?) w
			CROSS JOIN observations_fts f ON f.observations_fts MATCH '"' || w.value || '"'
			GROUP BY f.rowid
			ORDER BY matched DESC, f.rowid DESC
			LIMIT ?
		) h
		JOIN observations o ON o.observation_id = h.observation_id
		JOIN observation_documents d ON d.observation_id = h.observation_id
		ORDER BY h.matched DESC, o.timestamp DESC, o.observation_id DESC`, string(tokens), limit)
	rows := make([]Row, len(found))
	for i, o := range found {
		rows[i] = Row{
			ID:        o.ID,
			Type:      ObservationType,
			Category:  text.OneLine(o.Tool, maxRowSummary),
			Summary:   text.Summary(withoutTool(o.Line, o.Tool), maxRowSummary),
			Relevance: q.observed(o.Matched),
			Timestamp: o.Timestamp,
			Tokens:    text.CostOf(o.Size),
		}
	}
	return rows, err
}

// withoutTool is the line of an observation without what its row says already.
func withoutTool(line, tool string) string { return strings.TrimPrefix(line, "Tool: "+tool+" / ") }

func (q Query) onlyActive() bool { return len(q.Statuses) == 1 && q.Statuses[0] == schemas.Active }

// Index is the first layer: memories as they were ranked, then observations. These
// take what memories leave free; beyond that, up to a third of the rows, in place of
// memories that are less relevant.
func (s Source) Index(ctx context.Context, q Query, results []Result) ([]Row, error) {
	memories, err := s.Memories(ctx, q, results[:min(len(results), q.Limit)])
	if err != nil {
		return nil, err
	}
	observed, err := s.Observed(ctx, q, max(q.Limit/observedShare, q.Limit-len(memories)))
	if err != nil {
		return nil, err
	}
	for len(memories)+len(observed) > q.Limit {
		if last := len(observed) - 1; memories[len(memories)-1].Relevance < observed[last].Relevance {
			memories = memories[:len(memories)-1]
		} else {
			observed = observed[:last]
		}
	}
	return append(memories, observed...), nil
}
