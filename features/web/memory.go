package web

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

const (
	// window is how many events a page shows before and after a memory's own.
	window = 5
	// gitTimeout is how long git may take for the history of a memory.
	gitTimeout = 3 * time.Second
	// maxCommits is how many commits of a memory its page lists.
	maxCommits = 20
)

// memoryPage is all of one memory.
type memoryPage struct {
	stored
	Lead     string           // the text that carries it, "" if its title says all of it
	LeadName string           // the field of that text, "" for none
	History  []schemas.Change // the last first
	Commits  []committed
	Related  []retrieve.Relation
	Given    givenTo
	Saved    saver
	Moves    []string // what may be done with it, the first by enter
	Withheld bool
	Open     *sides    // that a merge left, nil for none
	Conflict *conflict // what has changed since the page was shown that a change came from
}

// leadFields are the fields that carry a memory, by its category.
var leadFields = map[schemas.Category]string{
	schemas.Decision: "decision", schemas.Constraint: "rule", schemas.Preference: "value",
	schemas.Runbook: "trigger", schemas.TechDebt: "description", schemas.SessionSummary: "goal",
}

// isFact has the fields that say one word of a fixed list, or a day.
var isFact = map[string]bool{
	"status": true, "outcome": true, "kind": true, "severity": true, "strength": true, "priority": true, "active": true,
	"expires": true,
}

// lead returns the text that carries a memory with its field. The text is "" if the title says the same, and the field
// is "" if the memory has no such text.
func lead(m *schemas.Memory) (field, carrying string) {
	field = leadFields[m.Category]
	carrying, isText := m.ContentValues()[field].(string)
	switch {
	case !isText:
		return "", ""
	case slices.Equal(text.WordsAsWritten(carrying), text.WordsAsWritten(m.Title)):
		return field, ""
	}
	return field, carrying
}

// Sections are the fields of the content below the text that carries the memory. Facts are one word each.
func (p *memoryPage) Sections(facts bool) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for name, value := range p.Memory.ContentFields() {
			_, nested := value.(map[string]any)
			if name == p.LeadName || (isFact[name] && !nested) != facts || !hasValue(value) {
				continue
			}
			if !yield(name, value) {
				return
			}
		}
	}
}

// stored is a memory with its file.
type stored struct {
	Place  place
	Ref    retrieve.Ref
	Detail retrieve.Detail
	Memory schemas.Memory
}

// Address is where the memory's page is, below the base.
func (m stored) Address() string { return m.Place.address(m.Ref.Path) }

// Link is where the page of another memory of the same root is, below the base.
func (m stored) Link(category, id string) string { return m.Place.address(category + "/" + id) }

// find returns the memory that an address names and passes it to use, with its index. The
// index says where the file is.
func (s *Server) find(v *visit, use func(stored, retrieve.Source) error) error {
	places, folder := s.places(), v.PathValue("folder")
	at := places[0]
	if name, rest, found := strings.Cut(folder, ":"); found {
		if at, found = placeNamed(slices.Concat(places, projectsBeside(places)), name); !found {
			return errNoPage
		}
		folder = rest
	}
	return s.useRoot(v.Context(), at.Root, func(source retrieve.Source) error {
		m := stored{Place: at}
		var err error
		if m.Ref, err = source.Alone().LookupMemory(v.Context(), folder+":"+v.PathValue("id")); err != nil {
			return orUnreadable(at, folder, v.PathValue("id"), err)
		}
		if m.Detail, err = source.Alone().Detail(v.Context(), m.Ref); err != nil {
			return err
		}
		if m.Memory, err = schemas.Decode(m.Detail.Stored); err != nil {
			return err
		}
		category, _ := schemas.CategoryOfPath(m.Ref.Path)
		m.Memory.Complete(category, m.Ref.ID)
		if err = (retrieve.Sources{source}).Recount(v.Context(), m.Ref, &m.Memory); err != nil {
			return err
		}
		s.shown.put(m.Detail.Hash, m.Detail.Stored)
		return use(m, source)
	})
}

// unreadable is the error of a file that is no memory: it is damaged, or git left a conflict in it.
type unreadable struct {
	path  string
	data  []byte
	err   error
	at    place
	below string // the root
}

func (e *unreadable) Error() string { return e.path + " cannot be read as a memory: " + e.err.Error() }

func (e *unreadable) Hint() string {
	return "Mend the file in an editor, or bring an earlier version back with git. memctl changes nothing in it."
}

// orUnreadable is the error of a memory that was not found: that of its file, if there is one.
func orUnreadable(at place, folder, id string, err error) error {
	path := folder + "/" + id + ".json"
	if !observe.HasPlainID(path) {
		return err
	}
	data, readErr := at.ReadFile(path)
	if _, decodeErr := schemas.Decode(data); readErr == nil && decodeErr != nil {
		return &unreadable{at.ShownPath(path), data, decodeErr, at, path}
	}
	return err
}

func (s *Server) memory(v *visit) (answer, error) { return s.memoryAnswer(v, nil) }

// memoryAnswer is the page of a memory, with a conflict if a change met one.
func (s *Server) memoryAnswer(v *visit, c *conflict) (answer, error) {
	p := memoryPage{Conflict: c}
	err := s.find(v, func(m stored, source retrieve.Source) error {
		p.stored = m
		if record, err := observe.ReadVerdicts(m.Place.Root); err == nil { // else there is no record
			p.Given = givenOf(record, m.Ref.Path, m.Memory.ShowsBreach())
		}
		if m.Place.Is(s.Root) { // the only one with pages of sessions
			s.name(v, p.Given.Sessions)
		}
		var err error
		p.Related, err = related(v.Context(), m, source)
		return err
	})
	if broken := new(unreadable); errors.As(err, &broken) {
		return s.marked(v, broken)
	}
	if err != nil {
		return answer{}, err
	}
	if open := p.Place.ConflictsOf(p.Ref.Path, p.Detail.Stored); len(open) > 0 {
		p.Open = sidesOf(p.Place, p.Ref.Path, p.Detail.Stored, open)
	}
	p.Moves, p.Withheld = movesFrom(p.Memory.RecordStatus), withheld(string(p.Detail.Stored))
	p.LeadName, p.Lead = lead(&p.Memory)
	p.History = slices.Clone(p.Memory.Changes)
	slices.Reverse(p.History)
	p.Commits = commits(v.Context(), p.stored)
	p.Saved = s.team(v.Context(), []place{p.Place}).saved(p.Place.Root, p.Ref.Path, p.Detail.NewBy)
	return answer{page: "memory", title: p.Memory.Title, data: &p}, nil
}

// aroundPage tells what happened around a memory. The page of the memory asks for it by itself: in a large store it
// takes a moment.
type aroundPage struct {
	stored
	Events []retrieve.Event
}

func (s *Server) around(v *visit) (answer, error) {
	var p aroundPage
	err := s.find(v, func(m stored, source retrieve.Source) error {
		p.stored = m
		timeline, _ := source.Alone().Timeline(v.Context(), m.Ref, window) // else it has no date
		p.Events = timeline.Events
		return nil
	})
	return answer{page: "around", title: p.Memory.Title, data: p}, err
}

// related returns the memories that a memory is related to: those that say so, then those that name it, and at the end
// those with a similar title.
func related(ctx context.Context, m stored, source retrieve.Source) ([]retrieve.Relation, error) {
	same := func(a, b retrieve.Relation) bool { return a.ID != "" && a.Category == b.Category && a.ID == b.ID }
	supersedes := func(r retrieve.Relation) bool { return strings.HasPrefix(r.Kind, "supersede") }
	others := slices.DeleteFunc(slices.Clone(m.Detail.Relations), supersedes)
	list := slices.DeleteFunc(slices.Clone(m.Detail.Relations),
		func(r retrieve.Relation) bool { return !supersedes(r) })
	named, err := source.NamedBy(ctx, m.Ref)
	if err != nil {
		return nil, err
	}
	// That a memory names another says more than what both have in common.
	list = slices.Concat(list, without(named, list, same), without(others, named, same))
	alike, err := source.AlikeInTitle(ctx, m.Ref, m.Memory.Title)
	return append(list, without(alike, list, same)...), err
}

// without returns the entries of a list that are not in another.
func without[T any](list, other []T, same func(a, b T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(a T) bool {
		return slices.ContainsFunc(other, func(b T) bool { return same(a, b) })
	})
}
