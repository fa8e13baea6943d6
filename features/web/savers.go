package web

import (
	"cmp"
	"context"
	"slices"
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

// saversOf has the people who saved the memories of a root, by their paths below it, at a commit.
type saversOf struct {
	head   string
	done   chan struct{} // closed when git has answered
	byPath map[string]saver
}

// saversOf returns who saved the memories of a root: nobody outside of git, and while git looks.
func (s *Server) saversOf(ctx context.Context, root files.Root) map[string]saver {
	if !git.InRepository(root.Path) {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, saversWait)
	defer stop()
	head := git.Head(ctx, root.Path)
	if head == "" {
		return nil
	}
	of := s.savers.update(root.Path, func(of *saversOf) *saversOf {
		if of == nil || of.head != head {
			of = &saversOf{head: head, done: make(chan struct{})}
			go s.findSavers(context.WithoutCancel(ctx), root, of)
		}
		return of
	})
	select {
	case <-of.done:
		return of.byPath
	case <-ctx.Done():
		return nil
	}
}

// findSavers asks git. Pages that did not wait are told.
func (s *Server) findSavers(ctx context.Context, root files.Root, of *saversOf) {
	began := time.Now()
	authors, _ := git.FirstAuthors(ctx, root.Path, of.head, saversTime) // as many as git finds in time
	log, _ := git.ReadReflog(ctx, root.Path, 0)                         // without one no commit is the person's own
	own := map[string]bool{}
	for _, a := range authors {
		own[a.Name] = own[a.Name] || a.Email != "" && a.Email == log.Email
	}
	of.byPath = map[string]saver{}
	paths, _ := root.MemoryPaths() // doctor names a folder that cannot be read
	for _, path := range paths {
		a := authors[path]
		if name := trust.AuthorName(a.Name); name != "" {
			of.byPath[path] = saver{Name: name, Date: a.Date, IsOwn: own[a.Name]}
		}
	}
	close(of.done)
	if time.Since(began) > saversWait {
		s.events.send()
	}
}

// team says who saved the memories of the places that a page shows.
type team []teamOf

type teamOf struct {
	place
	by       map[string]saver
	byAgents map[string]bool // the memories that agents saved, by the record; nil until it is read
}

// team asks for the people of some places.
func (s *Server) team(ctx context.Context, places []place) (t team) {
	for _, at := range places {
		t = append(t, teamOf{at, s.saversOf(ctx, at.Root), nil})
	}
	return t
}

// saved says who saved a memory of a root.
func (t team) saved(root files.Root, path, newBy string) saver {
	i := slices.IndexFunc(t, func(of teamOf) bool { return of.Is(root) })
	if i < 0 || len(t[i].by) == 0 {
		return saver{}
	}
	by, found := t[i].by[path]
	switch {
	case found:
		return by
	case newBy != "" || root.ReadOnly():
		return saver{Kind: "unknown"}
	case t[i].isAgents(path):
		return saver{Kind: "agent"}
	}
	return saver{Kind: "you"}
}

// isAgents reports whether the record of injections says that an agent saved a memory.
func (of *teamOf) isAgents(path string) bool {
	if of.byAgents == nil {
		of.byAgents = map[string]bool{}
		record, _ := observe.ReadVerdicts(of.Root) // without it nobody knows of an agent
		for _, in := range record {
			for _, saved := range in.Memories {
				of.byAgents[saved] = of.byAgents[saved] || in.Use == observe.Saved
			}
		}
	}
	return of.byAgents[path]
}

// choices are the people who saved memories, those with most first.
func (t team) choices(chosen string) (list []choice) {
	count := map[string]int{}
	for _, of := range t {
		for _, by := range of.by {
			if count[by.Name]++; count[by.Name] == 1 {
				list = append(list, choice{Value: by.Name, Label: by.Name, Chosen: by.Name == chosen})
			}
		}
	}
	slices.SortFunc(list, func(a, b choice) int {
		return cmp.Or(count[b.Value]-count[a.Value], cmp.Compare(a.Value, b.Value))
	})
	return list[:min(len(list), shownSavers)]
}
