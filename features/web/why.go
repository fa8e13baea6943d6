package web

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"
)

const (
	// leftOut is how many memories an explanation lists that a prompt does not get.
	leftOut = 10
	// maxPrompt is how many characters of a prompt an address takes.
	maxPrompt = 4000
)

// whyPage says what a prompt receives, and why.
type whyPage struct {
	Prompt     string
	Answered   bool
	Hybrid     bool
	Configured float64 // min_strength of the configuration
	Chosen     float64 // that of the slider
	retrieve.Explanation
	// Gained and Lost are the differences that the chosen value makes.
	Gained, Lost []retrieve.Explained
	Start        startText // while no prompt is asked about
	recalled

	places []place
}

// explained is a memory of an explanation.
type explained struct {
	retrieve.Explained
	Address string    // below the base
	Foreign bool      // it is of another root than the first
	Earlier time.Time // when the session of a past prompt was given it before
	Changed bool      // since that prompt
}

// Entry returns a memory of the explanation with its address.
func (p whyPage) Entry(x retrieve.Explained) explained {
	i := slices.IndexFunc(p.places, func(at place) bool { return strings.HasPrefix(x.Path, at.Shown+"/") })
	at := p.places[max(i, 0)]
	path := x.Path
	if at.Scope == files.NotesScope { // the path is the note's
		path = string(x.Category) + "/" + x.ID
	}
	updated, _ := schemas.ParseTime(x.UpdatedAt)
	return explained{x, at.address(path), i > 0, p.earlier[x.Path], !p.At.IsZero() && updated.After(p.At)}
}

// Moved reports whether the slider stands elsewhere than the configuration.
func (p whyPage) Moved() bool { return p.Chosen != p.Configured }

func (s *Server) why(v *visit) (answer, error) {
	values := v.URL.Query()
	p := whyPage{
		Prompt:     text.Truncate(values.Get("prompt"), maxPrompt),
		Hybrid:     v.config.Retrieval.MatchStrategy == schemas.Hybrid,
		Configured: v.config.Retrieval.Hybrid.MinStrength,
		places:     s.places(),
	}
	p.Chosen = p.Configured
	if value, err := strconv.ParseFloat(values.Get("min_strength"), 64); err == nil {
		p.Chosen = value
	}
	p.Chosen = min(max(p.Chosen, 0), 2)
	p.Answered = strings.TrimSpace(p.Prompt) != ""
	var err error
	if p.Answered {
		p.recalled = recall(values.Get("session"), values.Get("at"), p.places)
		err = s.explain(v, &p)
	} else {
		p.Start, err = s.start(v, p.places)
	}
	return answer{page: "why", title: v.t("nav.why"), data: p}, err
}

// explain asks the roots that a prompt is asked of: those of the person count too.
func (s *Server) explain(v *visit, p *whyPage) error {
	searcher := s.searcher(v)
	searcher.Loaded = clients.RepeatedIn(s.Root, v.config)
	return s.ask(v.Context(), store.ForPrompt(rootsOf(p.places), v.config), func(sources retrieve.Sources) error {
		now, err := searcher.Explain(v.Context(), sources, p.Prompt, leftOut)
		p.Explanation = now
		if err != nil || !p.Hybrid || !p.Moved() {
			return err
		}
		other := searcher
		other.Config.Retrieval.Hybrid.MinStrength = p.Chosen
		p.Explanation, err = other.Explain(v.Context(), sources, p.Prompt, leftOut)
		same := func(a, b retrieve.Explained) bool { return a.Path == b.Path }
		p.Gained, p.Lost = without(p.Injected, now.Injected, same), without(now.Injected, p.Injected, same)
		return err
	})
}
