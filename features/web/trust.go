package web

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/files"
	"memctl/files/trust"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

const (
	// shownNew is how many new memories the page shows at once, and shownNewBytes how large their files may be.
	shownNew      = 50
	shownNewBytes = 256 << 10
)

// errNotAPerson is the error of an answer through a server that an agent's shell has started.
var errNotAPerson = errors.New("an agent's shell runs these pages: run memctl trust, or memctl ui, in a shell of " +
	"your own")

// trustPage has the memories by others that the person has not seen.
type trustPage struct {
	Rows    []newRow
	Left    int // that are not shown
	Waiting int // proposals of agents
}

// newRow is such a memory, with all that a person judges it by.
type newRow struct {
	trust.New
	memoryPage
	Forbids []string // commands
	Origin  string   // of an import
	Next    string   // the part of the page that takes its place
}

// newNow lists the new memories of the first root. The others are the person's own, or only read.
func (s *Server) newNow(ctx context.Context, depth store.Depth) ([]trust.New, error) {
	return store.At(s.Root, store.Options{Depth: depth}).NewNow(ctx, s.Root)
}

// trustPage is the page on which new memories are looked through.
func (s *Server) trustPage(v *visit) (answer, error) {
	depth, done := s.compared.depth([]files.Root{s.Root})
	list, err := s.newNow(v.Context(), depth)
	if done(err); err != nil {
		return answer{}, err
	}
	s.needs.recount(newKey, len(list))
	p, size := trustPage{Waiting: s.proposed()}, 0
	for i, n := range list {
		m := storedAt(place{Root: s.Root}, n.Path)
		if m == nil || trust.Content(m.Detail.Stored) != n.Content {
			continue // it has changed a moment ago
		}
		size += len(m.Detail.Stored)
		if len(p.Rows) == shownNew || size > shownNewBytes && len(p.Rows) > 0 {
			p.Left = len(list) - i
			break
		}
		row := rowOfNew(n, m)
		if last := len(p.Rows) - 1; last >= 0 {
			p.Rows[last].Next, row.Next = "#new-"+n.Content, "#new-"+p.Rows[last].Content
		}
		p.Rows = append(p.Rows, row)
	}
	return answer{page: "trust", title: v.t("nav.trust"), data: p}, nil
}

func rowOfNew(n trust.New, m *stored) newRow {
	m.Memory, _ = schemas.Decode(m.Detail.Stored) // the index has it, so it is a memory
	m.Memory.Category, _ = schemas.CategoryOfPath(n.Path)
	row := newRow{New: n, memoryPage: memoryPage{stored: *m}, Forbids: forbidden(&m.Memory), Next: "#new"}
	row.LeadName, row.Lead = lead(&m.Memory)
	for _, change := range m.Memory.Changes {
		if from, found := files.OriginIn(change); found {
			row.Origin = text.OneLine(from.Source, maxLine)
		}
	}
	return row
}

// trust makes new memories count as seen that the page has shown, as they are now.
func (s *Server) trust(v *visit) (answer, error) {
	if clients.InAgentShell() {
		return answer{}, errNotAPerson
	}
	list, err := s.newNow(v.Context(), store.Full)
	if err != nil {
		return answer{}, err
	}
	var seen []string
	for _, m := range list {
		if slices.Contains(v.PostForm["content"], m.Content) {
			seen = append(seen, m.Content)
		}
	}
	if err := trust.Add(seen...); err != nil {
		return answer{}, err
	}
	return v.back(answer{goTo: with("/trust", "note", s.notice(v.t("new.seen", len(seen))))}), nil
}

// back leads an answer to the place that its form names: a list of memories, or a row of the page of new ones.
func (v *visit) back(a answer) answer {
	_, note, _ := strings.Cut(a.goTo, "?note=")
	switch place := v.PostFormValue("back"); {
	case strings.HasPrefix(place, "?"):
		a.goTo = with("/memories"+place, "note", note)
	case strings.HasPrefix(place, "#"):
		a.goTo = with("/trust"+place, "note", note)
	}
	return a
}
