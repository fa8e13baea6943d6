package text

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWord is the longest word, in bytes, that is taken apart: longer ones are
// keys and encoded data.
const maxWord = 100

// FullText is what the full-text index holds of s: s itself, so that a person's
// own query finds its words where they stand, and after it on a line of their own
// the terms that FTS5's tokenizer does not see in it:
//
//	createdAt, order_id   created At, orderid
//	db, found             database, find
//	마이그레이션을          마이 이그 그레 레이 이션 션을, migration
//
// A change of what it returns must raise db.ContentVersion; a test tells.
func FullText(s string) string {
	s = norm.NFC.String(s)
	var b strings.Builder
	for r := range runs(s) {
		if r.script == alphabetic {
			addWord(&b, r.text)
			continue
		}
		if pairs := bigrams(r.text); len(pairs) > 1 { // one is the run itself
			addTerms(&b, pairs...)
		}
		if r.script == hangul && len(r.text) <= maxWord {
			for _, part := range segments(r.text) {
				addTerms(&b, part.english)
			}
		}
	}
	if b.Len() == 0 {
		return s
	}
	return s + "\n" + b.String()
}

func addWord(b *strings.Builder, word string) {
	if len(word) > maxWord {
		return
	}
	if isPlainWord(word) { // nearly all
		addSpelled(b, word)
		return
	}
	parts := humps(word)
	lower := strings.ToLower(word)
	if len(parts) > 1 {
		if strings.Count(word, "_") < len(parts)-1 { // FTS5 parts words at underscores itself
			addTerms(b, parts...)
		}
		if strings.Contains(lower, "_") {
			lower = strings.ReplaceAll(lower, "_", "")
			addTerms(b, lower)
		}
		for _, part := range parts {
			addSpelled(b, strings.ToLower(part))
		}
	}
	addSpelled(b, lower)
	if isSignedName(word) {
		addTerms(b, word)
	}
}

func isPlainWord(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return !isSignedName(word)
}

func addSpelled(b *strings.Builder, word string) {
	if full := spellOut(word); full != word {
		addTerms(b, full)
	}
}

func addTerms(b *strings.Builder, terms ...string) {
	for _, term := range terms {
		if term != "" {
			b.WriteString(term)
			b.WriteByte(' ')
		}
	}
}

// bigrams lists the neighbouring characters of s; a single one stands for itself.
func bigrams(s string) []string {
	var list []string
	previous := 0
	for i, r := range s {
		if i > 0 {
			list = append(list, s[previous:i+utf8.RuneLen(r)])
		}
		previous = i
	}
	if len(list) == 0 && s != "" {
		return []string{s}
	}
	return list
}
