package review

import (
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"
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
		for _, s := range m.successions {
			other := names.first(s.Said, m)
			switch {
			case other == nil:
			case !s.Supersedes:
				successors[m] = other
			case !other.updated.After(m.updated) && successors[other] == nil:
				successors[other] = m
			}
		}
	}
	for _, m := range v.memories {
		by := successors[m]
		switch {
		case m.Category != schemas.Decision:
		case by != nil:
			v.add(m, Finding{Kind: Superseded, Other: v.other(by), Command: retire(m, "superseded by "+by.ID),
				Said: says(`it is superseded by "%s"`, by.Title)})
		case m.content.Status == "superseded":
			v.add(m, Finding{Kind: Superseded, Command: retire(m, "superseded"), Said: says("its status is %s", text.Say("superseded"))})
		}
	}
}

// names finds the decisions that a text names, by whole titles and by ids of several
// words.
type names map[string][]named // by the first word, in lower case

type named struct {
	name   string
	memory *memory
}

func newNames(memories []*memory) names {
	n := names{}
	for _, m := range memories {
		if m.Category != schemas.Decision {
			continue
		}
		for _, name := range []string{text.Lower(m.Title), m.ID} {
			if word := firstWord(name); len(strings.FieldsFunc(name, isBetween)) > 1 {
				n[word] = append(n[word], named{name, m})
			}
		}
	}
	for _, list := range n { // the longest name counts
		slices.SortFunc(list, func(a, b named) int { return len(b.name) - len(a.name) })
	}
	return n
}

// first returns the memory that is named first in a text, other than one.
func (n names) first(s string, other *memory) *memory {
	for s != "" {
		s = strings.TrimLeftFunc(s, isBetween)
		for _, candidate := range n[firstWord(s)] {
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
