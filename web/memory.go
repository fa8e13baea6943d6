package web

import (
	"context"
	"slices"
	"strings"
	"time"

	"memctl/git"
	"memctl/memdir"
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
	schemas.Memory
	Path     string // below the root
	Shown    string // as memctl shows it
	URL      string
	Hash     string
	Tokens   int
	Fields   []node
	History  []changeView // the last first
	Commits  []git.Revision
	Files    []relatedFile
	Groups   []relationGroup
	Events   []retrieve.Event
	Uses     []observe.Injection // the last first
	UseCount int
	Moves    []string // what may be done with it
	ReadOnly bool
	Withheld bool
	// Conflict says what has changed since the page was shown that a change came from.
	Conflict *conflict

	link func(path string) string
}

// Link is the address of another memory of the same root.
func (p memoryPage) Link(category, id string) string { return p.link(category + "/" + id) }

// relatedFile is a file that a memory names.
type relatedFile struct {
	Name string
	Gone bool
}

// relationGroup holds the relations of one kind.
type relationGroup struct {
	Kind      string
	Relations []retrieve.Relation
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
	place  place
	ref    retrieve.Ref
	detail retrieve.Detail
	memory schemas.Memory
}

// find returns the memory that an address names and passes it to use, with its index. The
// index says where the file is.
func (s *Server) find(v *visit, use func(stored, retrieve.Source) error) error {
	places, folder := s.places(), v.PathValue("folder")
	at := places[0]
	if name, rest, found := strings.Cut(folder, ":"); found {
		chosen := named(places, name)
		if chosen[0].Name != name {
			return errNoPage
		}
		at, folder = chosen[0], rest
	}
	return useRoot(v.Context(), at.Root, func(source retrieve.Source) error {
		m, err := s.read(v.Context(), source, folder+":"+v.PathValue("id"))
		if err != nil {
			return err
		}
		m.place = at
		return use(m, source)
	})
}

// read reads the memory that an id names.
func (s *Server) read(ctx context.Context, source retrieve.Source, id string) (m stored, err error) {
	if m.ref, err = source.Alone().LookupMemory(ctx, id); err != nil {
		return m, err
	}
	if m.detail, err = source.Alone().Detail(ctx, m.ref); err != nil {
		return m, err
	}
	if m.memory, err = schemas.Decode(m.detail.Stored); err != nil {
		return m, err
	}
	category, _ := schemas.CategoryOfPath(m.ref.Path)
	m.memory.Complete(category, m.ref.ID)
	s.shown.keep(m.detail.Stored)
	return m, nil
}

func (s *Server) memory(v *visit) (answer, error) {
	return s.memoryAnswer(v, nil)
}

// memoryAnswer is the page of a memory, with a conflict if a change met one.
func (s *Server) memoryAnswer(v *visit, c *conflict) (answer, error) {
	var p memoryPage
	var root memdir.Root
	err := s.find(v, func(m stored, source retrieve.Source) error {
		p, root = s.describe(v, m), m.place.Root
		if timeline, err := source.Alone().Timeline(v.Context(), m.ref, window); err == nil { // else it has no date
			p.Events = timeline.Events
		}
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	p.Conflict = c
	if injections, err := observe.ReadInjections(root); err == nil { // else there is no record
		p.Uses = injectionsOf(injections, p.Path)
		p.UseCount = len(p.Uses)
		slices.Reverse(p.Uses)
		p.Uses = p.Uses[:min(len(p.Uses), maxUses)]
	}
	ctx, cancel := context.WithTimeout(v.Context(), gitTimeout)
	defer cancel()
	p.Commits, _ = git.Revisions(ctx, root, p.Path, maxCommits) // most roots without git have none
	return answer{page: "memory", title: p.Title, data: p}, nil
}

// url is the address of a memory's page.
func (s *Server) url(m stored) string { return s.access.base + m.place.address(m.ref.Path) }

func (s *Server) describe(v *visit, m stored) memoryPage {
	p := memoryPage{
		Memory:   m.memory,
		Path:     m.ref.Path,
		Shown:    m.ref.Shown(),
		URL:      s.url(m),
		Hash:     m.detail.Hash,
		Tokens:   m.detail.TokenCount,
		Fields:   nodes(v.lang, m.memory),
		Moves:    movesFrom(m.memory.RecordStatus),
		ReadOnly: m.place.ReadOnly(),
		Withheld: withheld(string(m.detail.Stored)),
		link:     func(path string) string { return s.access.base + m.place.address(path) },
	}
	for _, file := range m.memory.RelatedFiles {
		p.Files = append(p.Files, relatedFile{file, m.place.Gone(file)})
	}
	for _, relation := range m.detail.Relations {
		last := len(p.Groups) - 1
		if last < 0 || p.Groups[last].Kind != relation.Kind {
			p.Groups = append(p.Groups, relationGroup{Kind: relation.Kind})
			last++
		}
		p.Groups[last].Relations = append(p.Groups[last].Relations, relation)
	}
	for _, change := range slices.Backward(m.memory.Changes) {
		p.History = append(p.History, viewOf(change))
	}
	return p
}

// node is a value of a memory's content.
type node struct {
	Label string
	Text  string
	List  []node // of a list or an object
	Plain bool   // the list is one of texts
}

// nodes returns the content of a memory, field by field.
func nodes(lang string, m schemas.Memory) []node {
	var list []node
	for name, value := range m.ContentFields() {
		if n := nodeOf(lang, value); n.Text != "" || n.List != nil {
			n.Label = fieldName(lang, name)
			list = append(list, n)
		}
	}
	return list
}

func nodeOf(lang string, value any) node {
	switch value := value.(type) {
	case nil:
		return node{}
	case string:
		return node{Text: value}
	case bool:
		if value {
			return node{Text: translate(lang, "yes")}
		}
		return node{Text: translate(lang, "no")}
	case []any:
		n := node{Plain: true}
		for _, item := range value {
			one := nodeOf(lang, item)
			n.Plain = n.Plain && one.List == nil
			n.List = append(n.List, one)
		}
		return n
	case map[string]any:
		var n node
		for _, name := range sortedKeys(value) {
			one := nodeOf(lang, value[name])
			one.Label = fieldName(lang, name)
			n.List = append(n.List, one)
		}
		return n
	}
	data, _ := schemas.EncodeJSON(value) // a number
	return node{Text: string(data)}
}

// sortedKeys puts what an alternative is before the reason why it was rejected.
func sortedKeys(object map[string]any) []string {
	var keys []string
	for key := range object {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, strings.Compare)
	return keys
}
