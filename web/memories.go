package web

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

const (
	// pageSize is how many memories one page lists.
	pageSize = 50
	// maxFound is how many memories a search ranks.
	maxFound = 1000
	// maxQuery is how many bytes of words are searched for.
	maxQuery = 2000
	// shownTags is how many tags are offered as filters.
	shownTags = 16
)

// ages are the values of the filter by age, in the form of schemas.ParseSince.
var ages = []string{"7d", "30d", "90d", "365d"}

// memoriesPage is the list of memories.
type memoriesPage struct {
	selection
	Rows        []memoryRow
	First, Last int // of the rows, from 1
	Total       int // of a listing; 0 for a search
	Next        bool
	Categories  []choice
	Tags        []choice
	Statuses    []choice
	Ages        []choice
	Sorts       []choice
}

// memoryRow is a memory of the list.
type memoryRow struct {
	retrieve.Entry
	Summary   string  // of a result of a search
	Relevance float64 // likewise
}

// choice is a value of a filter.
type choice struct {
	Value, Label string
	Count        int
	Chosen       bool
}

// selection is what the address of the list says.
type selection struct {
	values            url.Values
	Query, Tag, Since string
	Category, Status  string
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
		if key != "page" && key != "note" && key != "results" {
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
	return s.Query != "" || s.Tag != "" || s.Since != "" || s.Category != "" || s.Status != string(schemas.Active)
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
	p := memoriesPage{selection: readSelection(v.URL.Query())}
	err := s.use(v.Context(), func(source retrieve.Source) (err error) {
		filter := p.filter(time.Now())
		if p.Query != "" {
			err = p.search(v, source, filter)
		} else {
			err = p.list(v.Context(), source, filter)
		}
		if err == nil && !v.URL.Query().Has("results") { // the page shows its results alone
			err = p.count(v, source, filter)
		}
		return err
	})
	return answer{page: "memories", title: v.t("nav.memories"), data: p}, err
}

// search ranks as the prompt hook does, but leaves out none for lack of evidence.
func (p *memoriesPage) search(v *visit, source retrieve.Source, f retrieve.Filter) error {
	searcher, _ := retrieve.NewSearcher(source.Root, v.config) // without synonyms that cannot be read
	f.Limit = min(f.Limit, maxFound)
	q := searcher.Query(p.Query, f.Limit)
	q.Filter = f
	results, err := source.Fresh(v.Context(), q)
	if err != nil {
		return err
	}
	results = results[min(len(results), p.place(len(results))):min(len(results), p.Page*pageSize)]
	relevances, err := retrieve.Relevances(v.Context(), source.DB, q, results)
	for i, r := range results {
		found := r.Found(source.Root, relevances[i])
		found.Path = r.Path
		p.Rows = append(p.Rows, memoryRow{found.Entry, found.Summary, found.Relevance})
	}
	return err
}

func (p *memoriesPage) list(ctx context.Context, source retrieve.Source, f retrieve.Filter) error {
	items, err := retrieve.List(ctx, source.DB, f, p.Sort)
	if err != nil {
		return err
	}
	for _, m := range items[min(len(items), p.place(len(items))):min(len(items), p.Page*pageSize)] {
		p.Rows = append(p.Rows, memoryRow{Entry: m.Entry})
	}
	return nil
}

// place sets which part of so many memories the page shows and returns where it begins.
func (p *memoriesPage) place(found int) int {
	from := (p.Page - 1) * pageSize
	p.First, p.Last = from+1, min(found, from+pageSize)
	p.Next = found > from+pageSize
	return from
}

// count fills in the filters. What they count is not narrowed by category and tag.
func (p *memoriesPage) count(v *visit, source retrieve.Source, f retrieve.Filter) error {
	if p.Query == "" {
		selected, err := retrieve.Count(v.Context(), source.DB, f)
		if err != nil {
			return err
		}
		p.Total = selected.Total
	}
	all, err := retrieve.Count(v.Context(), source.DB, retrieve.Filter{Statuses: f.Statuses, Since: f.Since})
	if err != nil {
		return err
	}
	for _, info := range schemas.Categories {
		name := string(info.Category)
		p.Categories = append(p.Categories, choice{name, categoryName(v.lang, name), all.Categories[info.Category], p.Category == name})
	}
	for _, tag := range all.Tags[:min(len(all.Tags), shownTags)] {
		p.Tags = append(p.Tags, choice{tag.Tag, tag.Tag, tag.Count, p.Tag == tag.Tag})
	}
	for _, status := range append(slices.Clone(schemas.Statuses), "all") {
		p.Statuses = append(p.Statuses, choice{Value: string(status), Label: v.t("status." + string(status)), Chosen: p.Status == string(status)})
	}
	for _, age := range append([]string{""}, ages...) {
		p.Ages = append(p.Ages, choice{Value: age, Label: v.t("age." + age), Chosen: p.Since == age})
	}
	for _, sort := range retrieve.SortNames {
		p.Sorts = append(p.Sorts, choice{Value: sort, Label: v.t("sort." + sort), Chosen: p.Sort == sort})
	}
	return nil
}
