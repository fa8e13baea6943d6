package retrieve

import (
	"fmt"
	"slices"
	"time"

	"memctl/schemas"
)

// minCandidate is the lowest score at which new information is about a memory:
// one tag, or two words of the title. One title word is too common to mean it.
const minCandidate = 3

// LifecycleEvents are what new information may say has become of its subject.
var LifecycleEvents = []string{"resolved", "removed", "reversed", "superseded", "deprecated"}

// neverDeleted are the categories of which only a person deletes: they say why
// things are as they are, which stays true when the subject is gone.
var neverDeleted = []schemas.Category{schemas.Decision, schemas.Preference, schemas.SessionSummary}

// NewCandidateQuery asks for the one active memory of a category that new
// information is most likely about (DESIGN §7): by its text alone, ties by path.
func NewCandidateQuery(category schemas.Category, info string) Query {
	q := NewQuery(info, nil, 1, time.Time{})
	q.Categories = []schemas.Category{category}
	q.Untitled = true
	return q
}

// Candidate returns what a candidate query found, nil where that is too weak.
func Candidate(results []Result) *Result {
	if len(results) == 0 || results[0].Score < minCandidate {
		return nil
	}
	return &results[0]
}

// Verdict says what may be done with new information (DESIGN §7). Null in JSON
// is what is not given or left to the caller.
type Verdict struct {
	LifecycleEvent *string `json:"lifecycle_event"`
	DeleteAllowed  bool    `json:"delete_allowed"`
	// PreAction is CREATE or NOOP where nothing is left to decide.
	PreAction *string `json:"pre_action"`
	// StructuralCUD is PreAction, or what may be done to the candidate: UPDATE or
	// UPDATE_OR_DELETE.
	StructuralCUD string   `json:"structural_cud"`
	Vetoes        []string `json:"vetoes"`
	Hints         []string `json:"hints"`
}

// Judge decides by the table of DESIGN §7; the event is "" where none is given.
func Judge(category schemas.Category, event string, candidate *Result) Verdict {
	v := Verdict{DeleteAllowed: !slices.Contains(neverDeleted, category), Vetoes: []string{}, Hints: []string{}}
	if event != "" {
		v.LifecycleEvent = &event
	}
	if candidate == nil {
		v.withoutCandidate(event)
		return v
	}
	v.Hints = append(v.Hints, fmt.Sprintf("1 candidate found (score=%d)", candidate.Score))
	v.withCandidate(category, event)
	return v
}

func (v *Verdict) withoutCandidate(event string) {
	action := "CREATE"
	if event != "" {
		action = "NOOP"
		v.Hints = append(v.Hints, fmt.Sprintf("lifecycle_event=%s with no matching candidate; NOOP", event))
	}
	v.PreAction, v.StructuralCUD = &action, action
}

func (v *Verdict) withCandidate(category schemas.Category, event string) {
	hint := "suggests DELETE if eligible"
	v.StructuralCUD = "UPDATE_OR_DELETE"
	if !v.DeleteAllowed {
		hint = fmt.Sprintf("present but DELETE disallowed for %s; consider UPDATE", category)
		v.StructuralCUD = "UPDATE"
		v.Vetoes = append(v.Vetoes, fmt.Sprintf("Cannot DELETE %s (triage-initiated)", category))
	}
	if event != "" {
		v.Hints = append(v.Hints, fmt.Sprintf("lifecycle_event=%s %s", event, hint))
	}
}
