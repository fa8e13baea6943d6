package exchange

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memctl/schemas"
	"memctl/text"
)

// labelled is a line that names a command: "Test: `make test`" or "`make test` runs the
// tests".
var labelled = expression{source: "^(?:[^`:]{1,60}:\\s*`([^`]+)`\\.?$|" +
	"`([^`]+)`\\s*(?:[-–—:#(]|\\bto\\b|runs?\\b|builds?\\b|starts?\\b).*)"}

// commandWord begins a command.
var commandWord = expression{source: `^(?:\$ )?(?:\./|~/|[a-z])[\w./-]*(?: .*)?$`}

// kindNamed returns the category that a word names, or else that of a text by its wording.
func kindNamed(word, phrase string) (schemas.Category, bool) {
	if category, ok := categoryNamed(word); ok {
		return category, true
	}
	return schemas.Guess(phrase)
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

// made returns the content that a draft is to have, by its category. Fields that a schema
// requires and the source does not say are filled with where to look.
func (d draft) made() schemas.Content {
	why := cmp.Or(d.why, "Stated in "+d.from+".")
	// led is for a category whose content has no field for a topic.
	led := d.text
	if d.lead != "" && !strings.Contains(d.text, d.lead) {
		led = strings.TrimSuffix(d.lead, ":") + ": " + d.text
	}
	switch d.category {
	case schemas.Decision:
		return &schemas.DecisionContent{Status: "accepted", Context: d.topic, Decision: d.text,
			Rationale: nonEmptyLines(why)}
	case schemas.Constraint:
		return &schemas.ConstraintContent{
			Kind: pick(words().Cannot.MatchString(d.text), "limitation", "policy"), Rule: led,
			Impact:   nonEmptyLines(why),
			Severity: pick(words().Severe.MatchString(d.text), "high", "medium"), Active: new(true),
		}
	case schemas.Runbook:
		steps := d.steps
		if len(steps) == 0 {
			steps = nonEmptyLines(d.text)
		}
		return &schemas.RunbookContent{Trigger: d.topic, Steps: steps, Verification: why}
	case schemas.TechDebt:
		return &schemas.TechDebtContent{Status: "open", Priority: "medium", Description: led, ReasonDeferred: why}
	case schemas.SessionSummary:
		return &schemas.SessionContent{
			Goal: d.topic, Outcome: "partial", Completed: nonEmptyLines(d.text), NextActions: []string{},
		}
	}
	strength := pick(words().Soft.MatchString(d.text), "soft", "default")
	if words().Strong.MatchString(d.text) {
		strength = "strong"
	}
	return &schemas.PreferenceContent{Topic: d.topic, Value: d.text, Reason: why, Strength: strength}
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

// titleLength is how many code points a title has at most.
const titleLength = 120

// titleFrom returns a title for a text: its first sentence, or what stands before the
// colon if that is emphasised.
func titleFrom(phrase string) string {
	title := text.Summary(unmarked(flowing(phrase)), 4000)
	return fitted(strings.TrimRight(title, " .:。"))
}

// flowing returns the first paragraph of a text, or the first item of a list, without its
// line breaks.
func flowing(phrase string) string {
	first, rest, _ := strings.Cut(phrase, "\n")
	for line := range strings.SplitSeq(rest, "\n") {
		if strings.TrimSpace(line) == "" || startsBlock(line) || strings.HasSuffix(first, ":") {
			break
		}
		first += " " + strings.TrimSpace(line)
	}
	return first
}

// fitted returns a title that fits: whole, up to the end of a clause, or cut.
func fitted(title string) string {
	return text.OneLine(cmp.Or(shortened(title, titleLength), title), titleLength)
}

var (
	clauseEnd = expression{source: `[;:] | [–—-] | \(| (?:because|so that|in order to|instead of|rather than|unless|until)\b|` +
		`, (?:and|but|so|which|where|with|by|because|since|as|using|instead|rather|including|such|making|allowing|unless|if|` +
		`when|while|e\.g|i\.e)\b`}
	looseEnd = expression{source: `, | (?:and|or|if|when|that|which|where|with|as)\b`}
	opening  = expression{source: `(?i)^(?:as|when|if|in|since|because|given|although|while|to|for|with|by|at|on|after|before|` +
		`due|based|therefore|however|initially|currently|thus|hence|so|now|once|additionally)\b[^,]*, (?:then )?`}
	inBrackets = expression{source: `\s*\([^()]*\)`}
)

// shortened returns as much of a sentence as has at most n code points: without what stands
// in brackets, then up to the last end of a clause. It is "" if that says little.
func shortened(sentence string, n int) string {
	sentence = strings.TrimSpace(sentence)
	if len([]rune(sentence)) > n {
		sentence = inBrackets.re().ReplaceAllString(sentence, "")
		opens := opening.re().FindString(sentence)
		for at, r := range sentence { // what is to be done stands after a list of when it is
			if opens != "" && r == ',' && words().Decides.MatchString(strings.TrimSpace(sentence[at+1:])) {
				opens = sentence[:at+1]
				break
			}
		}
		sentence = capital(strings.TrimSpace(sentence[len(opens):]))
	}
	if len([]rune(sentence)) <= n {
		return sentence
	}
	short := ""
	ends := clauseEnd.re().FindAllStringIndex(sentence, -1)
	if len(ends) == 0 || ends[0][0] > n {
		ends = looseEnd.re().FindAllStringIndex(sentence, -1)
	}
	for _, at := range ends {
		clause := strings.TrimRight(sentence[:at[0]], " ,;:\"'”")
		open := strings.Count(clause, "`")%2 + strings.Count(clause, "(") - strings.Count(clause, ")")
		if len([]rune(clause)) <= n && len(strings.Fields(clause)) > 3 && open == 0 &&
			!opening.re().MatchString(clause+", ") {
			short = clause
		}
	}
	return short
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
