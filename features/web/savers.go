package web

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"memctl/files"
	"memctl/files/git"
	"memctl/files/trust"
	"memctl/observe"
)

const (
	// saversTime is how long git may look for the people who saved the memories of a root, in the background.
	saversTime = 20 * time.Second
	// saversWait is how long a page waits for that. It is told once the names are there.
	saversWait = 300 * time.Millisecond
	// shownSavers is how many people can be chosen.
	shownSavers = 50
)

// saver is who saved a memory: the author of the first commit of its file.
type saver struct {
	Name  string // "" for a file that git does not have
	Date  string // RFC 3339
	IsOwn bool   // it is the person's own commit
	Kind  string // of one without a name, the end of a text's key; "" where nothing is known
}

// savers keeps who saved the memories of roots, by the paths of the roots.
type savers struct {
	mu sync.Mutex
	of map[string]*saversOf
}

// saversOf has the people of a root at a commit.
type saversOf struct {
	head   string
	done   chan struct{}    // closed when git has answered
	byPath map[string]saver // below the root; before that of an earlier commit
}

// saversOf returns who saved the memories of a root, by their paths below it: nobody outside of git, and what an
// earlier commit says while git looks.
func (s *Server) saversOf(ctx context.Context, root files.Root) map[string]saver {
	if !git.InRepository(root.Path) {
		return nil
	}
	waiting, stop := context.WithTimeout(ctx, saversWait)
	defer stop()
	head := git.Head(waiting, root.Path)
	s.savers.mu.Lock()
	now := s.savers.of[root.Path]
	if head != "" && (now == nil || now.head != head) {
		next := &saversOf{head: head, done: make(chan struct{})}
		if now != nil {
			next.byPath = now.byPath
		}
		if s.savers.of == nil || len(s.savers.of) > maxKept {
			s.savers.of = map[string]*saversOf{}
		}
		s.savers.of[root.Path], now = next, next
		go s.findSavers(context.WithoutCancel(ctx), root, next)
	}
	s.savers.mu.Unlock()
	if now == nil {
		return nil
	}
	select {
	case <-now.done:
	case <-waiting.Done():
	}
	s.savers.mu.Lock()
	defer s.savers.mu.Unlock()
	return now.byPath
}

// findSavers asks git. Pages that did not wait are told.
func (s *Server) findSavers(ctx context.Context, root files.Root, of *saversOf) {
	began := time.Now()
	authors, _ := git.FirstAuthors(ctx, root.Path, of.head, saversTime) // what git found in its time
	log, _ := git.ReadReflog(ctx, root.Path, 0)                         // without one no commit is the person's own
	own := map[string]bool{}
	for _, a := range authors {
		own[a.Name] = own[a.Name] || a.Email != "" && a.Email == log.Email
	}
	found := map[string]saver{}
	paths, _ := root.MemoryPaths() // doctor names a folder that cannot be read
	for _, path := range paths {
		a := authors[path]
		if name := trust.AuthorName(a.Name); name != "" {
			found[path] = saver{Name: name, Date: a.Date, IsOwn: own[a.Name]}
		}
	}
	s.savers.mu.Lock()
	of.byPath = found
	s.savers.mu.Unlock()
	close(of.done)
	if time.Since(began) > saversWait {
		s.events.send()
	}
}

// team says who saved the memories of the roots that a page shows.
type team struct {
	places []place
	of     []map[string]saver         // by place
	agents map[string]map[string]bool // the paths that the record says an agent saved, by the path of the root
}

// team asks for the people of some places.
func (s *Server) team(ctx context.Context, places []place) team {
	t := team{places: places, of: make([]map[string]saver, len(places)), agents: map[string]map[string]bool{}}
	for i, at := range places {
		t.of[i] = s.saversOf(ctx, at.Root)
	}
	return t
}

// saved says who saved a memory of a root.
func (t team) saved(root files.Root, path, newBy string) saver {
	i := slices.IndexFunc(t.places, func(p place) bool { return p.Is(root) })
	if i < 0 || len(t.of[i]) == 0 {
		return saver{}
	}
	if by, found := t.of[i][path]; found {
		return by
	}
	switch {
	case newBy != "" || root.ReadOnly():
		return saver{Kind: "unknown"}
	case t.byAgent(root)[path]:
		return saver{Kind: "agent"}
	}
	return saver{Kind: "you"}
}

// byAgent returns the memories of a root that the record of injections says an agent saved.
func (t team) byAgent(root files.Root) map[string]bool {
	saved, read := t.agents[root.Path]
	if !read {
		saved = map[string]bool{}
		record, _ := observe.ReadVerdicts(root) // without it nobody knows of an agent
		for _, in := range record {
			for _, path := range in.Memories {
				saved[path] = saved[path] || in.Use == observe.Saved
			}
		}
		t.agents[root.Path] = saved
	}
	return saved
}

// choices are the people who saved memories, those with most first.
func (t team) choices(chosen string) (list []choice) {
	count := map[string]int{}
	for _, of := range t.of {
		for _, by := range of {
			count[by.Name]++
		}
	}
	for name := range count {
		list = append(list, choice{Value: name, Label: name, Chosen: name == chosen})
	}
	slices.SortFunc(list, func(a, b choice) int {
		return cmp.Or(count[b.Value]-count[a.Value], cmp.Compare(a.Value, b.Value))
	})
	return list[:min(len(list), shownSavers)]
}
