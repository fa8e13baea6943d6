package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

const (
	// maxTyped is how many bytes of words the palette takes.
	maxTyped = 200
	// maxPlaces is how many places of a kind the palette lists, and maxRecent how many memories before a word is typed.
	maxPlaces = 8
	maxRecent = 5
)

// palettePage lists the places that some words name.
type palettePage struct {
	Query  string
	Groups []placeGroup
	Total  int
}

// placeGroup has the places of a kind.
type placeGroup struct {
	Name   string // the end of a text's key
	Places []somewhere
	rank   int // of the best of them
}

// somewhere is a page, or an act of the page that a key has.
type somewhere struct {
	Label, Note string
	URL         string // below the base; "" for an act
	Key         string // that leads there too, or acts
	Status      schemas.Status

	words string // that it is found by, beside its label
	typed bool   // it is listed only once a word is typed
}

// sections are the pages of the menu, in its order.
var sections = []string{"today", "waiting", "trust", "memories", "why", "sessions", "health", "charts", "settings"}

// sectionKeys are the keys that lead to sections.
var sectionKeys = map[string]string{"today": "t", "memories": "l", "why": "w", "health": "h"}

// palette answers with the places that the words of the address name. Scripts show them in a dialog over the page
// that they name as "here", and can press its keys.
func (s *Server) palette(v *visit) (answer, error) {
	values := v.URL.Query()
	p := palettePage{Query: strings.TrimSpace(text.Truncate(values.Get("q"), maxTyped))}
	typed := strings.Fields(text.Lower(p.Query))
	memories, err := s.memoryPlaces(v, p.Query, typed)
	if err != nil {
		return answer{}, err
	}
	p.add(namedPlaces("pages", typed, pagePlaces(v)))
	p.add(namedPlaces("commands", typed, commandPlaces(v, values.Get("here"))))
	p.add(memories)
	if len(typed) > 0 {
		p.add(namedPlaces("settings", typed, settingPlaces(v)))
	}
	if values.Has("keys") {
		p.add(namedPlaces("keys", typed, keyPlaces(v)))
	}
	if len(typed) > 0 { // else the usual order
		slices.SortStableFunc(p.Groups, func(a, b placeGroup) int { return cmp.Compare(b.rank, a.rank) })
	}
	return answer{page: "palette", title: v.t("palette"), data: p, status: http.StatusOK}, nil
}

func (p *palettePage) add(g placeGroup) {
	if len(g.Places) > 0 {
		p.Groups = append(p.Groups, g)
		p.Total += len(g.Places)
	}
}

// The ranks of a place, by where the words that were typed are.
const (
	inDescription = 1 + iota
	inLabel       // each begins a word of the label
	atStart       // and the label begins with the first
)

// placeRank ranks a place for words in lower case: 0 if one of them is neither in its label nor in its other words.
func placeRank(typed []string, label, words string) int {
	label, words = text.Lower(label), text.Lower(words)
	rank := atStart
	for i, word := range typed {
		switch {
		case i == 0 && strings.HasPrefix(label, word):
		case beginsWord(label, word):
			rank = min(rank, inLabel)
		case strings.Contains(label+" "+words, word):
			rank = inDescription
		default:
			return 0
		}
	}
	return rank
}

// beginsWord reports whether a word is in a label after something that is no letter and no digit.
func beginsWord(label, word string) bool {
	for at := 0; ; at++ {
		i := strings.Index(label[at:], word)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(label[:at])
		if at == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			return true
		}
	}
}

// namedPlaces returns the places that words name, the best first, all of them if there are no words.
func namedPlaces(name string, typed []string, places []somewhere) placeGroup {
	g := placeGroup{Name: name}
	if len(typed) == 0 {
		g.Places = slices.DeleteFunc(places, func(p somewhere) bool { return p.typed })
		return g
	}
	byRank := map[int][]somewhere{}
	for _, p := range places {
		rank := placeRank(typed, p.Label, p.words)
		byRank[rank] = append(byRank[rank], p)
		g.rank = max(g.rank, rank)
	}
	g.Places = slices.Concat(byRank[atStart], byRank[inLabel], byRank[inDescription])
	g.Places = g.Places[:min(len(g.Places), maxPlaces)]
	return g
}

// inEachLanguage is a text in every language, for people who type the words of another.
func inEachLanguage(key string) string {
	all := make([]string, len(languages))
	for i, lang := range languages {
		all[i] = translate(lang, key)
	}
	return strings.Join(all, " ")
}

func pagePlaces(v *visit) (list []somewhere) {
	for _, name := range sections {
		list = append(list, somewhere{Label: v.t("nav." + name), URL: "/" + name, Key: sectionKeys[name],
			words: inEachLanguage("nav."+name) + " " + name})
	}
	return list
}

// commandPlaces are the commands. The page is gone back to after a choice of looks.
func commandPlaces(v *visit, here string) []somewhere {
	look := func(name, value string) string {
		return "/look?" + url.Values{name: {value}, "back": {cmp.Or(here, "/today")}}.Encode()
	}
	list := []somewhere{
		{Label: v.t("new.title"), URL: "/new", Key: "n", words: inEachLanguage("new.title")},
		{Label: v.t("checks.run"), URL: "/health/checks", words: inEachLanguage("checks.run") + " doctor"},
		{Label: v.t("triage.title"), URL: "/triage", words: inEachLanguage("triage.title") + " triage"},
	}
	for _, info := range schemas.Categories {
		key := "category." + string(info.Category)
		list = append(list, somewhere{Label: v.t("palette.new", v.t(key)), URL: "/new?category=" +
			string(info.Category),
			words: inEachLanguage("new.title") + " " + inEachLanguage(key), typed: true})
	}
	for _, theme := range themes {
		list = append(list, somewhere{Label: v.t("palette.theme", v.t("theme."+theme)), URL: look("theme", theme),
			words: inEachLanguage("palette.theme") + inEachLanguage("theme."+theme), typed: true})
	}
	for _, lang := range languages {
		if lang != v.lang {
			list = append(list, somewhere{Label: v.t("look." + lang), URL: look("lang", lang),
				words: inEachLanguage("palette.language")})
		}
	}
	return list
}

func settingPlaces(v *visit) (list []somewhere) {
	for _, setting := range schemas.Settings() {
		name, _ := namesOf(v.lang, setting)
		list = append(list, somewhere{Label: setting.Key, Note: name, URL: "/settings#" + setting.Key,
			words: searched(setting)})
	}
	return list
}

// keyPlaces are the acts of keys that lead to no page. A page leaves out those that it does not have.
func keyPlaces(v *visit) (list []somewhere) {
	for _, k := range shortcuts {
		if !slices.Contains([]string{"t", "l", "w", "h", "n"}, k.Keys) {
			list = append(list, somewhere{Label: v.t("keys." + k.Does), Key: k.Keys, words: inEachLanguage("keys." +
				k.Does)})
		}
	}
	return list
}

// memoryPlaces are the memories that a search finds, or those that changed last. They come after places that the typed
// words name, unless they name a title.
func (s *Server) memoryPlaces(v *visit, query string, typed []string) (g placeGroup, err error) {
	places, searcher := s.places(), s.searcher(v)
	add := func(root files.Root, e retrieve.Entry) {
		at := placeOf(places, root)
		note := v.t("category." + string(e.Category))
		if at.prefix != "" {
			note += " · " + at.label(v.lang)
		}
		g.Places = append(g.Places, somewhere{Label: e.Title, Note: note, URL: at.address(e.Path), Status: e.Status})
	}
	err = s.ask(v.Context(), rootsOf(places), func(sources retrieve.Sources) error {
		g = placeGroup{Name: "memories"} // after a repair of an index this runs again
		filter := retrieve.Filter{Statuses: []schemas.Status{schemas.Active}, Limit: maxPlaces}
		if query == "" {
			g.Name = "recent"
			items, err := sources.List(v.Context(), filter, retrieve.SortNames[0])
			for _, m := range items[:min(len(items), maxRecent)] {
				add(m.Root, m.Entry)
			}
			return err
		}
		_, results, err := searcher.Search(v.Context(), sources, query, filter)
		for _, r := range results {
			add(r.Root, r.Entry)
			g.rank = max(g.rank, inDescription, placeRank(typed, r.Title, ""))
		}
		return err
	})
	if query != "" {
		g.Places = append(g.Places, somewhere{Label: v.t("palette.all", query),
			URL: "/memories?" + url.Values{"q": {query}, "status": {"all"}}.Encode()})
	}
	return g, err
}
