package triage

import (
	"slices"
	"time"

	"memctl/text"
)

// Work measures the work in a part of a session.
type Work struct {
	Activity
	Names  []string `json:"names,omitempty"` // of the distinct tools
	answer string   // the id counted last: the parts of an answer are lines of their own
	// Summed is when a summary was saved last, as far as was seen.
	Summed time.Time `json:"summed,omitzero"`
}

// add counts a message.
func (w *Work) add(m Message) {
	w.ToolUses += len(m.Tools)
	w.name(m.Tools)
	if m.Exchange && (m.ID == "" || m.ID != w.answer) {
		w.Exchanges++
		w.answer = m.ID
	}
}

func (w *Work) name(tools []string) {
	for _, name := range tools {
		if name != "" && !slices.Contains(w.Names, name) {
			w.Names = append(w.Names, name)
		}
	}
	w.DistinctTools = len(w.Names)
}

const (
	// maxNames is how many tools a session keeps the names of: more do not change the score.
	maxNames = 10
	// maxName is how many code points of a name it keeps.
	maxName = 64
)

// join adds later work.
func (w *Work) join(later Work) {
	w.ToolUses += later.ToolUses
	w.Exchanges += later.Exchanges
	for _, name := range later.Names[:min(len(later.Names), maxNames)] {
		w.name([]string{text.Truncate(name, maxName)})
	}
	w.Names = w.Names[:min(len(w.Names), maxNames)]
}

// SavedSummary begins anew if a summary was saved since it was looked for last.
func (w *Work) SavedSummary(last time.Time) {
	if last.After(w.Summed) {
		*w = Work{Summed: last}
	}
}
