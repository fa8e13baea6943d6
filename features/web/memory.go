package web

import (
	"context"
	"slices"
	"strings"
	"time"

	"memctl/features/git/versions"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
)

const (
	// maxUses is how many injections of a memory its page lists.
	maxUses = 10
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
	History  []schemas.Change // the last first
	Commits  []versions.Revision
	Events   []retrieve.Event
	Uses     []observe.Injection // the last first
	UseCount int
	Moves    []string // what may be done with it
	Withheld bool
	Open     []schemas.Conflict // of which a merge left two sides
	Conflict *conflict          // what has changed since the page was shown that a change came from
}

// movesFrom returns the changes of a status that are offered.
func movesFrom(status schemas.Status) []string {
	switch status {
	case schemas.Retired:
		return []string{"restore"}
	case schemas.Archived:
		return []string{"unarchive"}
	}
	return []string{"archive", "retire"}
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
		matches := placesNamed(slices.Concat(places, projectsBeside(places)), name)
		if matches[0].Name != name {
			return errNoPage
		}
		at, folder = matches[0], rest
	}
	return useRoot(v.Context(), at.Root, func(source retrieve.Source) error {
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
	path string
	data []byte
	err  error
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
		return &unreadable{at.ShownPath(path), data, decodeErr}
	}
	return err
}

func (s *Server) memory(v *visit) (answer, error) { return s.memoryAnswer(v, nil) }

// memoryAnswer is the page of a memory, with a conflict if a change met one.
func (s *Server) memoryAnswer(v *visit, c *conflict) (answer, error) {
	p := memoryPage{Conflict: c}
	err := s.find(v, func(m stored, source retrieve.Source) error {
		p.stored = m
		if timeline, err := source.Alone().Timeline(v.Context(), m.Ref, window); err == nil { // else it has no date
			p.Events = timeline.Events
		}
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	p.Open = openConflicts(p.Place.Root, p.Ref.Path)
	p.Moves, p.Withheld = movesFrom(p.Memory.RecordStatus), withheld(string(p.Detail.Stored))
	p.History = slices.Clone(p.Memory.Changes)
	slices.Reverse(p.History)
	if injections, err := observe.ReadRecord(p.Place.Root); err == nil { // else there is no record
		p.Uses = injectionsOf(injections, p.Ref.Path)
		p.UseCount = len(p.Uses)
		slices.Reverse(p.Uses)
		p.Uses = p.Uses[:min(len(p.Uses), maxUses)]
	}
	ctx, cancel := context.WithTimeout(v.Context(), gitTimeout)
	defer cancel()
	p.Commits, _ = versions.Revisions(ctx, p.Place.Root, p.Ref.Path, maxCommits) // most roots without git have none
	return answer{page: "memory", title: p.Memory.Title, data: &p}, nil
}
