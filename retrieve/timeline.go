package retrieve

import (
	"context"
	"database/sql"
	_ "embed"
	"fmt"

	"memctl/memdir"
	"memctl/text"
)

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

// Timeline is what happened before and after a memory or an observation, the
// second layer.
type Timeline struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	// Scope says whose memory it is.
	Scope  memdir.Scope `json:"scope,omitempty"`
	Events []Event      `json:"events"` // oldest first
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
}

// String returns the event as a line without a line feed. The target is marked.
func (e Event) String() string {
	mark := " "
	if e.Target {
		mark = ">"
	}
	return fmt.Sprintf("%s %s | %s | %s %s | %s", mark, e.At, e.ID, e.Category, e.Event, e.Preview)
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
	return t, err
}
