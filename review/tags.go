package review

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"memctl/schemas"
	"memctl/text"
)

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
				Said: says("it has %d tags, of which the next update keeps the first %d and leaves out %s", len(tags),
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
			reason := says("its tag %s is %s in %s", rare, usual, text.Counted(len(with[usual]), "memory", "memories"))
			if slices.Contains(m.Tags, usual) {
				reason = says("it has the tags %s and %s", rare, usual)
			}
			v.add(m, Finding{Kind: Tags, Weight: len(with[usual]), Said: reason, Command: edit(m)})
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
