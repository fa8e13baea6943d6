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

// kindNamed returns the category that a word names, or the category of a text by its wording.
func kindNamed(word, phrase string) (schemas.Category, bool) {
	if category, ok := categoryNamed(word); ok {
		return category, true
	}
	return schemas.Guess(phrase)
}

// quoting are the marks of a quote, which may be a notice.
var quoting = expression{source: `(?m)^> ?(?:\[!\w+\]\s*)?(?:> )?|^\s*</?[a-z_]+>\s*$`}

// parted is a line of a table, or one with a label.
var parted = expression{source: `^\||^\**[A-Z][\w ]{1,20}:\**(?: |$)`}

// unwrapped joins the lines of a paragraph or an item that only the width of the page parts.
func unwrapped(phrase string) string {
	var out []string
	fence := false
	for line := range strings.SplitSeq(quoting.re().ReplaceAllString(phrase, ""), "\n") {
		marks := fenceLine.re().MatchString(line)
		last := len(out) - 1
		if last < 0 || fence || marks || startsBlock(line) || parted.re().MatchString(line) ||
			strings.HasSuffix(out[last], ":") || strings.HasPrefix(out[last], "```") {
			out = append(out, line)
		} else {
			out[last] += " " + strings.TrimSpace(line)
		}
		fence = fence != marks
	}
	return strings.Join(out, "\n")
}

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

// titleFrom returns a title for a text: its first sentence, or what stands before the
// colon if that is emphasised.
func titleFrom(phrase string) string {
	title := ""
	if list := sentencesOf(text.Unmarked(flowing(phrase))); len(list) > 0 {
		title = text.OneLine(list[0], 4000)
	}
	return fitted(unstopped(title), titleLength)
}

// flowing returns the first paragraph of a text, or the first item of a list, without its
// line breaks.
func flowing(phrase string) string {
	first, rest, _ := strings.Cut(phrase, "\n")
	for line := range strings.SplitSeq(rest, "\n") {
		if strings.TrimSpace(line) == "" || startsBlock(line) || parted.re().MatchString(line) ||
			strings.HasSuffix(first, ":") {
			break
		}
		first += " " + strings.TrimSpace(line)
	}
	return first
}

// fitted returns a title of at most n code points: whole, up to the end of a clause, or cut.
func fitted(title string, n int) string {
	return text.OneLine(cmp.Or(shortened(title, n), upTo(title, n, &phraseEnd), title), n)
}

var (
	clauseEnd = expression{source: `[;:] |[；（]| [–—-] | \(|` +
		` (?:because|so|in order to|instead of|rather than|unless|until)\b|` +
		`, (?:and|but|so|which|where|with|by|because|since|as|using|` +
		`instead|rather|including|such|making|allowing|unless|if|` +
		`when|while|e\.g|i\.e)\b`}
	looseEnd = expression{source: `, |，| (?:if|when|whenever|that|which|where|with|as)\b|` +
		` or (?:the|an?|use|by)\b| and (?:the|an?|then|also|do|don't|never|always|avoid|` +
		`keep|use|make|add|run|prefer|ensure|update|set|write|put)\b`}
	phraseEnd = expression{source: ` (?:for|from|in|on|to|into|by|at|than|` +
		`before|after|via|within|through|without|between|during|under)\b`}
	listEnd = expression{source: `, (?:and|or) `}
	chapter = expression{source: `^\d+(?:\.\d+)*[.)]?\s+`}
	label   = expression{source: `^[A-Z][\w /-]{2,30}: `}
)

// shortened returns as much of a sentence as has at most n code points: up to the last end of a clause, or
// of a phrase if that says what to do. It is "" if that says little.
func shortened(sentence string, n int) string {
	short := clause(sentence, n)
	if short != "" {
		return short
	}
	if short = upTo(sentence, n, &phraseEnd); len(strings.Fields(short)) > 4 &&
		(isImperative(short) || words().WillBe.MatchString(short)) {
		return short
	}
	return ""
}

// clause is shortened for whole clauses. What stands in brackets goes first, and what only leads to what is to
// be done.
func clause(sentence string, n int) string {
	if sentence = strings.TrimSpace(sentence); len([]rune(sentence)) <= n {
		return sentence
	}
	loose := upTo(sentence, n, &looseEnd)
	return cmp.Or(upTo(sentence, n, &clauseEnd), pick(isImperative(loose) || words().Says.MatchString(loose), loose,
		""))
}

// upTo returns a sentence up to the last of some ends that leaves at most n code points, "" for none.
func upTo(sentence string, n int, end *expression) (short string) {
	if prefix := label.re().FindString(sentence); prefix != "" {
		if short = upTo(sentence[len(prefix):], n-len(prefix), end); short != "" {
			return prefix + short
		}
	}
	if sentence = inBrackets.re().ReplaceAllString(sentence, ""); len([]rune(sentence)) <= n {
		return sentence
	}
	opens := cmp.Or(words().Listed.FindString(sentence), words().Opening.FindString(sentence))
	if rest := strings.TrimSpace(sentence[len(opens):]); words().Opening.MatchString(sentence) &&
		!strings.HasPrefix(rest, "and ") &&
		(isImperative(rest) || words().WillBe.MatchString(rest)) && !words().Pronoun.MatchString(firstWords(rest, 6)) {
		if sentence = capital(rest); len([]rune(sentence)) <= n {
			return sentence
		}
	}
	inList := false
	for _, at := range end.re().FindAllStringIndex(sentence, -1) {
		if end == &phraseEnd && strings.Contains(sentence[:at[0]], ", ") && listEnd.re().MatchString(sentence[at[0]:]) {
			continue // within a list
		}
		if comma := sentence[at[0]:at[1]] == ", "; comma && inList {
			continue // a list is left out but for its first item
		} else if comma {
			inList = true
		}
		clause := strings.TrimRight(words().Dangling.ReplaceAllString(sentence[:at[0]], ""), " ,;:\"'”，；")
		open := strings.Count(clause, "`")%2 + strings.Count(clause, `"`)%2 + strings.Count(clause,
			"(") - strings.Count(clause, ")")
		if len([]rune(clause)) <= n && (len(strings.Fields(clause)) > 3 || len(clause)-len([]rune(clause)) > 20) &&
			open == 0 &&
			len(words().Opening.FindString(clause+", ")) < len(clause) {
			short = clause
		}
	}
	return short
}

func firstWords(phrase string, n int) string {
	list := strings.Fields(phrase)
	return strings.Join(list[:min(n, len(list))], " ")
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
