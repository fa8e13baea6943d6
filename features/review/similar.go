package review

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// reviewSimilar reports memories of which a newer one says the same, or the opposite, by the rule by
// which a save finds that a memory is known. It shows both sides: which one is right, or whether both
// are needed, is for a person to say. Memories that know of each other do not count.
func (v *reviewer) reviewSimilar(ctx context.Context) {
	if !v.wants(Similar) {
		return
	}
	byCategory := map[schemas.Category][]*memory{}
	for _, m := range v.memories {
		byCategory[m.Category] = append(byCategory[m.Category], m)
	}
	for _, info := range schemas.Categories {
		list := byCategory[info.Category]
		slices.SortStableFunc(list, func(a, b *memory) int {
			return cmp.Or(b.updated.Compare(a.updated), strings.Compare(a.path, b.path))
		})
		titles := make([]retrieve.Headed, len(list))
		for i, m := range list {
			titles[i] = retrieve.Headed{Title: m.Title, Tags: m.Tags}
		}
		retrieve.EachSimilar(ctx, titles, func(at, before int, contradicts bool, share float64) {
			older, newer := list[at], list[before]
			heading := len(older.Title) < 20 && len(strings.Fields(older.Title)) < 2 // Summary, Context
			if !knows(older, newer) && !knows(newer, older) && (!heading || older.sentence == newer.sentence) {
				v.addSimilar(older, newer, contradicts, share)
			}
		})
	}
}

// knows reports whether a memory names another.
func knows(m, other *memory) bool {
	if slices.ContainsFunc(m.RelatedFiles, func(file string) bool { return strings.HasSuffix(file, other.path) }) {
		return true
	}
	return m.ID != other.ID && strings.Contains(other.ID, "-") && strings.Contains(m.text, other.ID) ||
		m.Title != other.Title && strings.Contains(other.Title, " ") && strings.Contains(m.text, other.Title)
}

func (v *reviewer) addSimilar(older, newer *memory, contradicts bool, share float64) {
	reason := why("the newer %q says the same: merge them, or mention %s in it", newer.Title, newer.ID)
	if contradicts {
		reason = why("the newer %q says it with another number, or the opposite: merge them, or mention %s in it",
			newer.Title, newer.ID)
	}
	side := func(m *memory) string {
		return fmt.Sprintf("%s, %s: %s. %s", m.ID, day(m.updated), m.Title, m.sentence)
	}
	v.add(older, Finding{Kind: Similar, Weight: int(100 * share), Other: v.other(newer), Command: edit(older),
		Parts:    reason,
		Evidence: []string{side(older), side(newer)}})
}

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
			other := names.first(s.Reference, m)
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
				Parts: why(`it is superseded by "%s"`, by.Title)})
		case m.content.Status == "superseded":
			v.add(m, Finding{Kind: Superseded, Command: retire(m, "superseded"), Parts: why("its status is %s",
				text.Say("superseded"))})
		}
	}
}

// names finds the decisions that a text names, by whole titles and by ids of several
// words.
type names map[string][]namedMemory // by the first word, in lower case

type namedMemory struct {
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
				n[word] = append(n[word], namedMemory{name, m})
			}
		}
	}
	for _, list := range n { // the longest name counts
		slices.SortFunc(list, func(a, b namedMemory) int { return len(b.name) - len(a.name) })
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

// leastTag is how long a tag is, in characters, that may be another with a letter wrong.
// Shorter ones are too often different words.
const leastTag = 5

// mostMistaken is how many memories have a tag with a letter wrong. One in more of them is
// another word.
const mostMistaken = 2

// reviewTags reports the memories with a tag of which another spelling is more frequent.
func (v *reviewer) reviewTags() {
	if !v.wants(Tags) {
		return
	}
	for _, m := range v.memories {
		if tags := text.Tags(m.Tags); len(tags) > schemas.MaxTags {
			v.add(m, Finding{Kind: Tags, Weight: len(v.memories) + len(tags), Command: edit(m),
				Parts: why("it has %d tags, of which the next update keeps the first %d and leaves out %s", len(tags),
					schemas.MaxTags, strings.Join(tags[schemas.MaxTags:], ", "))})
		}
	}
	with := map[string][]*memory{}
	for _, m := range v.memories {
		for _, tag := range text.Tags(m.Tags) {
			with[tag] = append(with[tag], m)
		}
	}
	sorted := slices.Sorted(maps.Keys(with))
	for _, p := range similarTags(sorted) {
		rare, usual := p[0], p[1]
		if cmp.Or(len(with[rare])-len(with[usual]), len(usual)-len(rare)) > 0 {
			rare, usual = usual, rare
		}
		if len(with[rare]) > mostMistaken && !isPlural(rare, usual) {
			continue
		}
		for _, m := range with[rare] {
			written := slices.Contains(text.WordsAsWritten(m.Title+" "+m.text), rare) // so it is no mistake
			if !m.tagged || written && !isPlural(rare, usual) {
				continue
			}
			reason := why("its tag %s is %s in %s", rare, usual, text.Counted(len(with[usual]), "memory", "memories"))
			if slices.Contains(m.Tags, usual) {
				reason = why("it has the tags %s and %s", rare, usual)
			}
			v.add(m, Finding{Kind: Tags, Weight: len(with[usual]), Parts: reason, Command: edit(m)})
		}
	}
}

// similarTags returns the pairs of tags that are the same but for a letter or a plural.
// It looks a tag up by what is left of it without one of its letters.
func similarTags(tags []string) [][2]string {
	var pairs [][2]string
	found := map[[2]string]bool{}
	at := map[string][]string{}
	for _, tag := range tags {
		keys := append(shortened(tag), plurals(tag)...)
		keys = append(keys, tag)
		slices.Sort(keys)
		for _, key := range slices.Compact(keys) {
			for _, other := range at[key] {
				if pair := [2]string{other, tag}; !found[pair] && sameTag(other, tag) {
					found[pair] = true
					pairs = append(pairs, pair)
				}
			}
			at[key] = append(at[key], tag)
		}
	}
	return pairs
}

// shortened returns a word without each of its characters but the first.
func shortened(word string) []string {
	runes := []rune(word)
	var list []string
	for i := 1; i < len(runes); i++ {
		list = append(list, string(slices.Concat(runes[:i], runes[i+1:])))
	}
	return list
}

// singulars only look like plurals of other tags.
var singulars = []string{"https", "news", "windows"}

// plurals returns the plurals that a word may have in English.
func plurals(word string) []string {
	list := []string{word + "s", word + "es"}
	if stem, ok := strings.CutSuffix(word, "y"); ok {
		list = append(list, stem+"ies")
	}
	return list
}

// sameTag reports whether two tags are a word and its plural, or the same word with a
// letter wrong, missing or out of place. Numbers tell things apart: http2, http3.
func sameTag(a, b string) bool {
	if isPlural(a, b) {
		return len(a) > 2 && len(b) > 2 && !slices.Contains(singulars, max(a, b))
	}
	if digits(a) != digits(b) {
		return false
	}
	first, second := []rune(a), []rune(b)
	return min(len(first), len(second)) >= leastTag && first[0] == second[0] && text.Edits(first, second) == 1
}

// isPlural reports whether one of two words is the plural of the other.
func isPlural(a, b string) bool {
	return slices.Contains(plurals(a), b) || slices.Contains(plurals(b), a)
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}
