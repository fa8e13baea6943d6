package exchange

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memctl/schemas"
	"memctl/text"
)

// wordings say what kind of memory a sentence is, the first that matches. They are for
// text that does not name its kind.
var wordings = []struct {
	category schemas.Category
	pattern  *expression
}{
	{schemas.TechDebt, &expression{source: `(?i)\b(todo|fixme|tech(nical)? debt|work-?around|hack|temporar(y|ily)|for now|known (issue|bug)s?|deprecated, remove)\b|기술 ?부채|임시로`}},
	{schemas.Decision, &expression{source: `(?i)\b(we|i) (have )?(chose|chosen|decided|picked|selected|went with|settled on)\b|\bdecided (to|on|against|that)\b|\b(was|were) chosen\b|(하기로|로) 결정`}},
	{schemas.Constraint, &expression{source: `(?i)\b(must|never|cannot|can't|do not|don't|does not support|doesn't support|not supported|unsupported|forbidden|prohibited|not allowed|disallowed|required|requires|mandatory|at most|no more than|at least|limited to|rate limits?|off-limits|read-only)\b|금지|해야 ?(한다|합니다)|하지 ?(않는다|마라|말 것)|할 수 없|까지만|제한`}},
	{schemas.Preference, &expression{source: `(?i)\b(always|prefer|prefers|preferred|preferably|avoid|should|convention|by default|style|instead of|rather than)\b|항상|선호|권장|스타일`}},
	{schemas.Preference, &expression{source: `(?i)^\W*(use|keep|write|follow|name|put|place|add|run|include|ensure|make|check|test|format|document|return|handle|create|store|import|export|commit|wrap|group|sort|treat|favou?r|start|end|update|read|leave|remove|split|pass|log|describe|explain|ask|be|stick|address|answer|respond)\b`}},
}

// labelled is a line that names a command: "Test: `make test`" or "`make test` runs the
// tests".
var labelled = expression{source: "^(?:[^`:]{1,60}:\\s*`([^`]+)`\\.?$|`([^`]+)`\\s*(?:[-–—:#(]|\\bto\\b|runs?\\b|builds?\\b|starts?\\b).*)"}

// commandWord begins a command.
var commandWord = expression{source: `^(?:\$ )?(?:\./|~/|[a-z])[\w./-]*(?: .*)?$`}

// operating are headings under which commands and steps stand.
var operating = expression{source: `(?i)\b(commands?|build(ing)?|test(s|ing)?|runn?(ing)?|develop(ment|ing)?|set-?up|install(ation|ing)?|deploy(ment|ing)?|releas(e|ing)|troubleshooting|workflows?|how to|getting started|usage|debugging)\b|명령|빌드|배포|설치`}

// classify returns the category of a text by its wording.
func classify(said string) (schemas.Category, bool) {
	for _, w := range wordings {
		if w.pattern.re().MatchString(said) {
			return w.category, true
		}
	}
	return "", false
}

// isCommand reports whether a line does little but name a command, or names one under a
// heading of commands.
func isCommand(said, under string) bool {
	operates := operating.re().MatchString(under)
	if m := labelled.re().FindStringSubmatch(unmarked(said)); m != nil {
		named := m[1] + m[2]
		return commandWord.re().MatchString(named) && (operates || strings.Contains(named, " "))
	}
	m := inCode.re().FindStringSubmatch(said)
	return operates && m != nil && strings.Contains(m[1], " ") && commandWord.re().MatchString(m[1])
}

var inCode = expression{source: "`([^`]+)`"}

// kinds are words by which other tools and people name a kind of memory.
var kinds = []struct {
	category schemas.Category
	words    []string
}{
	{schemas.Decision, []string{"decision", "decisions", "adr", "adrs", "choice", "architecture-decision", "design-decision"}},
	{schemas.Constraint, []string{"constraint", "constraints", "requirement", "requirements", "limitation", "limitations", "limit", "rule", "rules", "policy", "policies", "gotcha", "gotchas", "warning"}},
	{schemas.Preference, []string{"preference", "preferences", "convention", "conventions", "style", "code-style", "best-practice", "practice", "guideline", "guidelines", "feedback", "standard", "standards"}},
	{schemas.Runbook, []string{"runbook", "runbooks", "procedure", "howto", "how-to", "guide", "playbook", "playbooks", "fix", "solution", "troubleshooting", "incident", "bugfix", "debugging", "method", "recipe"}},
	{schemas.TechDebt, []string{"tech-debt", "techdebt", "technical-debt", "debt", "todo", "todos", "issue", "problem", "bug", "known-issue"}},
	{schemas.SessionSummary, []string{"session-summary", "session", "sessions", "summary", "session-log"}},
}

// categoryNamed returns the category that a word names.
func categoryNamed(word string) (schemas.Category, bool) {
	word = strings.ReplaceAll(strings.ReplaceAll(text.Lower(strings.TrimSpace(word)), "_", "-"), " ", "-")
	for _, kind := range kinds {
		if slices.Contains(kind.words, word) {
			return kind.category, true
		}
	}
	return "", false
}

// saying is a text and what is known about it, from which content is made.
type saying struct {
	topic string   // what it is about
	lead  string   // what has to stand before it to understand it, "" for nothing
	said  string   // whole
	why   string   // "" if the source gives no reason
	steps []string // of a runbook; nil for the lines of said
	from  string   // where it stands, for a reader
}

var (
	strong = expression{source: `(?i)\b(must|always|never|important|critical|required|do not|don't)\b|항상|금지|반드시`}
	soft   = expression{source: `(?i)\b(prefer|preferably|try to|consider|usually|if possible|when possible|where possible|may)\b|가급적|되도록`}
	severe = expression{source: `(?i)\b(never|critical|security|secret|production|data loss|forbidden|must not|irreversibl[ey])\b|금지|보안`}
	cannot = expression{source: `(?i)\b(cannot|can't|not supported|unsupported|at most|no more than|limited to|rate limits?|maximum)\b|할 수 없|까지만|제한`}
)

// content returns the content of a memory of a category. Fields that a schema requires
// and the source does not say are filled with where to look.
func content(category schemas.Category, s saying) map[string]any {
	why := s.why
	if why == "" {
		why = "Stated in " + s.from + "."
	}
	switch category {
	case schemas.Decision:
		return map[string]any{"status": "accepted", "context": s.topic, "decision": s.said, "rationale": list(nonEmptyLines(why))}
	case schemas.Constraint:
		return map[string]any{"kind": pick(cannot.re().MatchString(s.said), "limitation", "policy"), "rule": withLead(s), "impact": list(nonEmptyLines(why)),
			"severity": pick(severe.re().MatchString(s.said), "high", "medium"), "active": true}
	case schemas.Runbook:
		steps := s.steps
		if len(steps) == 0 {
			steps = nonEmptyLines(s.said)
		}
		return map[string]any{"trigger": s.topic, "steps": list(steps), "verification": why}
	case schemas.TechDebt:
		return map[string]any{"status": "open", "priority": "medium", "description": withLead(s), "reason_deferred": why}
	case schemas.SessionSummary:
		return map[string]any{"goal": s.topic, "outcome": "partial", "completed": list(nonEmptyLines(s.said)), "next_actions": list(nil)}
	}
	strength := "default"
	switch {
	case strong.re().MatchString(s.said):
		strength = "strong"
	case soft.re().MatchString(s.said):
		strength = "soft"
	}
	return map[string]any{"topic": s.topic, "value": s.said, "reason": why, "strength": strength}
}

// withLead is for a category whose content has no field for a topic.
func withLead(s saying) string {
	if s.lead == "" || strings.Contains(s.said, s.lead) {
		return s.said
	}
	return strings.TrimSuffix(s.lead, ":") + ": " + s.said
}

// unless returns what a title does not say already.
func unless(title, lead string) string {
	if strings.Contains(text.Lower(title), text.Lower(lead)) {
		return ""
	}
	return lead
}

// capital returns a text with a capital letter first.
func capital(said string) string {
	first, size := utf8.DecodeRuneInString(said)
	if size == 0 {
		return said
	}
	return string(unicode.ToUpper(first)) + said[size:]
}

func pick(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// nonEmptyLines returns the lines of a text without the markers of lists.
func nonEmptyLines(said string) []string {
	var lines []string
	for line := range strings.SplitSeq(said, "\n") {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "- "))
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// titleFrom returns a title for a text: its first sentence, or what stands before the
// colon if that is emphasised.
func titleFrom(said string) string {
	first, _, _ := strings.Cut(said, "\n")
	title := text.Summary(unmarked(first), 120)
	return strings.TrimRight(title, " .:。")
}

// topicTags returns the words of headings as tags.
func topicTags(headings ...string) []string {
	var tags []string
	for _, h := range headings {
		for _, word := range strings.FieldsFunc(text.Lower(unmarked(h)), func(r rune) bool { return !isWordRune(r) }) {
			if len([]rune(word)) >= 3 && !slices.Contains(generic, word) && len(tags) < 5 {
				tags = append(tags, word)
			}
		}
	}
	return tags
}

func isWordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127
}

// generic are words of headings that say nothing as a tag.
var generic = []string{
	"and", "the", "for", "with", "from", "how", "our", "your", "this", "project",
	"overview", "notes", "note", "general", "guidelines", "guide", "rules", "conventions", "important", "other",
	"claude", "agents", "gemini", "instructions", "memory", "misc", "context", "information", "about", "when",
	"using", "use", "are", "not", "where", "why", "now", "always", "never", "decided", "chose",
}
