package hub

import (
	"context"
	_ "embed"
	"fmt"

	"memctl/remote"
)

//go:embed timeline.sql
var timelineSQL string

const defaultWindow = 3

// Timeline returns a memory of any status with those that were created before and after it
// in the same repository. If the principal may not see it, it is not found.
func (s *Store) Timeline(ctx context.Context, by Principal, q remote.Moment) (remote.Timeline, error) {
	if q.Window == 0 {
		q.Window = defaultWindow
	}
	if q.Window < 1 || q.Window > remote.MaxWindow {
		return remote.Timeline{}, badRequest("window",
			fmt.Sprintf("expected 1 to %d, got %d", remote.MaxWindow, q.Window))
	}
	repository, path, err := splitID("id", q.ID)
	if err != nil {
		return remote.Timeline{}, err
	}
	type event struct {
		remote.Row
		Side int // -1 before the memory, 0 the memory, 1 after it
	}
	events, err := read[event](ctx, s, by, timelineSQL, repository, path, q.Window)
	if err != nil {
		return remote.Timeline{}, err
	}
	if len(events) == 0 {
		return remote.Timeline{}, notFound(q.ID)
	}
	t := remote.Timeline{Before: []remote.Row{}, After: []remote.Row{}}
	for _, e := range events {
		switch {
		case e.Side < 0:
			t.Before = append(t.Before, e.Row)
		case e.Side > 0:
			t.After = append(t.After, e.Row)
		default:
			t.Memory = e.Row
		}
	}
	return t, nil
}
