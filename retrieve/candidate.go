package retrieve

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"
)

const (
	// minCandidate is the lowest score of title_tags at which new information is about
	// a memory: one tag, or two words of the title. One word of a title is too common.
	minCandidate = 3
)

// LifecycleEvents are the ends of a subject that new information may report.
var LifecycleEvents = []string{"resolved", "removed", "reversed", "superseded", "deprecated"}

// neverDeleted are the categories that only a person deletes. Their memories say
// why something was done, which stays true when the subject is gone.
var neverDeleted = []schemas.Category{schemas.Decision, schemas.Preference, schemas.SessionSummary}

// Candidate returns the active memory of a category that new information is about, nil
// if there is none. Result.Score is that of title_tags by either strategy.
func (s Sources) Candidate(
	ctx context.Context, searcher Searcher, category schemas.Category, info string,
) (*Result, error) {
	results, err := s.Candidates(ctx, searcher, category, info, 1)
	if err != nil || len(results) == 0 {
		return nil, err
	}
	if searcher.Config.Retrieval.MatchStrategy == schemas.Hybrid {
		err = s.addScore(ctx, &results[0], info)
	}
	return &results[0], err
}

// Candidates returns the memories from which Candidate takes the first.
//
// For hybrid they have the Result.Strength that the prompt hook demands, and more than one word can
// give, unless the information has only one topic: a memory that mentions a cache too is not about
// the same cache.
func (s Sources) Candidates(
	ctx context.Context, searcher Searcher, category schemas.Category, info string, limit int,
) ([]Result, error) {
	if searcher.Config.Retrieval.MatchStrategy != schemas.Hybrid {
		q := NewCandidateQuery(category, info)
		q.Limit = limit
		results, err := s.Fresh(ctx, q)
		return slices.DeleteFunc(results, func(r Result) bool { return r.Score < minCandidate }), err
	}
	q := searcher.Query(info, limit)
	q.Categories = []schemas.Category{category}
	q.Chance = searcher.Config.Retrieval.Hybrid.MinStrength
	q.SeveralWords = len(q.Terms.Topics)+len(q.Terms.Common) > 1
	return s.Fresh(ctx, q)
}

// NewCandidateQuery asks for the memory of a category that new information is most likely
// about by title_tags: by title and tags alone, then by path.
func NewCandidateQuery(category schemas.Category, info string) Query {
	q := NewQuery(info, nil, 1, time.Time{})
	q.Categories = []schemas.Category{category}
	q.IgnoreTitle = true
	return q
}

// floor is the least strength of a result. Any single word gives less than 1.
func (q Query) floor(w searchPlan) float64 {
	memories := max(1, w.pages-db.BlankPages)
	floor := q.Chance * math.Log(max(1, float64(memories)*q.Prompt.Words))
	if q.SeveralWords {
		floor = max(floor, 1)
	}
	return floor
}

// addScore adds the score of title_tags to a result of hybrid.
func (s Sources) addScore(ctx context.Context, r *Result, info string) error {
	q := NewCandidateQuery(r.Category, info)
	q.Limit = everyMemory
	results, err := Rank(ctx, s.of(r.Root).DB, q)
	for _, other := range results {
		if other.Path == r.Path {
			r.Score = other.Score
		}
	}
	return err
}

// Judgement lists the allowed actions for new information. In JSON, null means
// that the value was not given or is left to the caller.
type Judgement struct {
	LifecycleEvent *string `json:"lifecycle_event"`
	DeleteAllowed  bool    `json:"delete_allowed"`
	// PreAction is CREATE or NOOP, nil if there is a candidate.
	PreAction *string `json:"pre_action"`
	// StructuralCUD is PreAction, or the allowed action on the candidate: UPDATE or
	// UPDATE_OR_DELETE.
	StructuralCUD string   `json:"structural_cud"`
	Vetoes        []string `json:"vetoes"`
	Hints         []string `json:"hints"`
}

// Judge decides the allowed actions for new information of a category. The event is
// one of LifecycleEvents, or "" for none.
//
//	candidate  event  PreAction  StructuralCUD
//	none       none   CREATE     CREATE
//	none       given  NOOP       NOOP
//	found      any    nil        UPDATE, or UPDATE_OR_DELETE if deletion is allowed
func Judge(category schemas.Category, event string, candidate *Result) Judgement {
	v := Judgement{DeleteAllowed: !slices.Contains(neverDeleted, category), Vetoes: []string{}, Hints: []string{}}
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
		v.Hints = append(v.Hints, fmt.Sprintf("1 candidate found (score=%d)", candidate.Score))
	}
	if event != "" {
		v.LifecycleEvent = &event
		v.Hints = append(v.Hints, fmt.Sprintf("lifecycle_event=%s %s", event, eventHint))
	}
	return v
}

// Proposal is the memory that new information is about, if there is one, with what
// may be done to it.
type Proposal struct {
	Candidate *Proposed `json:"candidate"`
	Judgement
}

// Proposed describes a candidate by its file, which has the tags as they were
// written.
type Proposed struct {
	ID   string `json:"-"`
	Path string `json:"path"`
	// Scope says whose memory it is.
	Scope   files.Scope `json:"scope,omitempty"`
	Title   string      `json:"title"`
	Tags    []string    `json:"tags"`
	Excerpt Excerpt     `json:"excerpt"`
}

// Propose finds the candidate among the memories of a category and judges what may
// be done. The event is one of LifecycleEvents, or "".
func (s Sources) Propose(
	ctx context.Context, searcher Searcher, category schemas.Category, info, event string,
) (Proposal, error) {
	result, err := s.Candidate(ctx, searcher, category, info)
	if err != nil {
		return Proposal{}, err
	}
	p := Proposal{Judgement: Judge(category, event, result)}
	if result != nil {
		p.Candidate, err = proposed(*result)
	}
	return p, err
}

func proposed(r Result) (*Proposed, error) {
	data, err := r.Root.ReadFile(r.Path)
	if err != nil {
		return nil, err
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.ID, err)
	}
	e := NewExcerpt(m, r.Category)
	return &Proposed{r.ID, r.shown(r.Root).Path, r.Root.Scope, r.Title, e.Tags, e}, nil
}

// maxKeyField is how many code points of a key field an excerpt shows.
const maxKeyField = 200

// keyFields are the fields of content that name the subject of a memory.
var keyFields = map[schemas.Category][]string{
	schemas.Decision:       {"context", "decision", "rationale"},
	schemas.Constraint:     {"rule", "impact"},
	schemas.Preference:     {"topic", "value", "reason"},
	schemas.Runbook:        {"trigger", "root_cause"},
	schemas.TechDebt:       {"description", "reason_deferred"},
	schemas.SessionSummary: {"goal", "outcome"},
}

// Excerpt is enough of a memory to decide whether it is the one meant. It shows the
// file unchanged: a missing title is empty, tags keep their case and order.
type Excerpt struct {
	Title             string            `json:"title"`
	RecordStatus      schemas.Status    `json:"record_status"`
	Tags              []string          `json:"tags"`
	LastChangeSummary string            `json:"last_change_summary"`
	KeyFields         map[string]string `json:"key_fields"` // each at most 200 code points
}

// NewExcerpt returns the excerpt of a decoded memory. It takes the category from the
// index, because a file may leave it out.
func NewExcerpt(m schemas.Memory, category schemas.Category) Excerpt {
	e := Excerpt{
		Title:             m.Title,
		RecordStatus:      m.RecordStatus,
		Tags:              append([]string{}, m.Tags...),
		LastChangeSummary: "Initial creation",
		KeyFields:         map[string]string{},
	}
	if n := len(m.Changes); n > 0 {
		e.LastChangeSummary = m.Changes[n-1].Summary
	}
	content := m.ContentValues()
	for _, name := range keyFields[category] {
		if value := content[name]; value != nil {
			e.KeyFields[name] = text.Truncate(plain(value), maxKeyField)
		}
	}
	return e
}

// maxStatement is how many code points of a statement are quoted.
const maxStatement = 300

// Statement is the statement of a memory: its title and the key fields that add to it.
func Statement(m schemas.Memory) string {
	statement, content := m.Title, m.ContentValues()
	add := func(part string) {
		if bare := strings.TrimRight(part, ".。"); !strings.Contains(statement, bare) {
			statement = strings.TrimRight(statement, ".。") + ". " + part
		}
	}
	for _, name := range keyFields[m.Category] {
		switch value := content[name].(type) {
		case string:
			add(value)
		case []any:
			for _, item := range value {
				add(plain(item))
			}
		}
	}
	return text.OneLine(statement, maxStatement)
}

// plain renders a string as it is, a list joined with "; ", anything else as JSON.
func plain(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []any:
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = plain(item)
		}
		return strings.Join(parts, "; ")
	}
	raw, _ := json.Marshal(value) // was decoded from JSON
	return string(raw)
}
