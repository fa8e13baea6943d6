package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"memctl/memdir"
	"memctl/store"
)

// place is a root whose memories the pages show.
type place struct {
	memdir.Root
	Name   string // that addresses have for it: project, user, other, other-2
	prefix string // of the folder in the address of a memory; "" for the first root
}

// places returns the roots that a question is asked of, the server's first. It leaves out
// those that cannot be used, which doctor names.
func (s *Server) places() []place {
	places := []place{{Root: s.Root, Name: s.Root.Scope.String()}}
	roots, _ := store.At(s.Root, store.Options{}).Roots()
	others := 0
	for _, root := range roots {
		if root.Is(s.Root) {
			continue
		}
		name := root.Scope.String()
		if root.Scope == memdir.OtherScope {
			if others++; others > 1 {
				name += "-" + strconv.Itoa(others)
			}
		}
		places = append(places, place{root, name, name + ":"})
	}
	return places
}

// rootsOf returns the roots of places.
func rootsOf(places []place) []memdir.Root {
	roots := make([]memdir.Root, len(places))
	for i, p := range places {
		roots[i] = p.Root
	}
	return roots
}

// named returns the places with a name, all of them if there is none.
func named(places []place, name string) []place {
	i := slices.IndexFunc(places, func(p place) bool { return p.Name == name })
	if i < 0 {
		return places
	}
	return places[i : i+1]
}

// placeOf returns the place of a root.
func placeOf(places []place, root memdir.Root) place {
	i := slices.IndexFunc(places, func(p place) bool { return p.Is(root) })
	return places[max(i, 0)]
}

// placeFor returns the root for a new memory: the one with a name, the first for no name.
func (s *Server) placeFor(name string) (place, error) {
	places := s.places()
	i := slices.IndexFunc(places, func(p place) bool { return name == "" || p.Name == name })
	switch {
	case i < 0:
		return place{}, errNoPage
	case places[i].ReadOnly():
		return place{}, errReadOnly
	}
	return places[i], nil
}

// address is where the page of a memory is, below the base. The memory is given by its
// path, or by CATEGORY/ID.
func (p place) address(path string) string {
	rest, name := cutLast(strings.TrimSuffix(path, ".json"))
	_, folder := cutLast(rest)
	return "/memories/" + url.PathEscape(p.prefix+folder) + "/" + url.PathEscape(name)
}

// ReadOnly reports whether memctl only reads the root.
func (p place) ReadOnly() bool { return p.Scope == memdir.OtherScope }

// label names the root for a person.
func (p place) label(lang string) string {
	if p.ReadOnly() {
		return p.Shown
	}
	return translate(lang, "root."+p.Scope.String())
}

// rootChoices are the options of an input that chooses a root.
func rootChoices(lang string, places []place, chosen string) []choice {
	choices := make([]choice, len(places))
	for i, p := range places {
		choices[i] = choice{Value: p.Name, Label: p.label(lang), Chosen: p.Name == chosen}
	}
	return choices
}
