package hooks

import (
	"context"
	"time"

	"memctl/memdir"
	"memctl/store"
)

// afterwardsDeadline is how long the process goes on after its answer at most.
const afterwardsDeadline = 1200 * time.Millisecond

// finish runs what a hook that has answered does afterwards. If that is late, the process
// ends without it, which it must survive at any point.
func (r *Run) finish() {
	if r.err != nil || r.afterwards == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), afterwardsDeadline)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = recovered(func() error {
			r.afterwards(ctx, &r.call)
			return nil
		})
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// noteRoot notes the root in the catalogue, and makes vectors of what has none if the user has a
// model. No one waits for either, so an error is not reported.
func noteRoot(ctx context.Context, c *Call) {
	if root, err := c.Root(); err == nil {
		_ = store.Catalogue{}.Note(ctx, root)
	}
	roots, err := c.store.Roots()
	if err != nil || c.store.Meaning() == nil {
		return
	}
	for _, root := range roots {
		if root.Scope == memdir.ProjectScope || root.Scope == memdir.UserScope {
			_, _ = c.store.MakeVectors(ctx, root, nil)
		}
	}
}
