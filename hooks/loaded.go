package hooks

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// Loaded is a file that a client puts into every request by itself, such as CLAUDE.md.
type Loaded struct {
	Path string // absolute
	Text string
}

// withoutLoaded leaves out the results that say no more than the files that the client loads by itself. It reads the
// files each time: they are few, and edited at any time.
func (c *Call) withoutLoaded(cfg schemas.Config, results []retrieve.Result) []retrieve.Result {
	if cfg.Retrieval.RepeatLoaded || len(results) == 0 {
		return results
	}
	project := c.root.Project
	if c.rootErr != nil || c.root.Shown != files.RootPath {
		project = cmp.Or(os.Getenv("CLAUDE_PROJECT_DIR"), c.Event.Cwd)
	}
	if project == "" {
		return results
	}
	// The agent may have changed the folder since the client loaded the files.
	cwd := cmp.Or(os.Getenv("CLAUDE_PROJECT_DIR"), c.Event.Cwd)
	return slices.DeleteFunc(results, Repeats(c.client.Loads(project, cwd)))
}

// Repeats returns a function that reports whether a result says no more than files that a client loads.
func Repeats(files []Loaded) func(retrieve.Result) bool {
	items := loadedItems(files)
	texts := make([]string, len(items))
	for n, i := range items {
		texts[n] = i.full
	}
	return func(r retrieve.Result) bool {
		if !hasTitle(texts, r.Title) { // its file need not be read
			return false
		}
		data, err := r.Root.ReadFile(r.Path)
		if err != nil {
			return false
		}
		m, err := schemas.Decode(data)
		if err != nil || !isLoaded(&m, items) {
			return false
		}
		marked := []retrieve.Result{r} // a mark says more
		retrieve.MarkOutdated(marked, time.Now())
		return marked[0].Outdated == ""
	}
}

// isLoaded reports whether items say all that a memory says, and nothing else. An item under a heading or an
// introduction that the memory does not name may be narrower, or may say the contrary.
func isLoaded(m *schemas.Memory, items []*item) bool {
	prose := m.Prose()
	lines := append([]string{m.Title}, prose...)
	if c, ok := m.Content.(*schemas.PreferenceContent); ok {
		lines = append(lines, c.Topic)
	}
	parts := partsOf(lines)
	var texts []string // of the items that the memory says
	for _, i := range items {
		if covers(parts, i.complete.String()) && !slices.ContainsFunc(i.under, func(s string) bool {
			return !covers(parts, s)
		}) {
			texts = append(texts, i.full)
		}
	}
	isSaid := func(line string) bool { return has(texts, plainWords(withoutMarker(line))) }
	return hasTitle(texts, m.Title) && !slices.ContainsFunc(prose, func(line string) bool { return !isSaid(line) })
}

// partsOf returns lines and their parts in plain words, the longest first.
func partsOf(lines []string) (parts []string) {
	for _, line := range lines {
		parts = append(parts, plainWords(withoutMarker(line)))
		for part := range strings.SplitSeq(atParts.Replace(line), "\n") {
			parts = append(parts, plainWords(withoutMarker(part)))
		}
	}
	slices.SortFunc(parts, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return slices.DeleteFunc(slices.Compact(parts), func(s string) bool { return s == " " })
}

var atParts = strings.NewReplacer(": ", "\n", "; ", "\n", ", ", "\n", " > ", "\n")

// covers reports whether a text begins with a part, and has no other words than the parts. Dashes and arrows are not
// words.
func covers(parts []string, words string) bool {
	if !slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(words, part) }) {
		return false // which is quick
	}
	for _, part := range parts {
		words = strings.ReplaceAll(words, part, " \n ")
	}
	return strings.Trim(words, " \n-–—→>") == ""
}

// has reports whether one of the texts has the words.
func has(texts []string, words string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, words) })
}

// hasTitle reports whether the texts have a title, which may be cut, or each part of it.
func hasTitle(texts []string, title string) bool {
	misses := func(part string) bool {
		words := plainWords(part)
		if cut, ok := strings.CutSuffix(words, "… "); ok {
			words = cut // it may end within a word
		}
		return !has(texts, words)
	}
	return !misses(title) || !slices.ContainsFunc(strings.Split(strings.ReplaceAll(title, "; ", ": "), ": "), misses)
}

// contextID names the context of the agent: a subagent starts without the memories that the
// session has got.
func (c *Call) contextID() string {
	if c.Event.AgentID != "" && c.Event.SessionID != "" {
		return c.Event.SessionID + "-" + c.Event.AgentID
	}
	return c.Event.SessionID
}

// noteTurn notes a prompt or a use of a tool where there are memories. They tell the age of a rule in the agent's
// context.
func (c *Call) noteTurn() {
	if c.rootErr != nil {
		if _, exists, err := files.UserRoot(); err != nil || !exists {
			return
		}
	}
	observe.NoteTurn(c.contextID())
}

// withoutGiven leaves out the results that the agent has got already, at other moments than some.
func (c *Call) withoutGiven(results []retrieve.Result, moments ...string) []retrieve.Result {
	had := observe.ReadGiven(c.contextID(), moments...)
	return slices.DeleteFunc(results, func(r retrieve.Result) bool { return had[r.Version()] })
}

// withoutLately leaves out the results that the agent has got at an act, but for what stands if that was long ago.
func (c *Call) withoutLately(cfg schemas.Config, results []retrieve.Result) []retrieve.Result {
	had := observe.TurnsSince(c.contextID(), observe.AtStart, observe.AtSubagent, observe.AtPrompt)
	return slices.DeleteFunc(results, func(r retrieve.Result) bool {
		turns, has := had[r.Version()]
		return has && (!r.Stands || cfg.Moments.Again == 0 || turns < cfg.Moments.Again)
	})
}

// noteGiven records the memories injected at a moment.
func (c *Call) noteGiven(ctx context.Context, moment string, results []retrieve.Result) {
	if ctx.Err() != nil {
		return
	}
	list := make([]files.Version, len(results))
	for i, r := range results {
		list[i] = r.Version()
	}
	if err := observe.NoteGiven(c.contextID(), moment, list); err != nil {
		c.note("warning: the session may get a memory twice: %s", text.Printable(err.Error()))
	}
}
