package retrieve

import (
	"cmp"
	"context"
	"crypto/md5"
	"database/sql"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

//go:embed relations.sql
var relationsSQL string

const (
	// maxRelations is how many relations of one kind a detail has at most.
	maxRelations = 5
	// renamedFrom is the kind of relation of a memory to its former title.
	renamedFrom = "renamed_from"
)

// Detail is all of a memory or an observation, the third layer.
type Detail struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Category string `json:"category"` // of an observation: the tool
	// Scope says whose memory it is.
	Scope files.Scope `json:"scope,omitempty"`
	// TokenCount is the approximate cost of Stored, in tokens.
	TokenCount int        `json:"tokenCount"`
	HasCode    bool       `json:"hasCode"`
	Files      []string   `json:"files"`
	Tools      []string   `json:"tools"` // an observation's own; for a memory, those that touched its files
	Relations  []Relation `json:"relations"`
	// Hash is the MD5 of a memory's file in hex, for Update.
	Hash string `json:"hash,omitempty"`
	// Outdated says why a memory may no longer be true.
	Outdated string `json:"outdated,omitempty"`
	// NewBy is Entry.NewBy.
	NewBy string `json:"new_by,omitempty"`
	// Conflicts are the fields that both sides of a merge changed.
	Conflicts []schemas.Conflict `json:"conflicts,omitempty"`
	// Stored is the memory's file, or the observation.
	Stored json.RawMessage `json:"stored"`

	memory schemas.Memory
}

// Relation is the relation of one memory to another, or to its own former title.
type Relation struct {
	Kind     string `db:"kind" json:"kind"` // one of those in relations.sql, or renamedFrom
	ID       string `db:"id" json:"id,omitempty"`
	Category string `db:"category" json:"category,omitempty"`
	// Shared lists the files or tags in common, or is the former title.
	Shared string `db:"shared" json:"shared,omitempty"`
	// Title is the other memory's.
	Title string `db:"title" json:"-"`
}

func (r Relation) String() string {
	parts := []string{r.Kind}
	if r.ID != "" {
		parts = append(parts, r.ID)
	}
	if r.Shared != "" {
		parts = append(parts, "("+r.Shared+")")
	}
	return text.OneLine(strings.Join(parts, " "), maxPreview)
}

// Detail returns the third layer of the memory or observation that r names.
func (s Sources) Detail(ctx context.Context, r Ref) (Detail, error) {
	source := s.of(r.Root)
	d := Detail{
		ID: r.ID, Type: r.Type, Category: r.Category, Scope: r.Root.Scope,
		Files: []string{}, Tools: []string{}, Relations: []Relation{},
	}
	var err error
	if r.Type == ObservationType {
		err = source.observationDetail(ctx, r, &d)
	} else {
		err = source.memoryDetail(ctx, r, &d)
	}
	if err != nil {
		return d, fmt.Errorf("show %s: %w", cmp.Or(r.ID, r.Path), err)
	}
	d.TokenCount = text.Cost(string(d.Stored))
	d.HasCode = text.HasCode(string(d.Stored))
	return d, nil
}

func (s Source) memoryDetail(ctx context.Context, r Ref, d *Detail) error {
	data, err := s.Root.ReadFile(r.Path)
	if err != nil {
		return err
	}
	if d.memory, err = schemas.Decode(data); err != nil {
		return err
	}
	if err := s.recount(ctx, r, &d.memory); err != nil {
		return err
	}
	d.Stored, d.Hash = data, fmt.Sprintf("%x", md5.Sum(data))
	d.Files = append(d.Files, d.memory.RelatedFiles...)
	one := []Result{{Entry: Entry{Path: r.Path}, Root: s.Root}}
	MarkOutdated(one, time.Now())
	d.Outdated = one[0].Outdated
	d.NewBy, d.Conflicts = s.Alone().NewBy(r, data), s.Root.ConflictsOf(r.Path, data)
	err = s.DB.Select(ctx, &d.Relations, relationsSQL, sql.Named("row", r.Row), sql.Named("id", r.ID),
		sql.Named("phrase", phraseOf(r.ID)), sql.Named("ids", db.JSON(idsIn().FindAllString(string(data), -1))),
		sql.Named("each", maxRelations))
	if err != nil {
		return err
	}
	d.Relations = append(d.Relations, formerTitles(d.memory.Changes)...)
	return s.DB.Select(ctx, &d.Tools, `
		SELECT DISTINCT o.tool_name
		FROM related_files r
		CROSS JOIN observations o ON o.file_path = r.file OR substr(o.file_path, -length(r.file) - 1) = '/' || r.file
		WHERE r.memory_id = ?
		ORDER BY o.tool_name`, r.Row)
}

// Recount gives a memory that r names the time and the number of its changes as the index has them.
// Where git.history is true, its file may have older ones.
func (s Sources) Recount(ctx context.Context, r Ref, m *schemas.Memory) error {
	return s.of(r.Root).recount(ctx, r, m)
}

func (s Source) recount(ctx context.Context, r Ref, m *schemas.Memory) error {
	var rows []struct {
		UpdatedAt    string `db:"updated_at"`
		TimesUpdated int    `db:"times_updated"`
	}
	err := s.DB.Select(ctx, &rows, `SELECT updated_at, times_updated FROM memories WHERE memory_id = ?`, r.Row)
	for _, row := range rows {
		m.UpdatedAt, m.TimesUpdated = row.UpdatedAt, row.TimesUpdated
	}
	return err
}

// formerTitles returns the titles that a history replaced.
func formerTitles(changes []schemas.Change) []Relation {
	var list []Relation
	for _, c := range changes {
		if old := schemas.String(c.OldValue); c.Field == "title" && old != "" {
			list = append(list, Relation{Kind: renamedFrom, Shared: old})
		}
	}
	return list
}

func (s Source) observationDetail(ctx context.Context, r Ref, d *Detail) error {
	type observation struct {
		ID        string          `db:"event_id" json:"event_id"`
		SessionID string          `db:"session_id" json:"session_id"`
		Timestamp string          `db:"timestamp" json:"timestamp"`
		File      string          `db:"file_path" json:"-"`
		Payload   json.RawMessage `db:"payload" json:"payload"`
	}
	o, err := db.QueryRow[observation](ctx, s.DB, `
		SELECT event_id, session_id, timestamp, coalesce(file_path, '') AS file_path, CAST(payload AS BLOB) AS payload
		FROM observations
		WHERE observation_id = ?`, r.Row)
	if err != nil {
		return err
	}
	d.Tools = append(d.Tools, r.Category)
	if o.File != "" {
		d.Files = append(d.Files, o.File)
	}
	d.Stored, err = json.Marshal(o)
	return err
}

// lines renders a detail for reading, one line each: a heading, the fields of
// content, files and relations.
func (d Detail) lines() []string {
	if d.Type == ObservationType {
		return []string{d.ID + " [" + d.Category + "]", text.Printable(string(d.Stored))}
	}
	m := d.memory
	lines := []string{
		fmt.Sprintf("%s [%s] %s", d.ID, schemas.Category(d.Category).Display(), text.Printable(m.Title)),
		fmt.Sprintf("updated: %s; tags: %s", day(m.UpdatedAt), text.Printable(strings.Join(text.Tags(m.Tags), ", "))),
	}
	if d.Outdated != "" {
		lines = append(lines, "outdated: "+d.Outdated)
	}
	for name, value := range m.ContentFields() {
		if shown := plain(value); value != nil && shown != "" {
			lines = append(lines, text.OneLine(strings.ReplaceAll(name, "_", " ")+": "+shown, schemas.MaxFileBytes))
		}
	}
	if len(d.Files) > 0 {
		lines = append(lines, text.Printable("files: "+strings.Join(d.Files, ", ")))
	}
	for _, r := range d.Relations {
		lines = append(lines, "related: "+r.String())
	}
	return lines
}

//go:embed timeline.sql
var timelineSQL string

const (
	// DefaultWindow is how many events a timeline shows on each side.
	DefaultWindow = 3
	// MaxWindow is the largest window. More than that is a listing.
	MaxWindow = 50
	// maxPreview is how many code points of its subject an event shows.
	maxPreview = 200
)

// Timeline lists the events before and after a memory or an observation, the
// second layer.
type Timeline struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	// Scope says whose memory it is.
	Scope  files.Scope `json:"scope,omitempty"`
	Events []Event     `json:"events"` // oldest first
}

// Event is one entry of a Timeline.
type Event struct {
	At       string `db:"at" json:"at"` // RFC 3339, UTC
	Type     string `db:"type" json:"type"`
	ID       string `db:"id" json:"id"`
	Category string `db:"category" json:"category"`
	// Event is created, changed, retired or archived; for a tool, ran or failed.
	Event   string `db:"event" json:"event"`
	Preview string `db:"preview" json:"preview"` // at most 200 code points
	Target  bool   `db:"target" json:"target,omitempty"`
	NewBy   string `db:"-" json:"new_by,omitempty"` // Entry.NewBy
}

// String returns the event as a line without a line feed. The target is marked.
func (e Event) String() string {
	mark := " "
	if e.Target {
		mark = ">"
	}
	return fmt.Sprintf("%s %s | %s | %s %s | %s", mark, e.At, e.ID, e.Category, e.Event, NewMark(e.NewBy)+e.Preview)
}

// Timeline returns up to window events before and after the last event of what r
// names. The tools around an observation are those of its session, around a memory
// those of any session.
func (s Sources) Timeline(ctx context.Context, r Ref, window int) (Timeline, error) {
	t := Timeline{ID: r.ID, Type: r.Type, Scope: r.Root.Scope}
	err := s.of(r.Root).DB.Select(ctx, &t.Events, timelineSQL,
		sql.Named("type", r.Type), sql.Named("row", r.Row), sql.Named("window", window))
	if err == nil && len(t.Events) == 0 {
		err = fmt.Errorf("%s has no date that can be read", r.ID)
	}
	for i := range t.Events {
		e := &t.Events[i]
		e.Preview = text.OneLine(withoutTool(e.Preview, e.Category), maxPreview)
		e.Category = text.OneLine(e.Category, maxRowSummary)
	}
	if err == nil {
		err = s.of(r.Root).markEvents(ctx, t.Events)
	}
	return t, err
}
