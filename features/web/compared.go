package web

import (
	"context"
	"sync"
	"time"

	"memctl/files"
	"memctl/retrieve"
	"memctl/store"
)

// fresh is how long the pages believe that nothing changed where the watcher saw nothing: it does not see what another
// machine writes to a shared disk.
const fresh = time.Minute

// compared remembers when every file of a root was compared with its index, so that a page of a large store does it
// only if the watcher has seen a change since.
type compared struct {
	mu      sync.Mutex
	changes int                   // that the watcher saw
	watched map[string]bool       // roots
	last    map[string]comparison // by the paths of roots
}

type comparison struct {
	changes int // that had been seen before
	at      time.Time
}

// changed says that the watcher saw a change, or may have missed one.
func (c *compared) changed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
}

// watching says of which roots the watcher watches every folder.
func (c *compared) watching(roots []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watched = map[string]bool{}
	for _, root := range roots {
		c.watched[root] = true
	}
}

// depth says how closely the files of roots have to be compared now. The caller calls done afterwards.
func (c *compared) depth(roots []files.Root) (depth store.Depth, done func(error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := comparison{c.changes, time.Now()}
	depth = store.Usual
	for _, root := range roots {
		last, known := c.last[root.Path]
		if !known || last.changes != now.changes || now.at.Sub(last.at) > fresh || !c.watched[root.Path] {
			depth = store.Full
		}
	}
	return depth, func(err error) {
		if depth != store.Full || err != nil {
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.last == nil {
			c.last = map[string]comparison{}
		}
		for _, root := range roots {
			c.last[root.Path] = now
		}
	}
}

// use runs fn on the index of the server's root, which is up to date.
func (s *Server) use(ctx context.Context, fn func(retrieve.Source) error) error {
	return s.useRoot(ctx, s.Root, fn)
}

// ask runs fn on the indexes of roots, which are up to date.
func (s *Server) ask(ctx context.Context, roots []files.Root, fn func(retrieve.Sources) error) error {
	depth, done := s.compared.depth(roots)
	err := store.At(s.Root, store.Options{Depth: depth}).Ask(ctx, roots, fn)
	done(err)
	return err
}

// useRoot runs fn on the index of a root, which is up to date.
func (s *Server) useRoot(ctx context.Context, root files.Root, fn func(retrieve.Source) error) error {
	depth, done := s.compared.depth([]files.Root{root})
	err := store.At(root, store.Options{Depth: depth}).Look(ctx, root, fn)
	done(err)
	return err
}
