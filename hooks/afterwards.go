package hooks

import (
	"context"
	"time"

	"memctl/catalogue"
	"memctl/memdir"
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

// noteRoots brings the project's root and the user's up to date in the catalogue. No one
// waits for the catalogue, so an error is not reported.
func noteRoots(ctx context.Context, c *Call) {
	root, err := c.Root()
	if err == nil {
		_ = catalogue.Note(ctx, root, false)
	}
	if user, found, err := memdir.UserRoot(); err == nil && found && !user.Is(root) {
		_ = catalogue.Note(ctx, user, false)
	}
}
