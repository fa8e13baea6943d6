package main

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
)

// memoryUses sums up the recorded injections of a root. It leaves out memories whose
// ids are not in memctl's form.
type memoryUses struct {
	Prompts  int         `json:"prompts"`  // that received a memory
	Sessions int         `json:"sessions"` // of these prompts; those without a session count as one
	First    string      `json:"first"`    // RFC 3339, "" without prompts
	Last     string      `json:"last"`
	Active   int         `json:"active"` // memories
	Unused   int         `json:"unused"` // active memories that no prompt received
	Memories []memoryUse `json:"memories"`
}

// memoryUse says how often prompts received a memory.
type memoryUse struct {
	ID       string         `json:"id"`
	Path     string         `json:"path"`
	Title    string         `json:"title"`  // "" if there is no such memory any more
	Status   schemas.Status `json:"status"` // likewise
	Prompts  int            `json:"prompts"`
	Sessions int            `json:"sessions"`
	Last     string         `json:"last"`
}

// sumUpInjections counts the injections of each memory, the most frequent first. items are all
// memories of the root.
func sumUpInjections(root memdir.Root, injections []observe.Injection, items []retrieve.Item) memoryUses {
	s := memoryUses{Prompts: len(injections), Memories: []memoryUse{}}
	sessions := map[string]bool{}
	for _, in := range injections {
		at := in.Time.UTC().Format(time.RFC3339)
		s.First, s.Last = cmp.Or(s.First, at), at
		sessions[in.Session] = true
	}
	s.Sessions = len(sessions)
	uses := usesByPath(root, injections)
	for _, m := range items {
		if !observe.HasPlainID(m.Path) {
			continue // it is not recorded
		}
		use := uses[m.Path]
		if use != nil {
			use.Title, use.Status = m.Title, m.Status
		}
		if m.Status == schemas.Active {
			s.Active++
			if use == nil {
				s.Unused++
			}
		}
	}
	for _, use := range uses {
		s.Memories = append(s.Memories, *use)
	}
	slices.SortFunc(s.Memories, func(a, b memoryUse) int {
		return cmp.Or(cmp.Compare(b.Prompts, a.Prompts), cmp.Compare(b.Last, a.Last), cmp.Compare(a.Path, b.Path))
	})
	return s
}

// usesByPath counts the injections of each memory, by its path below the root.
func usesByPath(root memdir.Root, injections []observe.Injection) map[string]*memoryUse {
	uses := map[string]*memoryUse{}
	type visit struct{ below, session string }
	seen := map[visit]bool{}
	for _, in := range injections {
		for _, below := range in.Memories {
			use := uses[below]
			if use == nil {
				use = &memoryUse{ID: strings.TrimSuffix(path.Base(below), ".json"), Path: root.Shown + "/" + below}
				uses[below] = use
			}
			use.Prompts++
			use.Last = in.Time.UTC().Format(time.RFC3339)
			if v := (visit{below, in.Session}); !seen[v] {
				seen[v] = true
				use.Sessions++
			}
		}
	}
	return uses
}
