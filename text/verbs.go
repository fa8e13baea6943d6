package text

import "unicode/utf8"

// A Hangul syllable is hangulBase + (initial*vowels + vowel)*finals + final
// (https://www.unicode.org/versions/latest/core-spec/chapter-3/, Hangul syllables).
const (
	hangulBase = '가'
	hangulLast = '힣'
	vowels     = 21
	finals     = 28
)

// The vowels and finals that change when verbs are conjugated.
const (
	vowelYeo, vowelI = 6, 20
	vowelWo, vowelU  = 14, 13

	finalNone, finalN, finalL, finalM, finalB, finalSS = 0, 4, 8, 16, 17, 20
)

// verbStem undoes what conjugation does to the second of two syllables, where most
// Korean verbs and adjectives that end in a vowel change: 느려, 느린, 느렸 and 느림 all
// become 느리. Nouns that look the same change too, which does no harm as long as memory
// and prompt are treated alike. Other text stays as it is.
func verbStem(pair string) string {
	last, size := utf8.DecodeLastRuneInString(pair)
	if last < hangulBase || last > hangulLast || size == len(pair) {
		return pair
	}
	code := int(last - hangulBase)
	vowel, final := code/finals%vowels, code%finals
	stem := vowel
	switch {
	case vowel == vowelYeo && (final == finalNone || final == finalSS):
		stem = vowelI // and the ending 어
	case vowel == vowelWo && (final == finalNone || final == finalSS):
		stem = vowelU
	case vowel == vowelI && (final == finalN || final == finalL || final == finalM || final == finalB):
	default:
		return pair
	}
	code += (stem-vowel)*finals - final
	return pair[:len(pair)-size] + string(rune(hangulBase+code))
}

// longestLoanword is a number of syllables.
const longestLoanword = 8

// segment is a part of a Korean word: a loanword, or the text between loanwords.
type segment struct {
	text    string
	english string // "" if it is no loanword
}

// segments splits a Korean word, at each place by the longest loanword.
func segments(word string) []segment {
	var list []segment
	rest := 0 // start of the part that is not a loanword
	for i := 0; i < len(word); {
		loan, english := loanwordAt(word, i)
		if loan == "" {
			_, size := utf8.DecodeRuneInString(word[i:])
			i += size
			continue
		}
		if rest < i {
			list = append(list, segment{text: word[rest:i]})
		}
		list = append(list, segment{loan, english})
		i += len(loan)
		rest = i
	}
	if rest < len(word) {
		list = append(list, segment{text: word[rest:]})
	}
	return list
}

// loanwordAt returns the longest loanword at an index, "" for none. One of a single
// syllable counts only if nothing but a particle follows and nothing stands before it,
// since too many words contain the syllable.
func loanwordAt(word string, at int) (loan, english string) {
	syllables := 0
	for i, r := range word[at:] {
		if syllables++; syllables > longestLoanword {
			break
		}
		end := at + i + utf8.RuneLen(r)
		if syllables == 1 && (at > 0 || end < len(word) && !isParticle(word[end:])) {
			continue
		}
		if loanword := loanwords()[word[at:end]]; loanword != "" {
			loan, english = word[at:end], loanword
		}
	}
	return loan, english
}
