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

// labelled is a line that names a command: "Test: `make test`" or "`make test` runs the tests".
var labelled = expression{source: "^([^:]{1,60}:\\s*)?`([^`]+)`((?:\\s*[-–—:#(→]|\\s+(?:to|runs?|builds?|starts?)\\b)?.*)$"}

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
	if m := labelled.re().FindStringSubmatch(unmarked(phrase)); m != nil && words().Command.MatchString(m[2]) {
		alone := strings.Trim(m[3], " .") == ""
		return (operates || strings.Contains(m[2], " ")) && (alone || operates || m[1] == "" && m[3] != "" && m[3][0] != ',')
	}
	m := inCode.re().FindStringSubmatch(phrase)
	return operates && m != nil && runs.re().MatchString(phrase) && strings.Contains(m[1], " ") && words().Command.MatchString(m[1])
}

// runs begins what to run.
var runs = expression{source: `(?i)^\W*(?:[\w ]{1,40}: )?(?:run|execute|use|start|build|test|lint|format|install|deploy|tag|release|generate|create|launch|check)\b`}

var inCode = expression{source: "`([^`]+)`"}

var (
	// before is what may stand before an instruction: a label, a condition or a word such as "always".
	before = expression{source: `(?i)^(?:[^:.]{1,40}: |(?:when|if|for|before|after|to|in|while|once|unless|on|with|instead of|by default)\b[^.]*?, )?` +
		`(?:(?:please|always|also|then|only|just|simply|instead|first|finally|next|otherwise|explicitly|immediately|you must|agents? must)[, ]+)*`}
	nothing = expression{source: `^`}
	// nameBefore is a name with a colon, such as "Stage Examples: ".
	nameBefore = expression{source: `^\w+(?: (?:[A-Z]\w*|and|or|of|&))+: |^\w+(?: \w+)?: `}
	// aside is a clause that says of something what it must be, or cannot.
	asides = expression{source: `\([^()]*\b(?:requires?|required for|only|must|cannot|can't)\b[^()]*\)`}
	aside  = expression{source: `(?i)\b(?:when|if|where|that|which|who|because|since|so)(?:[ ,]+[\w-]+){0,6}[ ,]+(?:should|cannot|can't|must|don't|do not|never|may not|requires?|(?:is|are) required)\b`}
	// shown labels an example.
	shown     = expression{source: `(?i)^\W*(?:bad|good|wrong|right|correct|incorrect|examples?|before|after|do|don't|yes|no)\W*(?:\n|$|: ?\x60)|^examples?: `}
	condition = expression{source: `(?i)^(?:when|if|for|before|after|to|in|while|once|unless|on|with|as|by|from|at)\b[^.]*?, `}
	// refersBack begins a sentence that only the one before it explains.
	refersBack = expression{source: `(?i)^(?:this|that|these|those|it|they|because|since|otherwise|as a result|therefore|so|e\.g|i\.e|such|both|each)\b`}
	// fact is what defines a thing, or says what it does.
	fact = expression{source: "^(?:`[^`]+`|\\*\\*[^*]+\\*\\*)(?:\\s*\\([^)]*\\))?(?:\\s+(?:[-–—=→]|is|are|\\w+s)\\s|\\s*[:,]\\s+`?[A-Z(])|" +
		"(?i:^see )|^[\"“]|^`[^`]+`(?:\\s\\w+)?(?:\\s*:|\\s+(?:[-–—=→]|is|are|\\w+s)\\s)|^`[^`]+`\\W*$|^\\[[^\\]]*\\]\\([^)]*\\)\\W*$"}
	// defines begins with a name in code and what it is, such as a setting.
	defines = expression{source: "^(?:\\*\\*)?`[^`]+`(?:\\*\\*)?(?:\\s*\\([^)]*\\))?\\s*(?::|—|–|-)\\s"}
	tells   = expression{source: `(?i)^(?:this|that|these|those|it|they|here|there) (?:is|are|was|means?|ensures?|allows?|lets?|makes?|gives?|keeps?|helps?|prevents?|avoids?|includes?|contains?|uses?|covers?)\b`}
	english = expression{source: `(?i)\b(?:the|an?|is|are|to|of|and|for|in|with|or|by|on|as|it)\b`}
	// unneeded are words that forbid nothing, though they sound like it.
	unneeded = expression{source: `(?i)\b(?:(?:do|does|did)(?:n't| not)|may not) (?:need|have|matter|apply|hold|care|know|exist|mean|affect)\b|\bno [\w -]{1,40} (?:is |are )?(?:required|needed)\b`}
)

// isImperative reports whether a sentence begins with what to do, after a label or a condition.
func isImperative(sentence string) bool {
	sentence = inBrackets.re().ReplaceAllString(strings.ReplaceAll(unmarked(sentence), "*", ""), "")
	sentence = strings.TrimLeft(sentence, "\"'([→✅❌ ")
	sentence = nameBefore.re().ReplaceAllString(sentence, "")
	for _, start := range []*expression{&nothing, &before, &condition, &listed} {
		rest := strings.TrimLeft(start.re().ReplaceAllString(sentence, ""), "\"'([ ")
		if words().Verbs.MatchString(rest) && !words().Noun.MatchString(rest) {
			return true
		}
	}
	return false
}

// instructs returns the category of a sentence that says what to do, or what was decided or put off; ""
// for one that describes. A definition instructs only if it begins what to do, or forbids.
func instructs(sentence string) schemas.Category {
	plain := asides.re().ReplaceAllString(unmarked(sentence), "")
	plain = aside.re().ReplaceAllString(unneeded.re().ReplaceAllString(plain, ""), "")
	bids := isImperative(sentence)
	switch category, guessed := schemas.Guess(plain); {
	case strings.HasSuffix(strings.TrimSpace(sentence), "?"):
		return ""
	case defines.re().MatchString(sentence) && !words().Forbids.MatchString(plain):
		return ""
	case !bids && (tells.re().MatchString(sentence) || fact.re().MatchString(sentence) && !words().Forbids.MatchString(plain)):
		return ""
	case words().Owes.MatchString(plain):
		return schemas.TechDebt
	case bids && words().Prohibits.MatchString(plain):
		return schemas.Constraint
	case bids:
		return schemas.Preference
	case words().Demands.MatchString(plain):
		return schemas.Constraint
	case words().Wishes.MatchString(plain):
		return schemas.Preference
	case guessed && category == schemas.Decision && english.re().MatchString(plain):
		return category
	case guessed && !english.re().MatchString(plain) && (category == schemas.Constraint || category == schemas.Preference):
		for _, r := range plain {
			if r > 127 { // another language
				return category
			}
		}
	}
	return ""
}

// sentencesOf returns the sentences of a text without blocks of code. A full stop within code or in an
// abbreviation ends none.
func sentencesOf(phrase string) []string {
	phrase, _, _ = strings.Cut(phrase, "```")
	hidden := inSentence.re().ReplaceAllStringFunc(phrase, func(found string) string { return hideStops.Replace(found) })
	list := text.Sentences(hidden)
	for i, s := range list {
		list[i] = showStops.Replace(listMark.re().ReplaceAllString(s, ""))
	}
	return list
}

var (
	inSentence = expression{source: "`[^`\n]+`|\\b(?:e\\.g|i\\.e|etc|vs|cf|incl|approx|resp)\\. |\\.\\.\\.|(?m)^\\d+\\. |\\([^()\n]*\\)"}
	listMark   = expression{source: `^[-*+]\s+`}
	hideStops  = strings.NewReplacer(".", "\uE000", "!", "\uE001", "?", "\uE002")
	showStops  = strings.NewReplacer("\uE000", ".", "\uE001", "!", "\uE002", "?")
)

// plainSentence returns the first sentence of a text without marks, for a title.
func plainSentence(phrase string) string {
	first := ""
	if list := sentencesOf(unmarked(flowing(phrase))); len(list) > 0 {
		first = list[0]
	}
	return text.OneLine(unstopped(strings.NewReplacer("`", "", "**", "").Replace(first)), 4000)
}

// unstopped returns a sentence without what ends it. A full stop after a space is a folder.
func unstopped(sentence string) string {
	sentence = strings.TrimRight(sentence, " :。")
	if strings.HasSuffix(sentence, " .") || strings.HasSuffix(sentence, "..") {
		return sentence
	}
	return strings.TrimRight(sentence, " .:")
}

// quoting are the marks of a quote, which may be a notice.
var quoting = expression{source: `(?m)^> ?(?:\[!\w+\]\s*)?(?:> )?|^\s*</?[a-z_]+>\s*$`}

// parted is a line of a table, or one with a label.
var parted = expression{source: `^\||^[A-Z][\w ]{1,20}:(?: |$)`}

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
	title := ""
	if list := sentencesOf(unmarked(flowing(phrase))); len(list) > 0 {
		title = text.OneLine(list[0], 4000)
	}
	return fitted(unstopped(title), titleLength)
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

// fitted returns a title of at most n code points: whole, up to the end of a clause, or cut.
func fitted(title string, n int) string {
	return text.OneLine(cmp.Or(shortened(title, n), upTo(title, n, &phraseEnd), title), n)
}

var (
	clauseEnd = expression{source: `[;:] | [–—-] | \(| (?:because|so that|in order to|instead of|rather than|unless|until)\b|` +
		`, (?:and|but|so|which|where|with|by|because|since|as|using|instead|rather|including|such|making|allowing|unless|if|` +
		`when|while|e\.g|i\.e)\b`}
	looseEnd  = expression{source: `, | (?:and|or|if|when|that|which|where|with|as)\b`}
	phraseEnd = expression{source: ` (?:for|from|in|on|to|into|by|at|than|before|after|via|within|through|without|between|during|under)\b`}
	willBe    = expression{source: `(?i)\b(?:will|must|should|shall|can|may|never|not)\b [a-z]`}
	// dangling are words that nothing follows.
	dangling = expression{source: `(?i)(?: (?:and|or|but|an?|the|of|to|for|with|in|on|at|by|from|as|that|which|both|is|are|be|will|should|not|only|such|by \w+ing|to be \w+))+$`}
	opening  = expression{source: `(?i)^(?:as|when|if|in|since|because|given|although|while|to|for|with|by|at|on|after|before|` +
		`due|based|therefore|however|initially|currently|thus|hence|so|now|once|additionally)\b[^,]*, (?:then )?`}
	listed     = expression{source: `(?i)^[^.;:]*?, (?:or|and) [^,]*, `}
	inBrackets = expression{source: `\s*\([^()]*\)`}
)

// shortened returns as much of a sentence as has at most n code points: up to the last end of a clause, or
// of a phrase if that says what to do. It is "" if that says little.
func shortened(sentence string, n int) string {
	short := clause(sentence, n)
	if short != "" {
		return short
	}
	if short = upTo(sentence, n, &phraseEnd); len(strings.Fields(short)) > 4 && (isImperative(short) || willBe.re().MatchString(short)) {
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
	return cmp.Or(upTo(sentence, n, &clauseEnd), pick(isImperative(loose) || words().Says.MatchString(loose), loose, ""))
}

// upTo returns a sentence up to the last of some ends that leaves at most n code points, "" for none.
func upTo(sentence string, n int, end *expression) (short string) {
	sentence = inBrackets.re().ReplaceAllString(sentence, "")
	opens := cmp.Or(listed.re().FindString(sentence), opening.re().FindString(sentence))
	if rest := strings.TrimSpace(sentence[len(opens):]); opening.re().MatchString(sentence) &&
		(isImperative(rest) || willBe.re().MatchString(rest)) {
		sentence = capital(rest)
	}
	if len([]rune(sentence)) <= n {
		return sentence
	}
	for _, at := range end.re().FindAllStringIndex(sentence, -1) {
		clause := strings.TrimRight(dangling.re().ReplaceAllString(sentence[:at[0]], ""), " ,;:\"'”")
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
