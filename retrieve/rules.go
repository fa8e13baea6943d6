package retrieve

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"memctl/files"
	"memctl/observe"
	"memctl/schemas"
)

// RuleReport has the outcomes of the rules of a root that sessions were given at an act.
type RuleReport struct {
	RuleCounts
	Rules    []RuleUse     `json:"rules"`    // the most often broken first
	Sessions []SessionRule `json:"sessions"` // the last first
}

// RuleCounts are numbers of sessions by the outcome of a rule in them.
type RuleCounts struct {
	Given   int `json:"given"` // the sum of the others
	Stopped int `json:"stopped"`
	Kept    int `json:"kept"`
	Broken  int `json:"broken"`
	Unknown int `json:"unknown"`
}

// RuleUse sums up the sessions of a rule.
type RuleUse struct {
	ID    string `json:"id"`
	Path  string `json:"path"`
	Title string `json:"title"` // "" if there is no such memory any more
	RuleCounts
}

// SessionRule is the outcome of a rule in a session.
type SessionRule struct {
	Session string              `json:"session"` // of observe.SessionKey
	Time    time.Time           `json:"time"`    // when it was first given at an act
	ID      string              `json:"id"`
	Path    string              `json:"path"`
	Title   string              `json:"title"`
	Outcome observe.RuleOutcome `json:"outcome"`
}

// Rules sums up the record of a root's rules: constraints, preferences, and other memories that forbid
// something. A memory that forbids nothing a hook can see, or is gone, is neither kept nor broken.
func Rules(root files.Root) (RuleReport, error) {
	report := RuleReport{Rules: []RuleUse{}, Sessions: []SessionRule{}}
	record, err := observe.ReadVerdicts(root)
	type rule struct {
		title   string
		forbids bool
	}
	known := map[string]rule{}
	about := func(at string) rule {
		r, read := known[at]
		if !read {
			if result, m, ok := readMemory(root, at); ok {
				r = rule{result.Title, m.ShowsBreach()}
			}
			known[at] = r
		}
		return r
	}
	uses := map[string]*RuleUse{}
	for _, s := range observe.RulesInSessions(record, func(at string) bool { return about(at).forbids }) {
		category, _ := schemas.CategoryOfPath(s.Path)
		isRule := category == schemas.Constraint || category == schemas.Preference
		if !isRule && !about(s.Path).forbids {
			continue
		}
		one := SessionRule{Session: s.Session, Time: s.Time, ID: strings.TrimSuffix(path.Base(s.Path), ".json"),
			Path: root.Shown + "/" + s.Path, Title: about(s.Path).title, Outcome: s.Outcome}
		use := uses[s.Path]
		if use == nil {
			use = &RuleUse{ID: one.ID, Path: one.Path, Title: one.Title}
			uses[s.Path] = use
		}
		use.add(s.Outcome)
		report.add(s.Outcome)
		report.Sessions = append(report.Sessions, one)
	}
	slices.Reverse(report.Sessions)
	for _, use := range uses {
		report.Rules = append(report.Rules, *use)
	}
	slices.SortFunc(report.Rules, func(a, b RuleUse) int {
		return cmp.Or(cmp.Compare(b.Broken, a.Broken), cmp.Compare(b.Given, a.Given), strings.Compare(a.Path, b.Path))
	})
	return report, err
}

func (n *RuleCounts) add(outcome observe.RuleOutcome) {
	n.Given++
	switch outcome {
	case observe.RuleStopped:
		n.Stopped++
	case observe.RuleKept:
		n.Kept++
	case observe.RuleBroken:
		n.Broken++
	default:
		n.Unknown++
	}
}
