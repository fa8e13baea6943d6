package triage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"memctl/schemas"
)

// Question is a question to an agent before it stops.
type Question struct {
	Since   int    // the first turn that it is about
	moments bool   // something may be worth a memory
	finds   []Find // quoted, in the order in which they were said
	purpose string // of the category of a find, in the user's words
	// Summary says that the agent is to save where the work stands.
	Summary bool
}

// Asks reports whether there is something to ask.
func (q Question) Asks() bool { return q.moments || q.Summary }

// Question returns what to ask at the end of the last turn, if it is time: whether something is
// worth a memory, unless all that was said is of categories that an agent is not asked for, and
// for a summary, if much was done since the last one. A summary is never a reason to ask: on real
// sessions such questions came at moments with nothing else to save.
func (w *Watch) Question(cfg schemas.Config) Question {
	q := Question{Since: w.Since}
	if !w.Asks() {
		return q
	}
	finds := Captured(w.Finds, cfg)
	q.Summary = WantsSummaries(cfg) && w.Work.score() >= cfg.Triage.Thresholds[schemas.SessionSummary]
	q.moments = AsksForMore(cfg) && (len(finds) == len(w.Finds) || slices.ContainsFunc(finds, Find.hasSign))
	if q.moments {
		q.finds = slices.Clone(finds[:min(MaxShown, len(finds))])
		slices.SortStableFunc(q.finds, func(a, b Find) int { return cmp.Compare(a.Turn, b.Turn) })
		q.purpose = purposeOf(q.finds, cfg)
	}
	return q
}

// Forget forgets the messages up to a question, and the work too if the question asks for a summary.
func (w *Watch) Forget(q Question) {
	if q.Summary {
		w.Work = Work{Summed: w.Work.Summed}
	}
	w.Reset()
}

func (f Find) hasSign() bool { return len(f.Signs) > 0 }

// WantsSummaries reports whether an agent is asked for summaries of sessions.
func WantsSummaries(cfg schemas.Config) bool {
	return cfg.Captures(schemas.SessionSummary) && cfg.Triage.Thresholds[schemas.SessionSummary] < 1
}

// AsksForMore reports whether an agent is asked for memories that are no summaries.
func AsksForMore(cfg schemas.Config) bool {
	return slices.ContainsFunc(schemas.Categories, func(info schemas.CategoryInfo) bool {
		return info.Category != schemas.SessionSummary && cfg.Captures(info.Category)
	})
}

// Captured leaves out the finds whose wording is of a category that an agent is not asked for.
func Captured(finds []Find, cfg schemas.Config) []Find {
	off := func(info schemas.CategoryInfo) bool { return !cfg.Captures(info.Category) }
	if !slices.ContainsFunc(schemas.Categories, off) { // to guess costs a moment
		return finds
	}
	return slices.DeleteFunc(slices.Clone(finds), func(f Find) bool {
		category, known := schemas.Guess(f.Text)
		return known && !cfg.Captures(category)
	})
}

// purposeOf says what the category of the first find is for that has a purpose in the user's
// words.
func purposeOf(finds []Find, cfg schemas.Config) string {
	if Purposes(cfg) == nil {
		return ""
	}
	for _, f := range finds {
		category, known := schemas.Guess(f.Text)
		if purpose := cfg.OwnPurpose(category); known && purpose != "" {
			return purposeLine(category, purpose)
		}
	}
	return ""
}

// Purposes says what the categories are for that an agent is asked for, a line each, where the
// user has other words for it than memctl.
func Purposes(cfg schemas.Config) (lines []string) {
	for _, info := range schemas.Categories {
		if purpose := cfg.OwnPurpose(info.Category); purpose != "" && cfg.Captures(info.Category) {
			lines = append(lines, "- "+purposeLine(info.Category, purpose))
		}
	}
	return lines
}

func purposeLine(c schemas.Category, purpose string) string {
	return string(c) + ": " + sanitize(strings.Join(strings.Fields(purpose), " "))
}

// momentStart begins the question about a session's moments, before the number of the turn.
const momentStart = "Before you stop: since turn "

// Text returns the question. It is neutral: it names no category and no score. saveBy names what
// saves a text.
func (q Question) Text(saveBy string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d, ", momentStart, q.Since)
	if !q.moments {
		fmt.Fprintf(&b, "where does the work stand? Save the goal, what is done and what is next as session_summary "+
			"with %s. If this session saved a summary, update that one.\n", saveBy)
		return b.String()
	}
	fmt.Fprintf(&b, "has anything come up that the next session of this project must know? If not, just stop. "+
		"To save a text: %s.", saveBy)
	for i, f := range q.finds {
		if i == 0 {
			b.WriteString(" Perhaps:")
		}
		fmt.Fprintf(&b, "\n- %s, turn %d: %s", f.Side, f.Turn, safeLine(f.Text, maxQuoted+maxQuoted))
	}
	if q.purpose != "" {
		fmt.Fprintf(&b, "\nHere, %s", q.purpose)
	}
	if q.Summary {
		b.WriteString("\nIf work is left open, save its state too, as session_summary: the goal, what is done, " +
			"what is next. If this session saved a summary, update that one.")
	}
	return b.String() + "\n"
}
