package web

import (
	"slices"
	"time"

	"memctl/db"
	"memctl/observe"
	"memctl/schemas"
	"memctl/text"
)

// What happens besides the moments, uses and verdicts of the record of injections.
const (
	wasSaid = "said"  // a prompt, by the transcript
	ended   = "ended" // a session
	asked   = "asked" // what is worth saving
	byHand  = "by-hand."
	came    = "came" // with a commit by somebody else
)

// event is something that happened, as the records have it.
type event struct {
	At       time.Time
	Session  string // of observe.SessionKey, in a line the id of its page; "" outside of one
	What     string
	Prompt   string // that received something, or was said
	Turn     int    // of the prompt, 0 if it is unknown
	By       string // who saved what came
	Memories []memoryLink
	Rules    []ruleEnd
}

// ruleEnd is a rule that a session was given at an act, and what became of it.
type ruleEnd struct {
	memoryLink
	observe.RuleInSession
	Command string // that it forbids, "" for none or several
}

// maxSaid is how many prompts that received nothing a line lists.
const maxSaid = 50

// story is a session of a day, or what happened outside of one.
type story struct {
	Session     string // "" outside of one
	Prompt      string // the first
	Client      string
	From, Until time.Time
	Lines       []line
}

// line is a line of a story.
type line struct {
	event     // the first, with the memories of all; What is the end of a text's key
	Count int // of events
	Rule  *ruleEnd
	Said  []event // prompts that received nothing
	Key   string  // unlike those of the other lines of a page
	Below bool    // it stands below its prompt
}

// memoryLink leads to a memory.
type memoryLink struct {
	Title, Address string // the address is below the base
}

// tell makes the lines of the events of a session, the first first. What the agent was given at starts is one line,
// and so is a rule; other events of one kind are one line if nothing comes between them.
func tell(events []event) (lines []line) {
	once := map[string]int{} // the line of what has one
	for _, e := range events {
		for _, r := range e.Rules {
			if _, told := once[r.Address]; !told {
				once[r.Address] = len(lines)
				lines = append(lines, line{event: event{At: e.At, What: "rule"}, Count: 1, Rule: &r})
			}
		}
		if e.What == ended || len(e.Memories) == 0 && e.What != wasSaid && e.What != asked {
			continue
		}
		at, told := once[e.What]
		if last := len(lines) - 1; !told && last >= 0 && lines[last].joins(e) {
			at, told = last, true
		}
		if !told {
			at = len(lines)
			lines = append(lines, line{event: e})
			lines[at].Memories = nil
		}
		if e.What == observe.AtStart || e.What == observe.AtSubagent || e.What == asked {
			once[e.What] = at
		}
		lines[at].add(e)
	}
	return lines
}

// joins reports whether an event that follows a line is told by it. Two roots may have given something to one prompt.
func (l line) joins(e event) bool {
	return l.What == e.What && l.By == e.By && (e.What != observe.AtPrompt || e.Turn != 0 && l.Turn == e.Turn)
}

func (l *line) add(e event) {
	l.Count++
	for _, m := range e.Memories {
		if !slices.Contains(l.Memories, m) {
			l.Memories = append(l.Memories, m)
		}
	}
	if e.What == wasSaid && len(l.Said) < maxSaid {
		l.Said = append(l.Said, e)
	}
}

// askedIn returns the prompt of a passage as a page explains it.
func askedIn(p db.Passage) string { return text.Truncate(text.Own(p.Prompt), maxPrompt) }

// withPrompts returns the events of a session with the prompts of its transcript from one time to another: each at what
// it received, the others as events of their own.
func withPrompts(events []event, passages []db.Passage, from, until time.Time) []event {
	var prompts []event
	for _, p := range passages {
		if at, ok := schemas.ParseTime(p.At); ok {
			prompts = append(prompts, event{At: at, What: wasSaid, Prompt: askedIn(p), Turn: p.Turn})
		}
	}
	received := map[int]bool{}
	events = slices.Clone(events)
	for i, e := range events {
		if e.What != observe.AtPrompt {
			continue
		}
		for _, p := range prompts {
			if !p.At.After(e.At.Add(time.Second)) { // the record has whole seconds, and the hook runs after the prompt
				events[i].Prompt, events[i].Turn = p.Prompt, p.Turn
			}
		}
		received[events[i].Turn] = true
	}
	for _, p := range prompts {
		if !received[p.Turn] && p.Prompt != "" && !p.At.Before(from) && p.At.Before(until) {
			events = append(events, p)
		}
	}
	slices.SortStableFunc(events, func(a, b event) int { return a.At.Compare(b.At) })
	return events
}

// outcomesTold are the outcomes of rules in the order of the sentence: what a person wants to know comes first.
var outcomesTold = []observe.RuleOutcome{observe.RuleStopped, observe.RuleBroken, observe.RuleKept, observe.RuleUnknown}

// sentence says what memory did on a day: what became of its rules, or without rules how many memories were given
// and used.
func sentence(lang string, stories []story, f figures) string {
	ends := map[observe.RuleOutcome][]ruleEnd{}
	rules := 0
	for _, s := range stories {
		for _, l := range s.Lines {
			if l.Rule != nil {
				rules++
				ends[l.Rule.Outcome] = append(ends[l.Rule.Outcome], *l.Rule)
			}
		}
	}
	switch {
	case rules == 0 && f.sum() == 0:
		return ""
	case rules == 0:
		return translate(lang, "told.memories", f[0], f[1], f[3])
	}
	said, next := translate(lang, "told.rules", rules), ": "
	for _, outcome := range outcomesTold {
		list := ends[outcome]
		if len(list) == 0 {
			continue
		}
		said += next + endsSaid(lang, outcome, list, rules)
		next = ", "
	}
	return said + "."
}

// maxCommand is how many code points of a command the sentence takes: it is not broken, in 360 pixels either.
const maxCommand = 28

// endsSaid says of some rules of a day's number that they had one outcome.
func endsSaid(lang string, outcome observe.RuleOutcome, list []ruleEnd, rules int) string {
	command := ""
	if outcome == observe.RuleStopped && len(list) == 1 {
		command = text.Ellipsis(list[0].Command, maxCommand)
	}
	switch {
	case rules == 1 && command != "":
		return translate(lang, "told.of-one.stopped.command", command)
	case rules == 1:
		return translate(lang, "told.of-one."+string(outcome))
	case command != "":
		return translate(lang, "told.of-many.stopped.command", command)
	}
	return translate(lang, "told.of-many."+string(outcome), len(list))
}
