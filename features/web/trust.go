package web

import (
	"errors"
	"slices"

	"memctl/clients"
	"memctl/files/trust"
	"memctl/store"
)

// errNotAPerson is the error of an answer through a server that an agent's shell has started.
var errNotAPerson = errors.New("an agent's shell runs these pages: run memctl trust, or memctl ui, in a shell of " +
	"your own")

// trust makes the new memories count as seen that a page has listed, as they are now.
func (s *Server) trust(v *visit) (answer, error) {
	if clients.InAgentShell() {
		return answer{}, errNotAPerson
	}
	list, err := store.At(s.Root, store.Options{}).NewMemories(v.Context(), s.Root)
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
	return answer{goTo: "/memories?note=" + key}, nil
}
