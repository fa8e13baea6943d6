package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"

	"memctl/text"
)

//go:embed timeline.sql
var timelineSQL string

const (
	// DefaultWindow is how many events a timeline shows on each side.
	DefaultWindow = 3
	// MaxWindow bounds it: more than that is a listing.
	MaxWindow = 50
	// maxPreview is how many code points an event shows of what it is about.
	maxPreview = 200
)

// Timeline is what happened around a memory or an observation, the second layer.
type Timeline struct {
	ID     string  `json:"id"`
	Type   string  `json:"type"`
	Events []Event `json:"events"` // in order of time
}

// Event is one moment of it.
type Event struct {
	At       string `db:"at" json:"at"` // RFC 3339, UTC
	Type     string `db:"type" json:"type"`
	ID       string `db:"id" json:"id"`
	Category string `db:"category" json:"category"`
	// Event is created, changed, retired or archived; for a tool ran or failed.
	Event   string `db:"event" json:"event"`
	Preview string `db:"preview" json:"preview"` // at most 200 code points
	Target  bool   `db:"target" json:"target,omitempty"`
}

// String is the event as a line, without its line feed; the target has a mark.
func (e Event) String() string {
	mark := " "
	if e.Target {
		mark = ">"
	}
	return fmt.Sprintf("%s %s | %s | %s %s | %s", mark, e.At, e.ID, e.Category, e.Event, e.Preview)
}

// Timeline returns up to window events on each side of the last thing that
// happened to what r stands for. Around an observation tools are those of its
// session, around a memory those of any.
func (s Source) Timeline(ctx context.Context, r Ref, window int) (Timeline, error) {
	t := Timeline{ID: r.ID, Type: r.Type}
	session, err := s.session(ctx, r)
	if err != nil {
		return t, err
	}
	err = s.DB.Select(ctx, &t.Events, timelineSQL,
		sql.Named("type", r.Type), sql.Named("row", r.Row), sql.Named("session", session), sql.Named("window", window))
	if err == nil && len(t.Events) == 0 {
		err = fmt.Errorf("%s has no date that can be read", r.ID)
	}
	for i := range t.Events {
		e := &t.Events[i]
		e.Preview, e.Category = text.OneLine(withoutTool(e.Preview, e.Category), maxPreview), text.OneLine(e.Category, maxRowSummary)
	}
	return t, err
}

// session is that of an observation, nil for a memory.
func (s Source) session(ctx context.Context, r Ref) (any, error) {
	if r.Type != ObservationType {
		return nil, nil
	}
	var ids []string
	err := s.DB.Select(ctx, &ids, `SELECT session_id FROM observations WHERE observation_id = ?`, r.Row)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return ids[0], nil
}
