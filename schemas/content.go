package schemas

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"memctl/text"
)

// Content is the content of a memory: a pointer to the content of its category, or to an
// OtherContent.
type Content interface{ rest() Rest }

// DecisionContent is a choice and why it was made.
type DecisionContent struct {
	Status       string        `json:"status"`
	Context      string        `json:"context"`
	Decision     string        `json:"decision"`
	Alternatives []Alternative `json:"alternatives,omitzero"`
	Rationale    []string      `json:"rationale"`
	Consequences []string      `json:"consequences,omitzero"`
	Rest         `json:"-"`
}

// Alternative is an option that a decision did not take.
type Alternative struct {
	Option         string `json:"option"`
	RejectedReason string `json:"rejected_reason"`
	Rest           `json:"-"`
}

// SessionContent says where a session left off.
type SessionContent struct {
	Goal        string   `json:"goal"`
	Outcome     string   `json:"outcome"`
	Completed   []string `json:"completed"`
	InProgress  []string `json:"in_progress,omitzero"`
	Blockers    []string `json:"blockers,omitzero"`
	NextActions []string `json:"next_actions"`
	KeyChanges  []string `json:"key_changes,omitzero"`
	Rest        `json:"-"`
}

// RunbookContent is the content of a runbook: the way out of a problem.
type RunbookContent struct {
	Trigger      string   `json:"trigger"`
	Symptoms     []string `json:"symptoms,omitzero"`
	Steps        []string `json:"steps"`
	Verification string   `json:"verification"`
	RootCause    string   `json:"root_cause,omitempty"`
	Environment  string   `json:"environment,omitempty"`
	Rest         `json:"-"`
}

// ConstraintContent is a limit that work has to respect.
type ConstraintContent struct {
	Kind        string   `json:"kind"`
	Rule        string   `json:"rule"`
	Impact      []string `json:"impact"`
	Workarounds []string `json:"workarounds,omitzero"`
	Severity    string   `json:"severity"`
	Active      *bool    `json:"active"`
	Expires     string   `json:"expires,omitempty"`
	Check       *Check   `json:"check,omitempty"`
	Rest        `json:"-"`
}

// TechDebtContent is work that was put off.
type TechDebtContent struct {
	Status             string   `json:"status"`
	Priority           string   `json:"priority"`
	Description        string   `json:"description"`
	ReasonDeferred     string   `json:"reason_deferred"`
	Impact             []string `json:"impact,omitzero"`
	SuggestedFix       []string `json:"suggested_fix,omitzero"`
	AcceptanceCriteria []string `json:"acceptance_criteria,omitzero"`
	Rest               `json:"-"`
}

// PreferenceContent says how the user or the team wants something done.
type PreferenceContent struct {
	Topic    string    `json:"topic"`
	Value    string    `json:"value"`
	Reason   string    `json:"reason"`
	Strength string    `json:"strength"`
	Examples *Examples `json:"examples,omitempty"`
	Rest     `json:"-"`
}

// Examples show a preference.
type Examples struct {
	Prefer []string `json:"prefer,omitzero"`
	Avoid  []string `json:"avoid,omitzero"`
	Rest   `json:"-"`
}

// OtherContent is that of a category that memctl does not know.
type OtherContent struct {
	Rest `json:"-"`
}

// NewContent returns the empty content of a category.
func NewContent(c Category) Content {
	switch c {
	case Decision:
		return &DecisionContent{}
	case SessionSummary:
		return &SessionContent{}
	case Runbook:
		return &RunbookContent{}
	case Constraint:
		return &ConstraintContent{}
	case TechDebt:
		return &TechDebtContent{}
	case Preference:
		return &PreferenceContent{}
	}
	return &OtherContent{}
}

// Sentence returns the text that carries a memory, as text.Plain has it: what an agent has
// to know of it if it reads nothing else. It is "" if the content has none.
func (m *Memory) Sentence() string { return text.Plain(m.carrying()) }

func (m *Memory) carrying() string {
	switch c := m.Content.(type) {
	case *ConstraintContent:
		return c.Rule
	case *PreferenceContent:
		return c.Value
	case *DecisionContent:
		return c.Decision
	case *RunbookContent:
		trigger := strings.TrimRight(strings.TrimSpace(c.Trigger), ".:;")
		switch {
		case len(c.Steps) == 0:
			return c.Trigger
		case trigger == "":
			return c.Steps[0]
		case len(c.Steps) == 1:
			return trigger + ": " + c.Steps[0]
		}
		return fmt.Sprintf("%s: %d steps", trigger, len(c.Steps))
	case *TechDebtContent:
		return c.Description
	case *SessionContent:
		if open := c.Open(); len(open) > 0 {
			return strings.TrimRight(c.Goal, ".") + ". Next: " + strings.Join(open, "; ")
		}
		return c.Goal
	}
	return ""
}

// Addition returns the sentences that a memory adds to its title, "" for none: those that carry it, and those of its
// reasons that lay down a rule, all of them if nothing else is added. Unless the title lays down a rule, the sentences
// that do come first. Then come the options that a decision rejects.
func (m *Memory) Addition() string {
	title := text.WordsAsWritten(m.Title)
	added := func(s string) []string {
		return slices.DeleteFunc(text.Sentences(s), func(sentence string) bool {
			return !slices.ContainsFunc(text.WordsAsWritten(sentence), func(word string) bool {
				return !slices.Contains(title, word)
			})
		})
	}
	sentences, reasons := added(m.Sentence()), added(text.Plain(m.reasons()))
	isRule := text.LaysDownRule(m.Title)
	if isRule || len(sentences) > 0 {
		reasons = slices.DeleteFunc(reasons, func(reason string) bool { return !text.LaysDownRule(reason) })
	}
	if sentences = append(sentences, reasons...); !isRule {
		sentences = rulesFirst(sentences)
	}
	if c, ok := m.Content.(*DecisionContent); ok && len(c.Alternatives) > 0 {
		var rejected []string
		for _, a := range c.Alternatives {
			option := text.Plain(a.Option)
			if why := strings.TrimRight(text.Plain(a.RejectedReason), "."); why != "" {
				option += " (" + why + ")"
			}
			rejected = append(rejected, option)
		}
		sentences = append(sentences, "Rejected: "+strings.Join(rejected, "; "))
	}
	for i, sentence := range sentences[:max(0, len(sentences)-1)] {
		if !strings.ContainsAny(sentence[len(sentence)-1:], ".!?:;") && !strings.HasSuffix(sentence, "。") {
			sentences[i] += "."
		}
	}
	return strings.Join(sentences, " ")
}

// rulesFirst orders sentences: those that lay down a rule come first.
func rulesFirst(sentences []string) []string {
	var rules, rest []string
	for _, sentence := range sentences {
		if text.LaysDownRule(sentence) {
			rules = append(rules, sentence)
		} else {
			rest = append(rest, sentence)
		}
	}
	return append(rules, rest...)
}

// maxStartLine is how many code points of a memory the start of a session gives.
const maxStartLine = 240

// StartLine returns the title of a memory and the sentence that adds to it, as the start of a session gives them; the
// sentence alone if it has the title, which may have been cut off.
func StartLine(title, sentence string) string {
	title = text.OneLine(title, maxStartLine)
	switch {
	case sentence == "":
		return title
	case strings.Contains(sentence, strings.TrimRight(title, "….")), begins(title, sentence):
		return text.CutSentence(sentence, maxStartLine)
	case !strings.HasSuffix(title, "?") && !strings.HasSuffix(title, "!"):
		title = strings.TrimRight(title, ".") + "."
	}
	return title + " " + text.CutSentence(sentence, max(0, maxStartLine-1-utf8.RuneCountInString(title)))
}

// begins reports whether a title that was cut off is the beginning of a sentence, whatever marks stand between the
// words: a runbook of one sentence is divided into when and what.
func begins(title, sentence string) bool {
	begun, cut := strings.CutSuffix(title, "…")
	words, all := text.WordsAsWritten(begun), text.WordsAsWritten(sentence)
	return cut && len(words) <= len(all) && slices.Equal(words, all[:len(words)])
}

// reasons returns the text that says why a memory is so.
func (m *Memory) reasons() string {
	switch c := m.Content.(type) {
	case *DecisionContent:
		return strings.Join(c.Rationale, "\n")
	case *ConstraintContent:
		return strings.Join(c.Impact, "\n")
	case *PreferenceContent:
		return c.Reason
	case *TechDebtContent:
		return c.ReasonDeferred
	}
	return ""
}

// IsStandingRule reports whether a memory holds whatever the work is about: a strong preference,
// or a constraint of high severity.
func (m *Memory) IsStandingRule() bool {
	switch c := m.Content.(type) {
	case *ConstraintContent:
		return c.Severity == "high" && (c.Active == nil || *c.Active)
	case *PreferenceContent:
		return c.Strength == "strong"
	}
	return false
}

// maxExample is how many words an example of a preference has at most that is itself a
// command.
const maxExample = 6

// Commands returns the commands that a memory is about, sorted: the code between backquotes in every sentence of what
// stands, in a constraint's rule, in the steps of a runbook, in what a preference avoids, and in every sentence of a
// title, of what carries a memory and of its reasons that lays down a rule or says what comes before. An example
// without backquotes may be a command as a whole. One space parts the words. If it forbids some of them, it is about
// these only; what it wants needs no reminder, but a step of a runbook calls the others to mind.
func (m *Memory) Commands() []string {
	return m.Code().About()
}

// Forbidden returns those of Commands that the memory forbids.
func (m *Memory) Forbidden() []string { return m.Code().Forbidden }

// Code returns the commands of a memory, by what it says of them. Some of Commands may be the beginning of one that it
// wants.
func (m *Memory) Code() (c text.Coded) {
	add := func(s string, always bool) {
		more := text.Code(s)
		c.Wanted = append(c.Wanted, more.Wanted...)
		c.Forbidden, c.Limited = append(c.Forbidden, more.Forbidden...), append(c.Limited, more.Limited...)
		if len(more.Run)+len(more.Other) == 0 ||
			!always && !m.IsStandingRule() && !text.LaysDownRule(s) && !text.ComesBefore(s) {
			return
		}
		c.Other = append(c.Other, more.Other...)
		if m.Category == Runbook && !text.ComesBefore(s) {
			c.Other = append(c.Other, more.Run...)
		} else {
			c.Wanted = append(c.Wanted, more.Run...)
		}
	}
	for _, sentence := range text.Sentences(m.Title + "\n" + m.carrying() + "\n" + m.reasons()) {
		add(sentence, false)
	}
	switch content := m.Content.(type) {
	case *ConstraintContent:
		add(content.Rule, true)
		if command := content.Check.command(); command != "" {
			c.Forbidden = append(c.Forbidden, command)
			c.Limited = slices.DeleteFunc(c.Limited, func(limited string) bool { return limited == command })
		}
	case *RunbookContent:
		for _, step := range content.Steps {
			add(step, true)
		}
	case *PreferenceContent:
		if content.Examples == nil {
			break
		}
		for _, avoid := range content.Examples.Avoid {
			if words := strings.Fields(avoid); !strings.Contains(avoid, "`") && len(words) <= maxExample {
				avoid = "`" + avoid + "`"
			}
			more := text.Code(avoid)
			c.Forbidden = slices.Concat(c.Forbidden, more.Forbidden, more.Wanted, more.Run, more.Other)
		}
	}
	for _, list := range []*[]string{&c.Forbidden, &c.Wanted, &c.Other} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	isForbidden := func(command string) bool { return slices.Contains(c.Forbidden, command) }
	c.Wanted = slices.DeleteFunc(c.Wanted, isForbidden)
	c.Other = slices.DeleteFunc(c.Other, func(command string) bool {
		return isForbidden(command) || slices.Contains(c.Wanted, command)
	})
	if len(c.Forbidden) > 0 {
		c.Wanted, c.Other = append(c.Wanted, c.Other...), nil
	}
	return c
}

// EndOf returns when a date is over: a day, a month or a year at its end.
func EndOf(date string) (time.Time, bool) {
	date = strings.TrimSpace(date)
	for _, form := range []struct {
		layout              string
		years, months, days int
	}{{time.DateOnly, 0, 0, 1}, {"2006-01", 0, 1, 0}, {"2006", 1, 0, 0}} {
		if t, err := time.Parse(form.layout, date); err == nil {
			return t.AddDate(form.years, form.months, form.days), true
		}
	}
	return ParseTime(date)
}

// The words with which one decision says that it, or another one, is superseded.
var (
	supersedes   = text.Pattern(`\b(?:supersedes|supercedes|replaces|obsoletes|reverts)\b`)
	supersededBy = text.Pattern(`\b(?:superseded|superceded|replaced|obsoleted|reverted) (?:by|with)\b`)
	succession   = []string{"supersede", "supercede", "replace", "obsolete", "revert"} // what these words begin with
)

// Succession is the statement of a decision about another one.
type Succession struct {
	Supersedes bool   // the other one, else it is superseded by the other one
	Reference  string // the rest of the line, in lower case
}

// Successions returns what a decision says of those before and after it. Only one that is
// accepted supersedes others.
func (m *Memory) Successions() (list []Succession) {
	c, ok := m.Content.(*DecisionContent)
	if !ok {
		return nil
	}
	says := func(line string) bool { // a tenth of what the expressions cost
		return slices.ContainsFunc(succession, func(part string) bool { return strings.Contains(line, part) })
	}
	for line := range strings.Lines(text.Lower(m.Text())) {
		if !says(line) {
			continue
		}
		if at := supersededBy().FindStringIndex(line); at != nil && c.Status == "superseded" {
			list = append(list, Succession{false, strings.TrimSpace(line[at[1]:])})
		}
		if at := supersedes().FindStringIndex(line); at != nil && c.Status == "accepted" {
			list = append(list, Succession{true, strings.TrimSpace(line[at[1]:])})
		}
	}
	return list
}

const (
	// maxSaid is how many code points of a line name another decision at most.
	maxSaid = 300
	// signs stand around the name of a decision.
	signs = " \t\r:;,.!()[]<>*_\"'`“”„‘’«»"
)

var idInText = text.Pattern(`[a-z0-9]+(?:-[a-z0-9]+)+`)

// Names returns what the line may call the other decision: an id of several words, or a
// title that stands at its beginning, in lower case. Each beginning of several words is one,
// and so is the whole line, which may be a title of one word or with signs around it.
func (s Succession) Names() (names []string) {
	line := strings.TrimLeft(text.Truncate(s.Reference, maxSaid), " :")
	words := strings.TrimLeft(line, signs)
	names = append(idInText().FindAllString(words, -1), line, strings.TrimRight(words, signs))
	for at, r := range words + " " {
		if strings.ContainsRune(signs, r) {
			for _, name := range []string{words[:at], strings.TrimRight(words[:at], signs)} {
				if strings.ContainsAny(name, " -") {
					names = append(names, name)
				}
			}
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
}

// SupersededBy reports whether one of two decisions says that the other one, which was made
// later or is no older, stands in place of this one.
func (m *Memory) SupersededBy(other *Memory) bool {
	says := func(one, two *Memory, supersedes bool) bool {
		return slices.ContainsFunc(one.Successions(), func(s Succession) bool {
			names := s.Names()
			return s.Supersedes == supersedes && (slices.Contains(names, text.Lower(two.Title)) ||
				slices.Contains(names, two.ID))
		})
	}
	if m == other || m.Category != Decision || other.Category != Decision {
		return false
	}
	before, known := ParseTime(m.UpdatedAt)
	after, _ := ParseTime(other.UpdatedAt)
	created, dated := ParseTime(m.CreatedAt)
	later, _ := ParseTime(other.CreatedAt)
	return says(m, other, false) || (known && !after.Before(before) || dated && later.After(created)) &&
		says(other, m, true)
}
