package schemas

import (
	"cmp"
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"

	"memctl/text"
)

//go:embed summary.txt
var summaryFile string

var (
	summaryWords = sync.OnceValue(func() []wording { return wordingsIn(summaryFile) })
	// none is an item that says that there is none.
	none          = text.Pattern(`(?i)^(none|nothing|no|nobody|n/a|nichts|keine?|nada|rien|ninguno|nenhum)\b`)
	noneElsewhere = text.Pattern(`^(없음|无|なし)`)
	abandoned     = text.Pattern(`(?i)\b(abandon(ed|s)?|gave up|given up|dropped the)\b|` +
		`aufgegeben|abandonado|포기|放弃|断念`)
	finished = text.Pattern(`(?i)\b(done|finished|completed?|shipped|merged|released|works|pass(es|ed)?|green)\b|` +
		`fertig|erledigt|terminado|terminé|완료|끝|完成|完了`)
)

// SummaryOf divides the text of a session's summary among its fields, by the words that its sentences begin with. Its
// first sentence is the goal, unless another one is labelled so, and a sentence without such words was completed.
func SummaryOf(phrase string) *SessionContent {
	c := &SessionContent{Completed: []string{}, NextActions: []string{}}
	lists := map[string]*[]string{
		"completed": &c.Completed, "in_progress": &c.InProgress, "blockers": &c.Blockers,
		"next_actions": &c.NextActions,
		"key_changes":  &c.KeyChanges,
	}
	for part := range summaryParts(phrase) {
		switch {
		case part.field == "goal" && c.Goal != "":
			c.Completed = append(c.Completed, c.Goal)
			c.Goal = part.text
		case part.field == "goal", part.field == "" && c.Goal == "":
			c.Goal = part.text
		default:
			list := lists[cmp.Or(part.field, "completed")]
			*list = append(*list, part.text)
		}
	}
	c.Outcome = c.outcome(phrase)
	return c
}

// summaryPart is a sentence of a text with the field of a summary that its words name, "" for none.
type summaryPart struct{ field, text string }

var (
	itemMark    = text.Pattern(`^\s*(?:[-*•]|\d{1,2}[.)])\s+`)
	headingLine = text.Pattern(`^\s*(?:#+\s+(.+?)|\*\*(.+?)\*\*)\s*:?\s*$`)
)

// summaryParts yields the sentences of a text. A label with a colon, and a heading, names the field of the items below.
func summaryParts(phrase string) iter.Seq[summaryPart] {
	return func(yield func(summaryPart) bool) {
		labelled := ""
		for line := range strings.Lines(phrase) {
			line = strings.TrimRight(line, "\r\n")
			if heading := headingLine().FindStringSubmatch(line); heading != nil {
				line = strings.TrimRight(heading[1]+heading[2], ":") + ":"
			}
			item := itemMark().FindString(line)
			for _, sentence := range text.Sentences(text.Unmarked(line[len(item):])) {
				field, rest, isLabel := summaryField(sentence)
				switch {
				case isLabel:
					labelled = field
				case item != "" && labelled != "":
					field = labelled
				case item == "":
					labelled = ""
				}
				rest = strings.TrimSpace(rest)
				if none().MatchString(rest) || noneElsewhere().MatchString(rest) {
					if isLabel {
						continue
					}
					field = ""
				}
				if rest != "" && !yield(summaryPart{field, rest}) {
					return
				}
			}
		}
	}
}

// summaryField returns the field of a sentence, "" if its words name none, and the sentence without a label.
func summaryField(sentence string) (field, rest string, isLabel bool) {
	for _, w := range summaryWords() {
		if at := w.pattern.FindStringIndex(sentence); at != nil {
			if label := strings.TrimSpace(sentence[:at[1]]); strings.HasSuffix(label, ":") ||
				strings.HasSuffix(label, "：") {
				return w.name, sentence[at[1]:], true
			}
			return w.name, sentence, false
		}
	}
	return "", sentence, false
}

// outcome is the outcome of a summary's session. It is a success only if the text says so and leaves nothing open.
func (c *SessionContent) outcome(phrase string) string {
	switch {
	case abandoned().MatchString(phrase):
		return "abandoned"
	case len(c.Blockers) > 0:
		return "blocked"
	case len(c.NextActions)+len(c.InProgress) == 0 && finished().MatchString(phrase):
		return "success"
	}
	return "partial"
}

// Open returns what a session left open: what comes next, what it has begun, and what blocks it.
func (c *SessionContent) Open() (lines []string) {
	for _, blocker := range c.Blockers {
		if !strings.HasPrefix(text.Lower(blocker), "blocked") {
			blocker = "blocked by " + blocker
		}
		lines = append(lines, blocker)
	}
	lines = slices.Concat(c.NextActions, c.InProgress, lines)
	for i, line := range lines {
		lines[i] = strings.TrimRight(strings.TrimSpace(line), ".")
	}
	return lines
}

// OpenIn returns the sentences of a text that name what is left open, and a question at its end.
func OpenIn(phrase string) (open []string) {
	last := summaryPart{}
	for part := range summaryParts(phrase) {
		if last = part; part.isOpen() {
			open = append(open, part.text)
		}
	}
	if !last.isOpen() && (strings.HasSuffix(last.text, "?") || strings.HasSuffix(last.text, "？")) {
		open = append(open, last.text)
	}
	return open
}

func (p summaryPart) isOpen() bool {
	return p.field == "next_actions" || p.field == "blockers" || p.field == "in_progress"
}
