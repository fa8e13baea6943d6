package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

const (
	// maxRowSummary is how many code points of a summary a row shows.
	maxRowSummary = 100
	// observedShare is the part of an answer that observations may take from less
	// relevant memories: one row in three.
	observedShare = 3
)

// Row is one line of the index, the first layer: what there is, and the cost of
// reading all of it.
type Row struct {
	ID        string      `json:"id"`
	Type      string      `json:"type"`
	Category  string      `json:"category"`        // of an observation: the tool
	Scope     files.Scope `json:"scope,omitempty"` // says whose memory it is
	Summary   string      `json:"summary"`         // at most 100 code points
	Relevance float64     `json:"relevance"`       // 0 to 1, in hundredths
	Timestamp string      `json:"timestamp"`
	Tokens    int         `json:"tokens"`             // the approximate cost of all of it
	Outdated  string      `json:"outdated,omitempty"` // why a memory may no longer be true
	NewBy     string      `json:"new_by,omitempty"`   // Entry.NewBy
	Folder    string      `json:"folder,omitempty"`   // Entry.Folder

	InConflict bool `json:"in_conflict,omitempty"` // Entry.InConflict

	memory Result
}

// String returns the row as a line without a line feed.
func (r Row) String() string {
	kind := r.Category
	if r.Scope != files.ProjectScope {
		kind += " (" + r.Scope.Kind() + ")"
	}
	return fmt.Sprintf("%s | %s | %.2f | %s | %d tokens | %s%s",
		r.ID, kind, r.Relevance, day(r.Timestamp), r.Tokens, NewMark(r.NewBy)+Noted(r.Outdated), r.Summary)
}

// day returns the date of a timestamp, or a dash.
func day(stamp string) string {
	if t, ok := schemas.ParseTime(stamp); ok {
		return t.UTC().Format("2006-01-02")
	}
	return "-"
}

// Index returns the first layer for q: the ranked memories, then observations.
// Observations fill the rows that memories leave free. They also take up to a third
// of the rows from memories that are less relevant. They are those of the first source.
func (s Sources) Index(ctx context.Context, q Query, results []Result) ([]Row, error) {
	memories, err := s.memoryRows(ctx, q, results[:min(len(results), q.Limit)])
	if err != nil {
		return nil, err
	}
	observations, err := s[0].observationRows(ctx, q, max(q.Limit/observedShare, q.Limit-len(memories)))
	if err != nil {
		return nil, err
	}
	for len(memories)+len(observations) > q.Limit {
		if last := len(observations) - 1; memories[len(memories)-1].Relevance < observations[last].Relevance {
			memories = memories[:len(memories)-1]
		} else {
			observations = observations[:last]
		}
	}
	return append(memories, observations...), nil
}

// memoryRows returns the rows of ranked memories, in the same order.
func (s Sources) memoryRows(ctx context.Context, q Query, results []Result) ([]Row, error) {
	if len(results) == 0 {
		return []Row{}, nil
	}
	refs := make([]Ref, len(results))
	for i, r := range results {
		refs[i] = Ref{ID: r.ID, Path: r.Path, Root: r.Root}
	}
	ids, err := s.clearIDs(ctx, refs)
	if err != nil {
		return nil, err
	}
	best, err := s.bestScore(ctx, q)
	if err != nil {
		return nil, err
	}
	MarkOutdated(results, time.Now())
	s.markConflicts(len(results), func(i int) (*Entry, files.Root) { return &results[i].Entry, results[i].Root })
	rows := make([]Row, len(results))
	for i, r := range results {
		rows[i] = Row{
			ID:        ids[i],
			Type:      MemoryType,
			Category:  string(r.Category),
			Scope:     r.Root.Scope,
			Summary:   r.summary(r.Root),
			Relevance: r.relevance(best),
			Timestamp: r.UpdatedAt,
			Tokens:    text.CostOf(int(r.Size)),
			Outdated:  r.Outdated,
			NewBy:     r.NewBy,
			Folder:    r.Folder,
			memory:    r,

			InConflict: r.InConflict,
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

// summary returns the first sentence of a memory's summaryField, or its
// title. It reads the file, because the agent may see no more than this row.
func (r Result) summary(root files.Root) string {
	if data, err := root.ReadFile(r.Path); err == nil {
		if m, err := schemas.Decode(data); err == nil {
			m.Category, m.Title = r.Category, r.Title
			return summaryOf(&m)
		}
	}
	return text.Summary(r.Title, maxRowSummary)
}

func summaryOf(m *schemas.Memory) string {
	field, _ := m.ContentValues()[summaryField[m.Category]].(string)
	if sentence := text.Summary(field, maxRowSummary); sentence != "" {
		return sentence
	}
	return text.Summary(m.Title, maxRowSummary)
}

// Summary returns the sentence of a memory that says most, or its title.
func (r Result) Summary() string { return r.summary(r.Root) }

// observationRows returns the observations that have most of the query's words,
// newest first among equals. A query with filters is about memories alone.
func (s Source) observationRows(ctx context.Context, q Query, limit int) ([]Row, error) {
	words := q.words()
	if limit < 1 || len(words) == 0 || !q.unfiltered() {
		return nil, nil
	}
	observations, err := db.Query[observation](ctx, s.DB, selectObservations, db.JSON(words), limit)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(observations))
	for i, o := range observations {
		rows[i] = o.row(q.observedRelevance(o.Matched))
	}
	near, err := q.near(ctx, s.DB, db.ObservationVectors)
	for _, n := range near {
		known := slices.ContainsFunc(observations, func(o observation) bool { return o.Number == n.ID })
		if n.Nearness < leastObserved || len(rows) >= limit || err != nil {
			break
		}
		var o observation
		if !known {
			if o, err = db.QueryRow[observation](ctx, s.DB, selectObservation, n.ID); o.ID != "" {
				rows = append(rows, o.row(hundredths(observedWord*min(1, n.Nearness))))
			}
		}
	}
	return rows, err
}

// leastObserved is the nearness of an observation that has no word of the question.
const leastObserved = 0.5

type observation struct {
	Number    int64  `db:"observation_id"`
	ID        string `db:"event_id"`
	Tool      string `db:"tool_name"`
	Timestamp string `db:"timestamp"`
	Line      string `db:"document"`
	Size      int    `db:"size"`
	Matched   int    `db:"matched"`
}

func (o observation) row(relevance float64) Row {
	return Row{
		ID:        o.ID,
		Type:      ObservationType,
		Category:  text.OneLine(o.Tool, maxRowSummary),
		Summary:   text.Summary(withoutTool(o.Line, o.Tool), maxRowSummary),
		Relevance: relevance,
		Timestamp: o.Timestamp,
		Tokens:    text.CostOf(o.Size),
	}
}

// The size is that of Detail.Stored: four values and 57 bytes for their names.
const (
	observationColumns = `
		SELECT
			o.observation_id,
			o.event_id,
			o.tool_name,
			o.timestamp,
			d.document,
			length(o.payload) + length(o.event_id) + length(o.session_id) + length(o.timestamp) + 57 AS size`
	selectObservations = observationColumns + `,
			h.matched
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
		ORDER BY h.matched DESC, o.timestamp DESC, o.observation_id DESC`
	selectObservation = observationColumns + `
		FROM observations o
		JOIN observation_documents d ON d.observation_id = o.observation_id
		WHERE o.observation_id = ?`
)

// withoutTool returns an observation's line without the tool, which has its own
// column.
func withoutTool(line, tool string) string { return strings.TrimPrefix(line, "Tool: "+tool+" / ") }

// IndexEntry is one line of a search. An observation has the tool for a category,
// its summary for a title, and no path, tags or score.
type IndexEntry struct {
	Match
	Type      string  `json:"type"`
	Relevance float64 `json:"relevance"`
	Summary   string  `json:"summary"`
	Tokens    int     `json:"tokens"`
}

// ListIndex describes the rows of a search.
func ListIndex(rows []Row) []IndexEntry {
	list := make([]IndexEntry, len(rows))
	for i, r := range rows {
		list[i] = IndexEntry{Type: r.Type, Relevance: r.Relevance, Summary: r.Summary, Tokens: r.Tokens}
		if r.Type == MemoryType {
			list[i].Match = r.memory.match(r.memory.Root)
		} else {
			list[i].Entry = Entry{
				ID: r.ID, Title: r.Summary, Category: schemas.Category(r.Category), Tags: Tags{},
				UpdatedAt: r.Timestamp,
			}
		}
		list[i].Name = r.ID
	}
	return list
}

// IndexEntry is for the catalogue: it returns an entry of a search for a memory of a root. The result's path is below
// the root.
func (r Result) IndexEntry(root files.Root, relevance float64) IndexEntry {
	one := []Result{r}
	one[0].Root = root
	MarkOutdated(one, time.Now())
	return IndexEntry{
		Match:     one[0].match(root),
		Type:      MemoryType,
		Relevance: relevance,
		Summary:   r.summary(root),
		Tokens:    text.CostOf(int(r.Size)),
	}
}
