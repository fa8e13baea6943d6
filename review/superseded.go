package review

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"memctl/schemas"
	"memctl/text"
)

// superseding are the words with which one decision says that it, or another, is
// superseded.
var (
	supersedes   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:supersedes|supercedes|replaces)\b`) })
	supersededBy = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:superseded|superceded|replaced) by\b`)
	})
)

// reviewSuperseded reports active decisions that others superseded: that say so, or that
// another decision names.
func (v *reviewer) reviewSuperseded() {
	if !v.wants(Superseded) {
		return
	}
	names := newNames(v.memories)
	successors := map[*memory]*memory{}
	for _, m := range v.memories {
		if m.Category != schemas.Decision {
			continue
		}
		for line := range strings.Lines(text.Lower(m.text)) {
			if at := supersededBy().FindStringIndex(line); at != nil {
				if by := names.first(line[at[1]:], m); by != nil && m.content.Status == "superseded" {
					successors[m] = by
				}
			}
			if at := supersedes().FindStringIndex(line); at != nil && m.content.Status == "accepted" {
				if before := names.first(line[at[1]:], m); before != nil && !before.updated.After(m.updated) &&
					successors[before] == nil {
					successors[before] = m
				}
			}
		}
	}
	for _, m := range v.memories {
		by := successors[m]
		switch {
		case m.Category != schemas.Decision:
		case by != nil:
			v.add(m, Finding{Kind: Superseded, Other: v.other(by), Command: retire(m, "superseded by "+by.ID),
				Reason: `it is superseded by "` + by.Title + `"`})
		case m.content.Status == "superseded":
			v.add(m, Finding{Kind: Superseded, Command: retire(m, "superseded"), Reason: "its status is superseded"})
		}
	}
}

// names finds the decisions that a text names, by whole titles and by ids of several
// words.
type names struct {
	byStart map[string][]named // by the first word, in lower case
}

type named struct {
	name   string
	memory *memory
}

func newNames(memories []*memory) names {
	n := names{map[string][]named{}}
	for _, m := range memories {
		if m.Category != schemas.Decision {
			continue
		}
		for _, name := range []string{text.Lower(m.Title), m.ID} {
			if word := firstWord(name); len(strings.FieldsFunc(name, isBetween)) > 1 {
				n.byStart[word] = append(n.byStart[word], named{name, m})
			}
		}
	}
	for _, list := range n.byStart { // the longest name counts
		slices.SortFunc(list, func(a, b named) int { return len(b.name) - len(a.name) })
	}
	return n
}

// first returns the memory that is named first in a text, other than one.
func (n names) first(s string, other *memory) *memory {
	for s != "" {
		s = strings.TrimLeftFunc(s, isBetween)
		for _, candidate := range n.byStart[firstWord(s)] {
			rest, ok := strings.CutPrefix(s, candidate.name)
			if ok && candidate.memory != other && (rest == "" || isBetween([]rune(rest)[0])) {
				return candidate.memory
			}
		}
		s = s[len(firstWord(s)):]
	}
	return nil
}

// firstWord is empty for a text that begins with no word.
func firstWord(s string) string {
	if i := strings.IndexFunc(s, isBetween); i >= 0 {
		return s[:i]
	}
	return s
}

// isBetween reports whether a character separates words.
func isBetween(r rune) bool {
	return strings.ContainsRune(" \t\r\n-_.,;:/\\()[]{}<>\"'`*#!?|", r)
}
