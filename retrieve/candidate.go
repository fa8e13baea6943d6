package retrieve

import (
	"context"
	"fmt"
	"slices"
	"time"

	"memctl/schemas"
)

// minCandidate is the lowest score at which new information is about a memory:
// one tag, or two words of the title. One word of a title is too common.
const minCandidate = 3

// LifecycleEvents are the ends of a subject that new information may report.
var LifecycleEvents = []string{"resolved", "removed", "reversed", "superseded", "deprecated"}

// neverDeleted are the categories that only a person deletes. Their memories say
// why something was done, which stays true when the subject is gone.
var neverDeleted = []schemas.Category{schemas.Decision, schemas.Preference, schemas.SessionSummary}

// Candidate returns the active memory of a category that new information is about, nil
// if there is none.
func (s Source) Candidate(ctx context.Context, searcher Searcher, category schemas.Category, info string) (*Result, error) {
	results, err := s.Fresh(ctx, searcher.CandidateQuery(category, info))
	return Candidate(results), err
}

// CandidateQuery asks for the memory of a category that new information is most likely
// about. For title_tags it ranks by title and tags alone, then by path.
func (s Searcher) CandidateQuery(category schemas.Category, info string) Query {
	var q Query
	if s.Config.Retrieval.MatchStrategy == schemas.Hybrid {
		q = NewHybridQuery(info, s.synonyms, 1)
		q.Floor = s.Config.Retrieval.Hybrid.MinEvidence
	} else {
		q = NewQuery(info, nil, 1, time.Time{})
		q.IgnoreTitle = true
	}
	q.Categories = []schemas.Category{category}
	return q
}

// Candidate returns the result of a candidate query, nil if its score is too low.
func Candidate(results []Result) *Result {
	if len(results) == 0 || results[0].Strength == 0 && results[0].Score < minCandidate {
		return nil
	}
	return &results[0]
}

// Verdict says what may be done with new information. In JSON, null means
// that the value was not given or is left to the caller.
type Verdict struct {
	LifecycleEvent *string `json:"lifecycle_event"`
	DeleteAllowed  bool    `json:"delete_allowed"`
	// PreAction is CREATE or NOOP, nil if there is a candidate.
	PreAction *string `json:"pre_action"`
	// StructuralCUD is PreAction, or what may be done to the candidate: UPDATE or
	// UPDATE_OR_DELETE.
	StructuralCUD string   `json:"structural_cud"`
	Vetoes        []string `json:"vetoes"`
	Hints         []string `json:"hints"`
}

// Judge decides what may be done with new information of a category. The event is
// one of LifecycleEvents, or "" for none.
//
//	candidate  event  PreAction  StructuralCUD
//	none       none   CREATE     CREATE
//	none       given  NOOP       NOOP
//	found      any    nil        UPDATE, or UPDATE_OR_DELETE if deletion is allowed
func Judge(category schemas.Category, event string, candidate *Result) Verdict {
	v := Verdict{DeleteAllowed: !slices.Contains(neverDeleted, category), Vetoes: []string{}, Hints: []string{}}
	eventHint := "suggests DELETE if eligible"
	switch {
	case candidate == nil && event == "":
		v.StructuralCUD = "CREATE"
	case candidate == nil:
		v.StructuralCUD, eventHint = "NOOP", "with no matching candidate; NOOP"
	case v.DeleteAllowed:
		v.StructuralCUD = "UPDATE_OR_DELETE"
	default:
		v.StructuralCUD = "UPDATE"
		v.Vetoes = append(v.Vetoes, fmt.Sprintf("Cannot DELETE %s (triage-initiated)", category))
		eventHint = fmt.Sprintf("present but DELETE disallowed for %s; consider UPDATE", category)
	}
	if candidate == nil {
		v.PreAction = new(v.StructuralCUD)
	} else {
		v.Hints = append(v.Hints, fmt.Sprintf("1 candidate found (score=%v)", candidate.Shown()))
	}
	if event != "" {
		v.LifecycleEvent = &event
		v.Hints = append(v.Hints, fmt.Sprintf("lifecycle_event=%s %s", event, eventHint))
	}
	return v
}
