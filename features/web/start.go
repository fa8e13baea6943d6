package web

import (
	"slices"

	"memctl/clients"
	"memctl/hooks"
	"memctl/retrieve"
	"memctl/store"
)

// startText is the list of memories with which a session starts now, in the words that the agent reads.
type startText struct {
	Text           string // "" for none
	Tokens, Budget int
}

// start makes the text that "memctl explain --start" explains.
func (s *Server) start(v *visit, places []place) (t startText, err error) {
	t.Budget = v.config.Retrieval.StartTokens
	if !v.config.Retrieval.Enabled || t.Budget == 0 {
		return t, nil
	}
	repeated := clients.RepeatedIn(s.Root, v.config)
	err = s.ask(v.Context(), store.ForPrompt(rootsOf(places), v.config), func(sources retrieve.Sources) error {
		list, active, err := hooks.StartDigest(v.Context(), sources, ".", t.Budget, nil, v.config.Off())
		found := len(list)
		if repeated != nil {
			list = slices.DeleteFunc(list, func(m retrieve.Digested) bool { return repeated(m.Result) })
		}
		t.Text, _ = retrieve.DigestBlock(list, active-found)
		t.Tokens = retrieve.DigestCost(list)
		return err
	})
	return t, err
}
