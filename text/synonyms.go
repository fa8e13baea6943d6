package text

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Synonyms are groups of words or phrases that mean the same in a project.
type Synonyms [][]string

// LineProblem says why a line was ignored.
type LineProblem struct {
	Line   int
	Reason string
}

func (p LineProblem) String() string { return fmt.Sprintf("line %d: %s", p.Line, p.Reason) }

// ParseSynonyms reads one group per line, with commas between its members. It skips
// blank lines and those that begin with #.
func ParseSynonyms(file string) (Synonyms, []LineProblem) {
	var groups Synonyms
	var problems []LineProblem
	number := 0
	for line := range strings.Lines(file) {
		number++
		line = strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if line == "" || line[0] == '#' {
			continue
		}
		group, reason := parseGroup(line)
		if reason != "" {
			problems = append(problems, LineProblem{number, reason})
			continue
		}
		groups = append(groups, group)
	}
	return groups, problems
}

func parseGroup(line string) (group []string, reason string) {
	if !utf8.ValidString(line) {
		return nil, "it is not UTF-8"
	}
	for member := range strings.SplitSeq(line, ",") {
		words := spacedWords(member)
		if strings.TrimSpace(words) == "" {
			return nil, fmt.Sprintf("a member without a letter or digit: %q", Ellipsis(Printable(member), 40))
		}
		group = append(group, words)
	}
	if len(group) < 2 {
		return nil, "a group needs two members or more, with commas between them"
	}
	return group, ""
}

// spacedWords returns the words of s in lower case with one space before and after each.
func spacedWords(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for r := range runs(norm.NFC.String(s)) {
		b.WriteString(strings.ToLower(r.text))
		b.WriteByte(' ')
	}
	return b.String()
}

// AddSynonyms adds to the terms of a prompt the other members of each group that the
// prompt has a member of. A phrase is searched for as a phrase.
func (t Terms) AddSynonyms(prompt string, groups Synonyms) Terms {
	if len(groups) == 0 {
		return t
	}
	words := spacedWords(prompt)
	b := t.builder(t.Topics, t.Common, t.Pairs)
	for _, group := range groups {
		if !hasMember(words, group) {
			continue
		}
		for _, member := range group {
			b.addSynonym(strings.TrimSpace(member))
		}
	}
	return b.Terms
}

// hasMember looks for whole words; particles may follow Korean ones.
func hasMember(words string, group []string) bool {
	for _, member := range group {
		last, _ := utf8.DecodeLastRuneInString(strings.TrimSpace(member))
		if scriptOf(last) != alphabetic {
			member = strings.TrimRight(member, " ")
		}
		if strings.Contains(words, member) {
			return true
		}
	}
	return false
}

func (b *termBuilder) addSynonym(member string) {
	for _, r := range member {
		if scriptOf(r) != alphabetic {
			other := TermsOf(member)
			b.add(&b.Topics, other.Topics...)
			b.add(&b.Common, other.Common...)
			b.add(&b.Pairs, other.Pairs...)
			return
		}
	}
	b.add(&b.Topics, member)
}
