package exchange

import (
	"slices"
	"strings"

	"memctl/text"
)

// A record may keep the words of its template in its status: an explanation as a quote, a placeholder, and the statuses
// to choose from.
var (
	quoted    = text.Pattern(`(?m)^[ \t]*>.*$|~~[^~]*~~`)
	bracketed = text.Pattern(`\{[^}]*\}|\([^()]*\)|\[[^\[\]]*\]`)
	choice    = text.Pattern(`[/|,;、\n]|\s(?:or|oder|ou)\s`)
)

// withoutChoices returns a status without placeholders and lists of statuses, of which a marked one stays.
func withoutChoices(stated string) string {
	stated = bracketed().ReplaceAllStringFunc(stated, func(match string) string {
		return pick(match[0] == '{', "", chosenStatus(match))
	})
	var lines []string
	for line := range strings.SplitSeq(stated, "\n") {
		lines = append(lines, chosenStatus(line))
	}
	return strings.TrimSpace(chosenStatus(strings.Join(lines, "\n")))
}

// chosenStatus returns a phrase as it is unless it lists statuses: at least three, or one in force and one that is not
// with a slash or a bar between them. Of those it returns the one that stands out.
func chosenStatus(phrase string) string {
	found, over := map[int]bool{}, map[bool]bool{}
	var marked []string
	for _, part := range choice().Split(phrase, -1) {
		plain := text.Unmarked(part)
		at := slices.IndexFunc(words().Statuses, func(s status) bool { return s.Words.MatchString(text.Lower(plain)) })
		if len(strings.Fields(part)) > 5 || digits().MatchString(part) || at < 0 {
			continue
		}
		holds := words().Statuses[at].Status == "accepted" || words().Statuses[at].Status == "proposed"
		if found[at], over[holds] = true, true; plain != part || strings.Contains(part, "`") {
			marked = append(marked, part)
		}
	}
	switch {
	case len(found) < 3 && (len(over) < 2 || !strings.ContainsAny(phrase, "/|")):
		return phrase
	case len(marked) == 1:
		return marked[0]
	}
	return ""
}

// status returns the decision's status. A record that states none is in force, and one whose words are not known may
// not be.
func (rec *record) status() string {
	var phrase strings.Builder
	for _, stated := range rec.statuses {
		phrase.WriteString(text.Lower(text.Unmarked(quoted().ReplaceAllString(stated, ""))) + "\n")
	}
	if strings.Trim(phrase.String(), " \n-–?") == "" {
		return "accepted"
	}
	for _, s := range words().Statuses {
		if s.Words.MatchString(phrase.String()) {
			return s.Status
		}
	}
	return "proposed"
}

// maxStatus is how long a status is, in bytes.
const maxStatus = 600

// setStatus takes in a status. The others stay: what was accepted may have been superseded.
func (rec *record) setStatus(stated string) {
	if stated = withoutChoices(stated); stated != "" {
		rec.statuses = append(rec.statuses, stated)
		only := record{statuses: []string{stated}}
		rec.relate(stated, pick(only.status() == "superseded", "superseded by", related))
	}
}
