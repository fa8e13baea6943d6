package web

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/features/exchange"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

const (
	// pageSize is how many memories one page lists.
	pageSize = 50
	// maxQuery is how many bytes of words are searched for.
	maxQuery = 2000
	// shownTags is how many tags are offered as filters.
	shownTags = 16
	// shownProjects is how many other projects can be chosen.
	shownProjects = 50
)

// ages are the values of the filter by age, in the form of schemas.ParseSince.
var ages = []string{"7d", "30d", "90d", "365d"}

// memoriesPage is the list of memories.
type memoriesPage struct {
	selection
	Rows        []memoryRow
	First, Last int // of the rows, from 1
	Total       int
	New         bool // some rows are new to the person
	Next        bool
	Typed       retrieve.Typed
	Counts      map[schemas.Category]int
	Tags        []retrieve.TagCount
	Roots       []choice // if there are several
	Projects    []choice // that can be chosen too
	People      []choice // who saved memories, if git knows
}

// memoryRow is a memory of the list.
type memoryRow struct {
	retrieve.Entry
	Root    string // names a root that is not the first
	Summary string // of a result of a search
	Address string // below the base
	Hash    string // of the file of a memory that can be retired from the list
	Saved   saver
}

// choice is an option of an input.
type choice struct {
	Value, Label string
	Chosen       bool
}

// selection holds the filters in the address of the list.
type selection struct {
	values            url.Values
	Query, Tag, Since string
	Category, Status  string
	Root, Who         string
	Sort              string
	Page              int
}

func readSelection(v url.Values) selection {
	s := selection{
		values:   v,
		Query:    strings.TrimSpace(text.Truncate(v.Get("q"), maxQuery)),
		Tag:      text.Lower(strings.TrimSpace(v.Get("tag"))),
		Since:    v.Get("since"),
		Category: v.Get("category"),
		Status:   cmp.Or(v.Get("status"), string(schemas.Active)),
		Root:     v.Get("root"),
		Who:      v.Get("who"),
		Sort:     v.Get("sort"),
	}
	if !slices.Contains(retrieve.SortNames, s.Sort) {
		s.Sort = retrieve.SortNames[0]
	}
	s.Page, _ = strconv.Atoi(v.Get("page"))
	s.Page = min(max(s.Page, 1), 1_000_000/pageSize)
	return s
}

// With is the address of the list with one value changed.
func (s selection) With(name, value string) string {
	changed := url.Values{}
	for key, list := range s.values {
		if key != "page" && key != "note" {
			changed[key] = list
		}
	}
	if value == "" {
		changed.Del(name)
	} else {
		changed.Set(name, value)
	}
	return "?" + changed.Encode()
}

// At is the address of another page of the list.
func (s selection) At(page int) string { return s.With("page", strconv.Itoa(page)) }

// Filtered reports whether the list leaves out active memories.
func (s selection) Filtered() bool {
	return s.Query+s.Tag+s.Since+s.Category+s.Root+s.Who != "" || s.Status != string(schemas.Active)
}

// filter returns the filter, with a limit that reaches the next page.
func (s selection) filter(now time.Time) retrieve.Filter {
	f := retrieve.Filter{Tag: s.Tag, Limit: s.Page*pageSize + 1}
	if since, ok := schemas.ParseSince(s.Since, now); ok {
		f.Since = since
	}
	if s.Category != "" {
		f.Categories = []schemas.Category{schemas.Category(s.Category)}
	}
	if s.Status != "all" {
		f.Statuses = []schemas.Status{schemas.Status(s.Status)}
	}
	return f
}

func (s *Server) memories(v *visit) (answer, error) {
	places := s.places()
	projects := projectsBeside(places)
	l := listing{v: v, places: slices.Concat(places, projects)}
	l.selection = readSelection(v.URL.Query())
	if len(l.places) > 1 {
		l.Roots = append([]choice{{Label: v.t("status.all")}}, rootChoices(v.lang, places, l.Root)...)
		l.Projects = rootChoices(v.lang, projects, l.Root)
	}
	if one, found := placeNamed(l.places, l.Root); found {
		places = []place{one}
	}
	l.team = s.team(v.Context(), places)
	l.People = l.team.choices(l.Who)
	searcher := s.searcher(v)
	err := s.ask(v.Context(), rootsOf(places), func(sources retrieve.Sources) (err error) {
		l.Rows, l.New, l.Total = nil, false, 0 // after a repair of an index this runs again
		filter := l.filter(time.Now())
		if l.Query != "" {
			return l.search(searcher, sources, filter)
		}
		if l.Who != "" {
			return l.listBy(sources, filter)
		}
		if err := l.list(sources, filter); err != nil {
			return err
		}
		return l.count(sources, filter)
	})
	return answer{page: "memories", title: v.t("nav.memories"), data: l.memoriesPage}, err
}

// listing makes the list of memories for a visit.
type listing struct {
	memoriesPage
	v      *visit
	places []place
	team   team
}

// add adds a memory to the list.
func (l *listing) add(root files.Root, row memoryRow) {
	at := placeOf(l.places, root)
	row.Address, row.Saved = at.address(row.Path), l.team.saved(root, row.Path, row.NewBy)
	if data, err := root.ReadFile(row.Path); err == nil && row.Status == schemas.Active && !root.ReadOnly() {
		row.Hash = hashOf(data)
	}
	l.New = l.New || row.NewBy != "" && root.Is(l.places[0].Root)
	if at.prefix != "" {
		row.Root = at.label(l.v.lang)
	}
	l.Rows = append(l.Rows, row)
}

// search ranks as memctl search does. What the filters count is not narrowed by category and tag.
func (l *listing) search(searcher retrieve.Searcher, sources retrieve.Sources, f retrieve.Filter) error {
	wide := retrieve.Filter{Statuses: f.Statuses, Since: f.Since, Limit: retrieve.Every}
	q, results, err := searcher.Search(l.v.Context(), sources, l.Query, wide)
	if err != nil {
		return err
	}
	l.choose(results, f)
	l.Typed.Words = retrieve.WordsOf(l.Query)
	l.Typed.Corrected, err = sources.Corrected(l.v.Context(), q)
	return err
}

func (l *listing) list(sources retrieve.Sources, f retrieve.Filter) error {
	items, err := sources.List(l.v.Context(), f, l.Sort)
	l.show(resultsOf(items))
	return err
}

func resultsOf(items []retrieve.ListEntry) []retrieve.Result {
	results := make([]retrieve.Result, len(items))
	for i, m := range items {
		results[i] = retrieve.Result{Entry: m.Entry, Root: m.Root}
	}
	return results
}

// listBy is list for the memories that one person saved, which no index knows.
func (l *listing) listBy(sources retrieve.Sources, f retrieve.Filter) error {
	items, err := sources.List(l.v.Context(), retrieve.Filter{Statuses: f.Statuses, Since: f.Since}, l.Sort)
	l.choose(resultsOf(items), f)
	return err
}

// choose lists a part of some memories: those that the filters leave of those that the chosen person saved.
func (l *listing) choose(results []retrieve.Result, f retrieve.Filter) {
	results = slices.DeleteFunc(results, func(r retrieve.Result) bool {
		return l.Who != "" && l.team.saved(r.Root, r.Path, "").Name != l.Who
	})
	l.Counts, l.Tags = retrieve.Facets(results, shownTags)
	results = slices.DeleteFunc(results, func(r retrieve.Result) bool { return !f.Selects(r.Entry) })
	l.Total = len(results)
	l.show(results)
}

// show lists the part of some memories that is on the page.
func (l *listing) show(results []retrieve.Result) {
	from, until := (l.Page-1)*pageSize, min(len(results), l.Page*pageSize)
	l.First, l.Last, l.Next = from+1, until, len(results) > until
	for _, r := range results[min(from, until):until] {
		row := memoryRow{Entry: r.Entry}
		if l.Query+l.Who != "" {
			row.Summary = r.Summary()
		}
		l.add(r.Root, row)
	}
}

// count fills in how many memories there are. What the filters count is not narrowed by
// category and tag.
func (l *listing) count(sources retrieve.Sources, f retrieve.Filter) error {
	wide := retrieve.Filter{Statuses: f.Statuses, Since: f.Since, Limit: shownTags}
	var err error
	if l.Counts, err = sources.Count(l.v.Context(), wide); err != nil {
		return err
	}
	if l.Tags, err = sources.CountTags(l.v.Context(), wide); err != nil {
		return err
	}
	listed := l.Counts
	if l.Category != "" || l.Tag != "" {
		listed, err = sources.Count(l.v.Context(), f)
	}
	for _, n := range listed {
		l.Total += n
	}
	return err
}

// place is a root whose memories the pages show.
type place struct {
	files.Root
	Name   string // that addresses have for it: project, user, other, other-2
	prefix string // of the folder in the address of a memory; "" for the first root
}

// places returns the roots that a question is asked of, the server's first. It leaves out
// those that cannot be used, which doctor names.
func (s *Server) places() []place {
	places := []place{{Root: s.Root, Name: s.Root.Scope.String()}}
	roots, _ := store.At(s.Root, store.Options{Notes: exchange.Notes}).Roots()
	others := 0
	for _, root := range roots {
		if root.Is(s.Root) {
			continue
		}
		name := root.Scope.String()
		if root.Scope == files.OtherScope {
			if others++; others > 1 {
				name += "-" + strconv.Itoa(others)
			}
		}
		places = append(places, place{root, name, name + ":"})
	}
	return places
}

// projectsBeside returns the other projects that memctl knows. Their memories are shown where one is chosen, and only
// read.
func projectsBeside(places []place) (projects []place) {
	roots, _ := store.Catalogue{}.Projects(rootsOf(places), shownProjects) // without the list there are none
	for _, root := range roots {
		name := "at-" + keyOf(root.Path)
		projects = append(projects, place{root, name, name + ":"})
	}
	return projects
}

// rootsOf returns the roots of places.
func rootsOf(places []place) []files.Root {
	roots := make([]files.Root, len(places))
	for i, p := range places {
		roots[i] = p.Root
	}
	return roots
}

func placeNamed(places []place, name string) (p place, found bool) {
	i := slices.IndexFunc(places, func(p place) bool { return p.Name == name })
	return places[max(i, 0)], i >= 0
}

// placeOf returns the place of a root.
func placeOf(places []place, root files.Root) place {
	i := slices.IndexFunc(places, func(p place) bool { return p.Is(root) })
	return places[max(i, 0)]
}

// placeFor returns the root for a new memory: the one with a name, the first for no name.
func (s *Server) placeFor(name string) (place, error) {
	p, found := placeNamed(s.places(), name)
	switch {
	case !found && name != "":
		return p, errNoPage
	case p.ReadOnly():
		return p, errReadOnly
	}
	return p, nil
}

// address is where the page of a memory is, below the base. The memory is given by its
// path, or by CATEGORY/ID.
func (p place) address(path string) string {
	rest, name := cutLast(strings.TrimSuffix(path, ".json"))
	_, folder := cutLast(rest)
	return "/memories/" + url.PathEscape(p.prefix+folder) + "/" + url.PathEscape(name)
}

// label names the root for a person.
func (p place) label(lang string) string {
	if p.Scope == files.OtherScope {
		return strings.TrimSuffix(p.Shown, "/"+files.RootPath)
	}
	return translate(lang, "root."+p.Scope.String())
}

// rootChoices are the options of an input that chooses a root.
func rootChoices(lang string, places []place, current string) []choice {
	choices := make([]choice, len(places))
	for i, p := range places {
		choices[i] = choice{Value: p.Name, Label: p.label(lang), Chosen: p.Name == current}
	}
	return choices
}
