package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxWord is the longest word, in bytes, that is split: longer ones are keys and
// encoded data.
const maxWord = 100

// FullText returns what the full-text index holds of s: s itself, so that a person's
// own query finds its words in place, and then a line of terms that FTS5's tokenizer
// does not see in it:
//
//	createdAt, order_id   created At, orderid
//	Redis를               Redis 를
//	db, found             database, find
//	마이그레이션을          마이 이그 그레 레이 이션 션을, migration
//	느려졌다               느려 려졌 졌다, 느리
//
// A change of the result must raise db.ContentVersion; a test checks that.
func FullText(s string) string {
	s = norm.NFC.String(s)
	var b strings.Builder
	for r := range runs(s) {
		if r.script == alphabetic {
			addWord(&b, r)
			continue
		}
		if pairs := bigrams(r.text); len(pairs) > 1 || r.joined { // a single one is the run itself
			addTerms(&b, pairs...)
		}
		if r.script == hangul && len(r.text) <= maxWord {
			for _, part := range segments(r.text) {
				addTerms(&b, part.english)
				addVerbStem(&b, part)
			}
		}
	}
	if b.Len() == 0 {
		return s
	}
	return s + "\n" + b.String()
}

func addWord(b *strings.Builder, r run) {
	word := r.text
	if len(word) > maxWord {
		return
	}
	if r.joined {
		addTerms(b, word)
	}
	parts := identifierParts(word)
	lower := strings.ToLower(word)
	if len(parts) > 1 {
		if strings.Count(word, "_") < len(parts)-1 { // FTS5 itself splits words at underscores
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

func addSpelled(b *strings.Builder, word string) {
	if full := spellOut(word); full != word {
		addTerms(b, full)
	}
}

// addVerbStem adds the stem of a word that is not a loanword, unless the text has it.
func addVerbStem(b *strings.Builder, part segment) {
	if part.english != "" {
		return
	}
	if pair := bigrams(part.text)[0]; verbStem(pair) != pair {
		addTerms(b, verbStem(pair))
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

// bigrams returns the pairs of neighbouring characters of s; s itself if it has one.
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

// identifierParts splits an identifier at underscores, before the capitals of
// camelCase, and where an acronym ends (HTTPServer: HTTP, Server). Digits stay with
// what they follow (S3Bucket: S3, Bucket), for "x509" and "k8s" are names.
func identifierParts(word string) []string {
	var parts []string
	for piece := range strings.SplitSeq(word, "_") {
		for piece != "" {
			end := partEnd(piece)
			parts = append(parts, piece[:end])
			piece = piece[end:]
		}
	}
	return parts
}

// partEnd returns where the first part of a piece without underscores ends.
func partEnd(piece string) int {
	lower := false // seen a lower-case letter
	for i, r := range piece {
		if unicode.IsUpper(r) && i > 0 {
			next, _ := utf8.DecodeRuneInString(piece[i+utf8.RuneLen(r):])
			if lower || unicode.IsLower(next) {
				return i
			}
		}
		lower = lower || unicode.IsLower(r)
	}
	return len(piece)
}
