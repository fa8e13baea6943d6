package text

import "unicode/utf8"

// longestLoanword is a number of syllables.
const longestLoanword = 8

// segment is a part of a Korean word: a loanword, or what stands between loanwords.
type segment struct {
	text    string
	english string // "" if it is no loanword
}

// segments splits a Korean word, at each place by the longest loanword.
func segments(word string) []segment {
	var list []segment
	rest := 0 // start of what is not a loanword
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
		if found := loanwords()[word[at:end]]; found != "" {
			loan, english = word[at:end], found
		}
	}
	return loan, english
}
