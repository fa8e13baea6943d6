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
	vowelWa, vowelWae, vowelOe, vowelO = 9, 10, 11, 8
	vowelWo, vowelU                    = 14, 13
	vowelYeo, vowelI                   = 6, 20

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
	switch final {
	case finalNone, finalSS:
		stem = withoutContraction(vowel)
		if final == finalSS && stem == vowel {
			return pair
		}
	case finalN, finalL, finalM, finalB:
		if vowel != vowelI && vowel != vowelU && vowel != vowelO && vowel != vowelOe {
			return pair
		}
	default:
		return pair
	}
	code += (stem-vowel)*finals - final
	return pair[:len(pair)-size] + string(rune(hangulBase+code))
}

// withoutContraction takes the ending 어 or 아 off the vowel of a stem: ㅕ is ㅣ and 어.
func withoutContraction(vowel int) int {
	switch vowel {
	case vowelYeo:
		return vowelI
	case vowelWo:
		return vowelU
	case vowelWa:
		return vowelO
	case vowelWae:
		return vowelOe
	}
	return vowel
}
