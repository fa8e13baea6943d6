package web

import (
	"context"
	"errors"
	"iter"
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
	Memory   schemas.Memory
	Address  string // below the base
	Hash     string // of its file
	Lead     string
	leadName string
	Forbids  []string // commands
	Standing bool     // each session would start with it
	Origin   string   // of an import
	Next     string   // the part of the page that takes its place
}

// Key names the row on the page.
func (r newRow) Key() string { return "new-" + r.Content }

// Sections are the fields that the row does not begin with. Facts are one word each.
func (r newRow) Sections(facts bool) iter.Seq2[string, any] { return fieldsOf(&r.Memory, r.leadName, facts) }

// newNow lists the new memories of the first root. The others are the person's own, or only read.
func (s *Server) newNow(ctx context.Context) ([]trust.New, error) {
	return store.At(s.Root, store.Options{Depth: store.Full}).NewNow(ctx, s.Root)
}

// trustPage is the page on which new memories are looked through.
func (s *Server) trustPage(v *visit) (answer, error) {
	list, err := s.newNow(v.Context())
	if err != nil {
		return answer{}, err
	}
	s.needs.recount(newKey, len(list))
	p := trustPage{Waiting: s.proposed()}
	size := 0
	for i, n := range list {
		data, err := s.Root.ReadFile(n.Path)
		m, decodeErr := schemas.Decode(data)
		if err != nil || decodeErr != nil || trust.Content(data) != n.Content {
			continue // it has changed a moment ago
		}
		size += len(data)
		if len(p.Rows) == shownNew || size > shownNewBytes && len(p.Rows) > 0 {
			p.Left = len(list) - i
			break
		}
		p.Rows = append(p.Rows, s.newRow(n, m, hashOf(data)))
	}
	for i := range p.Rows {
		if i > 0 {
			p.Rows[i-1].Next = "#" + p.Rows[i].Key()
		}
		p.Rows[i].Next = "#" + p.Rows[max(i-1, 0)].Key() // alone it leads to nothing
	}
	return answer{page: "trust", title: v.t("nav.trust"), data: p}, nil
}

func (s *Server) newRow(n trust.New, m schemas.Memory, hash string) newRow {
	m.Category, _ = schemas.CategoryOfPath(n.Path)
	row := newRow{New: n, Memory: m, Address: place{Root: s.Root}.address(n.Path), Hash: hash,
		Forbids: m.Forbidden(), Standing: m.IsStandingRule()}
	row.leadName, row.Lead = lead(&m)
	slices.Sort(row.Forbids)
	row.Forbids = slices.Compact(row.Forbids)
	for _, change := range m.Changes {
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
	list, err := s.newNow(v.Context())
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
	key := secret()
	s.notices.put(key, []string{v.t("new.seen", len(seen))})
	return v.back(answer{goTo: "/trust?note=" + key}), nil
}

// back leads an answer to the place that its form names: a list of memories, or a row of the page of new ones.
func (v *visit) back(a answer) answer {
	_, note, _ := strings.Cut(a.goTo, "?")
	switch place := v.PostFormValue("back"); {
	case strings.HasPrefix(place, "?"):
		a.goTo = "/memories?" + strings.TrimPrefix(strings.TrimPrefix(place, "?")+"&"+note, "&")
	case strings.HasPrefix(place, "#"):
		a.goTo = "/trust?" + note + place
	}
	return a
}
