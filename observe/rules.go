package observe

import (
	"bytes"
	"errors"
	"slices"
	"time"

	"memctl/files"
	"memctl/text"
)

// The verdicts on a rule that was given at an act, in the record of injections.
const (
	Stopped  = "stopped"  // a call that it forbids was stopped once
	Broken   = "broken"   // a call that it forbids ran after the rule was given
	Approved = "approved" // likewise, but the person let it
)

// IsVerdict reports whether a line of the record is a verdict on rules.
func (in Injection) IsVerdict() bool {
	return slices.Contains([]string{Stopped, Broken, Approved}, in.Use)
}

const (
	// atTry is when a call begins that a memory forbids which the session was given, and atRun when it has run.
	atTry = "tried"
	atRun = "ran"
)

// triedCall is a line of what a session got, on a call that a memory forbids.
type triedCall struct {
	injectedMemory
	Verdict string `json:"verdict"`         // if it runs
	Call    string `json:"call,omitempty"`  // the client's id of the call; some have none, or only afterwards
	Input   string `json:"input,omitempty"` // a hash of the call's tool and input
}

func (e Event) inputHash() string { return text.Hash(e.ToolName+"\n"+string(e.Input), 6) }

// NoteTried notes that a call begins which memories forbid, and the verdict on them if it runs.
func NoteTried(session string, call Event, verdict string, list []files.Version) error {
	if session == "" || len(list) == 0 {
		return nil
	}
	entries := make([]triedCall, len(list))
	for i, v := range list {
		entries[i] = triedCall{injectedMemory{Version: v, Moment: atTry}, verdict, call.ToolUseID, call.inputHash()}
	}
	return appendRecord(givenPrefix+SessionKey(session), givenLimit, entries...)
}

// RecordRun records the verdicts of NoteTried on a call that ran in a context of a session, each once a context.
func RecordRun(context string, call Event) error {
	if context == "" {
		return nil
	}
	name := givenPrefix + SessionKey(context)
	data, _ := files.ReadState(name, givenLimit) // else nothing is known
	if !bytes.Contains(data, []byte(`"moment":"`+atTry+`"`)) {
		return nil
	}
	type verdict struct {
		files.Version
		verdict string
	}
	known, hash := map[verdict]bool{}, call.inputHash()
	var ran []triedCall
	for _, t := range recordOf(data, func(t triedCall) bool { return t.Moment == atTry || t.Moment == atRun }) {
		switch {
		case t.Moment == atRun:
			known[verdict{t.Version, t.Verdict}] = true
		case t.Call != "" && t.Call == call.ToolUseID || t.Input == hash:
			ran = append(ran, triedCall{injectedMemory: injectedMemory{Version: t.Version, Moment: atRun},
				Verdict: t.Verdict})
		}
	}
	ran = slices.DeleteFunc(ran, func(t triedCall) bool {
		v := verdict{t.Version, t.Verdict}
		was := known[v]
		known[v] = true
		return was
	})
	if len(ran) == 0 {
		return nil
	}
	_ = appendRecord(name, givenLimit, ran...) // else it is recorded twice, which changes no outcome
	var err error
	for _, t := range ran {
		err = errors.Join(err, RecordVerdict(call.SessionID, t.Verdict, t.Version))
	}
	return err
}

// RecordVerdict records a verdict on a memory in a session.
func RecordVerdict(session, verdict string, v files.Version) error {
	if !HasPlainID(v.Path) {
		return nil
	}
	return Injection{Time: time.Now().UTC().Truncate(time.Second), Session: SessionKey(session), Root: v.Root,
		Use: verdict, Memories: []string{v.Path}}.Append()
}

// RuleOutcome is the end of a rule in a session.
type RuleOutcome string

// The outcomes of a rule in a session that was given it at an act.
const (
	RuleStopped RuleOutcome = "stopped" // a call that it forbids was stopped once, and not repeated
	RuleKept    RuleOutcome = "kept"    // the session ran no call that it forbids, as far as it went
	RuleBroken  RuleOutcome = "broken"  // the session ran a call that it forbids
	RuleUnknown RuleOutcome = "unknown" // nothing can be seen, or the person let the session do it
)

// RuleOutcomes lists them in the order in which they are shown.
var RuleOutcomes = []RuleOutcome{RuleStopped, RuleKept, RuleBroken, RuleUnknown}

// RuleInSession is a memory that a session was given at an act.
type RuleInSession struct {
	Session string    // of SessionKey, "" where it is unknown
	Path    string    // below the root
	Time    time.Time // when it was first given so
	Given   int       // how often it was given at an act
	Outcome RuleOutcome
	Settled time.Time // when it was last stopped or broken; zero for never
}

// RulesInSessions sums a record up: the outcome of each memory in each session that was given it at an act, the
// first given first. judged reports whether a memory forbids something that can be seen, a command or lines; where it
// does not, and in sessions without an id, the outcome is unknown.
func RulesInSessions(record []Injection, judged func(path string) bool) (list []RuleInSession) {
	type key struct{ session, path string }
	at, seen := map[key]int{}, map[key]map[string]bool{}
	for _, in := range record {
		if in.GivenAt() != AtTool && !in.IsVerdict() {
			continue
		}
		for _, path := range in.Memories {
			k := key{in.Session, path}
			i, known := at[k]
			if !known {
				i = len(list)
				at[k], seen[k] = i, map[string]bool{}
				list = append(list, RuleInSession{Session: in.Session, Path: path, Time: in.Time})
			}
			if seen[k][in.Use] = true; in.Use == "" {
				list[i].Given++
			}
			if in.Use == Stopped || in.Use == Broken {
				list[i].Settled = in.Time
			}
		}
	}
	for i, r := range list {
		uses := seen[key{r.Session, r.Path}]
		switch {
		case uses[Broken]:
			list[i].Outcome = RuleBroken
		case uses[Stopped]:
			list[i].Outcome = RuleStopped
		case r.Session != "" && !uses[Approved] && judged(r.Path):
			list[i].Outcome = RuleKept
		default:
			list[i].Outcome = RuleUnknown
		}
	}
	return list
}
