package web

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"slices"
	"strconv"

	"memctl/clients"
	"memctl/features/exchange"
	"memctl/features/proposals"
	"memctl/schemas"
	"memctl/store"
	"memctl/writer"
)

const (
	// shownProposals and shownItems are how many a page shows at once.
	shownProposals = 50
	shownItems     = 200
)

// waitingPage has the proposals of agents, and the items of the work list of imports.
type waitingPage struct {
	Proposals []proposalRow
	Count     int  // of all proposals
	Reviewed  bool // capture.review is on
	Items     []*exchange.WorkItem
	Waits     int // items that wait
	Left      int // items that are not shown
}

// proposalRow is a proposal as the page shows it.
type proposalRow struct {
	*proposals.Proposal
	At        string // begins the address of each answer
	Root      string // whose it is, "" for the first root's
	URL       string // of the memory that it changes, "" for a new one
	Changes   []schemas.Difference
	Problem   string // why it was not taken
	Duplicate *memoryLink
}

// waiting is the page.
func (s *Server) waiting(v *visit) (answer, error) { return s.waitingAnswer(v, http.StatusOK, nil) }

// waitingAnswer is the page, on which mark says why a proposal was not taken.
func (s *Server) waitingAnswer(v *visit, status int, mark func(*proposalRow)) (answer, error) {
	p := waitingPage{Reviewed: v.config.Capture.Review}
	for _, at := range slices.DeleteFunc(s.places(), place.ReadOnly) {
		list, err := proposals.Read(at.Root)
		if err != nil {
			return answer{}, err
		}
		p.Count += len(list.Waiting)
		for _, one := range list.Waiting[:min(len(list.Waiting), shownProposals-len(p.Proposals))] {
			row := s.rowOf(v, at, one)
			if mark != nil {
				mark(&row)
			}
			p.Proposals = append(p.Proposals, row)
		}
	}
	work, err := exchange.ReadWorklist(s.Root)
	if err != nil {
		return answer{}, err
	}
	waits := func(item *exchange.WorkItem) bool { return item.State == exchange.Waiting }
	p.Items = slices.DeleteFunc(slices.Clone(work.Items), func(item *exchange.WorkItem) bool { return !waits(item) })
	p.Waits = len(p.Items)
	p.Items = append(p.Items, slices.DeleteFunc(work.Items, waits)...)
	p.Left = max(0, len(p.Items)-shownItems)
	p.Items = p.Items[:len(p.Items)-p.Left]
	return answer{page: "waiting", title: v.t("nav.waiting"), data: p, status: status}, nil
}

// proposalAt begins the address of each answer to a proposal, below the base.
func proposalAt(at place, p *proposals.Proposal) string {
	return "/waiting/" + at.Name + "/" + strconv.Itoa(p.Number) + "/"
}

// rowOf is a proposal of a root as the page shows it.
func (s *Server) rowOf(v *visit, at place, p *proposals.Proposal) proposalRow {
	row := proposalRow{Proposal: p, At: proposalAt(at, p)}
	if !at.Is(s.Root) {
		row.Root = at.label(v.lang)
	}
	if p.Action == "created" {
		return row
	}
	row.URL = at.address(p.Path)
	if p.Action == "updated" {
		var err error
		if row.Changes, err = p.Differences(at.Root); err != nil {
			row.Problem = err.Error()
		}
	}
	return row
}

// Fields are the fields of a new memory.
func (r proposalRow) Fields() iter.Seq2[string, any] {
	if r.Action != "created" {
		return func(func(string, any) bool) {}
	}
	m := r.Decoded()
	return m.ContentFields()
}

// proposalNamed returns the proposal of an address, for a person alone.
func (s *Server) proposalNamed(v *visit) (at place, p *proposals.Proposal, err error) {
	if clients.InAgentShell() {
		return at, nil, errNotAPerson
	}
	if at, err = s.placeFor(v.PathValue("place")); err != nil {
		return at, nil, err
	}
	list, err := proposals.Read(at.Root)
	if err != nil {
		return at, nil, err
	}
	number, _ := strconv.Atoi(v.PathValue("number")) // 0 names no item
	if p, err = list.Find(number); err != nil {
		err = errAnswered
	}
	return at, p, err
}

// take makes a change that an agent proposed.
func (s *Server) take(v *visit) (answer, error) {
	at, p, err := s.proposalNamed(v)
	if err != nil {
		return answer{}, err
	}
	before := storedAt(at, p.Path)
	a, err := s.change(at.Root, func(st *store.Store, _ *writer.Writer) (outcome, error) {
		saved, err := proposals.Take(v.Context(), st, at.Root, p.Number, policyOf(v), nil)
		if err != nil {
			return outcome{}, err
		}
		if p.Action == "created" {
			before = nil
		}
		m := s.saved(v, at, before, p.Category(), saved)
		m.page, m.before = "/waiting", "/waiting"
		return m.undoing(func(ctx context.Context, _ *writer.Writer) error {
			return proposals.PutBack(ctx, at.Root, p)
		}), nil
	})
	duplicate, refused := new(store.DuplicateError), new(writer.Error)
	if err == nil || !errors.As(err, &duplicate) && !errors.As(err, &refused) {
		return a, err
	}
	return s.waitingAnswer(v, http.StatusConflict, func(row *proposalRow) {
		switch {
		case row.At != proposalAt(at, p):
		case errors.As(err, &duplicate):
			row.Duplicate = knownOf(at, duplicate)
		default:
			row.Problem = reason(v.lang, err)
		}
	})
}

// storedAt is the memory at a path of a root, nil if there is none.
func storedAt(at place, path string) *stored {
	data, err := at.ReadFile(path)
	if err != nil {
		return nil
	}
	m := &stored{Place: at}
	m.Ref.Path, m.Detail.Stored, m.Detail.Hash = path, data, hashOf(data)
	return m
}

// drop removes a proposal.
func (s *Server) drop(v *visit) (answer, error) {
	at, p, err := s.proposalNamed(v)
	if err != nil {
		return answer{}, err
	}
	return s.change(at.Root, func(*store.Store, *writer.Writer) (outcome, error) {
		m := outcome{page: "/waiting", before: "/waiting", notes: []string{v.t("proposal.dropped", p.Title)}}
		m.undo = func(ctx context.Context, _ *writer.Writer) error { return proposals.PutBack(ctx, at.Root, p) }
		return m, proposals.Drop(v.Context(), at.Root, []int{p.Number}, v.PostFormValue("reason"))
	})
}

// settleItem settles an item of the work list that is no memory.
func (s *Server) settleItem(v *visit) (answer, error) {
	number, _ := strconv.Atoi(v.PathValue("item")) // 0 is none
	_, _, err := exchange.SettleItems(v.Context(), s.Root, []string{strconv.Itoa(number)}, v.PostFormValue("reason"))
	if err != nil {
		return answer{}, err
	}
	return answer{goTo: with("/waiting#work", "note", s.notice(v.t("work.settled", number)))}, nil
}

// ofItem is the form of a memory that is made of an item of the work list; an empty one for "".
func (s *Server) ofItem(number string) (p newPage, err error) {
	if number == "" {
		return p, nil
	}
	list, err := exchange.ReadWorklist(s.Root)
	if err != nil {
		return p, err
	}
	n, _ := strconv.Atoi(number) // 0 is none
	item, err := list.Item(n)
	if err != nil {
		return p, errNoPage
	}
	return newPage{Text: item.Text, From: n, Place: item.Where()}, nil
}

// noteOf is the note of a form, and what settles the item of the work list that it is made of.
func (s *Server) noteOf(p newPage) (n store.Note, settle func(context.Context, string) error, err error) {
	n = store.Note{Text: p.Text, Given: &schemas.Memory{}}
	if p.From == 0 {
		return n, func(context.Context, string) error { return nil }, nil
	}
	origin, settle, err := exchange.TakeWorkItem(s.Root, p.From)
	n.Given.Changes = []schemas.Change{origin}
	return n, settle, err
}
