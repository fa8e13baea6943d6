package exchange

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memctl/schemas"
	"memctl/text"
)

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

// body returns the content that a draft is to have, by its category. Fields that a schema
// requires and the source does not have are empty.
func (d draft) body() schemas.Content {
	reasons := nonEmptyLines(d.why)
	if len(reasons) == 0 {
		reasons = []string{""}
	}
	// led is for a category whose content has no field for a topic.
	led := d.text
	if d.lead != "" && !strings.Contains(d.text, d.lead) {
		led = strings.TrimSuffix(d.lead, ":") + ": " + d.text
	}
	switch d.category {
	case schemas.Decision:
		return &schemas.DecisionContent{Status: "accepted", Context: d.topic, Decision: d.text,
			Rationale: reasons}
	case schemas.Constraint:
		return &schemas.ConstraintContent{
			Kind: schemas.KindOf(d.text), Rule: led, Impact: reasons, Severity: schemas.SeverityOf(d.text),
			Active: new(true),
		}
	case schemas.Runbook:
		steps := d.steps
		if len(steps) == 0 {
			steps = nonEmptyLines(d.text)
		}
		return &schemas.RunbookContent{Trigger: d.topic, Steps: steps, Verification: d.why}
	case schemas.TechDebt:
		return &schemas.TechDebtContent{Status: "open", Priority: "medium", Description: led, ReasonDeferred: d.why}
	case schemas.SessionSummary:
		return &schemas.SessionContent{
			Goal: d.topic, Outcome: "partial", Completed: nonEmptyLines(d.text), NextActions: []string{},
		}
	}
	return &schemas.PreferenceContent{Topic: d.topic, Value: d.text, Reason: d.why,
		Strength: schemas.StrengthOf(d.text)}
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

func pick[T any](condition bool, yes, no T) T {
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

// titleLength is how many code points a title has at most.
const titleLength = 120

// titleFrom returns a title for a text: its first line.
func titleFrom(phrase string) string {
	return text.OneLine(strings.TrimRight(text.Unmarked(firstLine(strings.TrimSpace(phrase))), " .:"), titleLength)
}

func firstLine(s string) string {
	first, _, _ := strings.Cut(s, "\n")
	return first
}

// topicTags returns the words of headings as tags.
func topicTags(headings ...string) []string {
	var tags []string
	for _, h := range headings {
		for _, word := range strings.FieldsFunc(text.Lower(text.Unmarked(h)), func(r rune) bool {
			return !isWordRune(r)
		}) {
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
