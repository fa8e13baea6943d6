package exchange

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memctl/schemas"
	"memctl/text"
)

// labelled is a line that names a command: "Test: `make test`" or "`make test` runs the
// tests".
var labelled = expression{source: "^(?:[^`:]{1,60}:\\s*`([^`]+)`\\.?$|`([^`]+)`\\s*(?:[-–—:#(]|\\bto\\b|runs?\\b|builds?\\b|starts?\\b).*)"}

// commandWord begins a command.
var commandWord = expression{source: `^(?:\$ )?(?:\./|~/|[a-z])[\w./-]*(?: .*)?$`}

// classify returns the category of a text by its wording.
func classify(phrase string) (schemas.Category, bool) {
	for _, w := range words().Wordings {
		if w.Pattern.MatchString(phrase) {
			return w.Category, true
		}
	}
	return "", false
}

// isCommand reports whether a line does little but name a command, or names one under a
// heading of commands.
func isCommand(phrase, under string) bool {
	operates := words().Operating.MatchString(under)
	if m := labelled.re().FindStringSubmatch(unmarked(phrase)); m != nil {
		named := m[1] + m[2]
		return commandWord.re().MatchString(named) && (operates || strings.Contains(named, " "))
	}
	m := inCode.re().FindStringSubmatch(phrase)
	return operates && m != nil && strings.Contains(m[1], " ") && commandWord.re().MatchString(m[1])
}

var inCode = expression{source: "`([^`]+)`"}

// categoryNamed returns the category that a word names.
func categoryNamed(word string) (schemas.Category, bool) {
	word = strings.ReplaceAll(strings.ReplaceAll(text.Lower(strings.TrimSpace(word)), "_", "-"), " ", "-")
	for category, names := range words().Kinds {
		if slices.Contains(names, word) {
			return category, true
		}
	}
	return "", false
}

// saying is a text and what is known about it, from which content is made.
type saying struct {
	topic string   // what it is about
	lead  string   // what has to stand before it to understand it, "" for nothing
	text  string   // whole
	why   string   // "" if the source gives no reason
	steps []string // of a runbook; nil for the lines of said
	from  string   // where it stands, for a reader
}

// content returns the content of a memory of a category. Fields that a schema requires
// and the source does not say are filled with where to look.
func content(category schemas.Category, s saying) schemas.Content {
	why := s.why
	if why == "" {
		why = "Stated in " + s.from + "."
	}
	switch category {
	case schemas.Decision:
		return &schemas.DecisionContent{Status: "accepted", Context: s.topic, Decision: s.text,
			Rationale: nonEmptyLines(why)}
	case schemas.Constraint:
		return &schemas.ConstraintContent{
			Kind: pick(words().Cannot.MatchString(s.text), "limitation", "policy"), Rule: withLead(s),
			Impact:   nonEmptyLines(why),
			Severity: pick(words().Severe.MatchString(s.text), "high", "medium"), Active: new(true),
		}
	case schemas.Runbook:
		steps := s.steps
		if len(steps) == 0 {
			steps = nonEmptyLines(s.text)
		}
		return &schemas.RunbookContent{Trigger: s.topic, Steps: steps, Verification: why}
	case schemas.TechDebt:
		return &schemas.TechDebtContent{Status: "open", Priority: "medium", Description: withLead(s), ReasonDeferred: why}
	case schemas.SessionSummary:
		return &schemas.SessionContent{
			Goal: s.topic, Outcome: "partial", Completed: nonEmptyLines(s.text), NextActions: []string{},
		}
	}
	strength := "default"
	switch {
	case words().Strong.MatchString(s.text):
		strength = "strong"
	case words().Soft.MatchString(s.text):
		strength = "soft"
	}
	return &schemas.PreferenceContent{Topic: s.topic, Value: s.text, Reason: why, Strength: strength}
}

// withLead is for a category whose content has no field for a topic.
func withLead(s saying) string {
	if s.lead == "" || strings.Contains(s.text, s.lead) {
		return s.text
	}
	return strings.TrimSuffix(s.lead, ":") + ": " + s.text
}

// unless returns what a title does not say already.
func unless(title, lead string) string {
	if strings.Contains(text.Lower(title), text.Lower(lead)) {
		return ""
	}
	return lead
}

// capital returns a text with a capital letter first.
func capital(phrase string) string {
	first, size := utf8.DecodeRuneInString(phrase)
	if size == 0 {
		return phrase
	}
	return string(unicode.ToUpper(first)) + phrase[size:]
}

func pick(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// nonEmptyLines returns the lines of a text without the markers of lists.
func nonEmptyLines(phrase string) []string {
	var lines []string
	for line := range strings.SplitSeq(phrase, "\n") {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- "))
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// titleFrom returns a title for a text: its first sentence, or what stands before the
// colon if that is emphasised.
func titleFrom(phrase string) string {
	first, _, _ := strings.Cut(phrase, "\n")
	title := text.Summary(unmarked(first), 120)
	return strings.TrimRight(title, " .:。")
}

// topicTags returns the words of headings as tags.
func topicTags(headings ...string) []string {
	var tags []string
	for _, h := range headings {
		for _, word := range strings.FieldsFunc(text.Lower(unmarked(h)), func(r rune) bool { return !isWordRune(r) }) {
			if len([]rune(word)) >= 3 && !slices.Contains(words().Generic, word) && len(tags) < 5 {
				tags = append(tags, word)
			}
		}
	}
	return tags
}

func isWordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127
}
