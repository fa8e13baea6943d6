package text

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxTerms bounds each list of Terms. A longer text is not about one thing.
const maxTerms = 256

// Terms are the terms to search the full text for. Each is one word, or several that must
// follow each other.
type Terms struct {
	// Topics say what the prompt is about.
	Topics []string `json:"topics"`
	// Common are topics that tasks in any project have: a button, a server, the user.
	Common []string `json:"common"`
	// Plain are its other words: instructions, courtesy, quantities.
	Plain []string `json:"plain"`
	// Pairs are neighbours: two words, the parts of an identifier written as one, two
	// characters of a script without spaces between words, two syllables of a plain word
	// or of the end of a word in Korean.
	Pairs []string `json:"pairs"`
	// Places are the words at the end of paths and addresses, which are no topics. Only
	// PromptTerms has them.
	Places []string `json:"places,omitempty"`
	// Others are the remaining words of paths and addresses.
	Others []string `json:"others,omitempty"`
	// Words is how many words there are that are not function words: chance finds a memory for
	// many of them. A pair of characters of a script without spaces counts as pairWord, a Korean
	// word, which changes with its endings and finds less, as koreanWord.
	Words float64 `json:"-"`
}

const (
	pairWord   = 0.3
	koreanWord = 0.5
)

// TermsOf splits a prompt as FullText splits a memory.
func TermsOf(prompt string) Terms {
	prompt = norm.NFC.String(prompt)
	b := termBuilder{seen: map[string]bool{}, language: languageOf(prompt)}
	for r := range runs(prompt) {
		if b.full() {
			break
		}
		words, pairs, weight := b.words(), len(b.Pairs), 1.0
		switch {
		case len(r.text) > maxWord:
			b.last = ""
		case r.script == hangul:
			b.addHangul(r.text)
			weight = koreanWord
		case r.script == ideographic:
			b.last = ""
			b.add(&b.Pairs, slices.DeleteFunc(bigrams(r.text), isIdeographicFunction)...)
			b.Words += pairWord * float64(len(b.Pairs)-pairs)
		default:
			b.addWord(r.text)
		}
		b.Words += weight * float64(b.words()-words)
	}
	return b.Terms
}

// Empty reports whether there is nothing to search for.
func (t Terms) Empty() bool {
	return len(t.Topics)+len(t.Common)+len(t.Plain)+len(t.Pairs)+len(t.Places)+len(t.Others) == 0
}

// Unpaired returns the terms that are no pairs.
func (t Terms) Unpaired() []string {
	return slices.Concat(t.Topics, t.Common, t.Plain, t.Places, t.Others)
}

// Lone reports whether there is nothing to search for but one plain word: "commit this".
// In Korean a short verb may follow it: 커밋해줘.
func (t Terms) Lone() bool {
	return len(t.Plain) == 1 && len(t.Topics)+len(t.Common) == 0 && len(t.Pairs) <= 2
}

type termBuilder struct {
	Terms
	seen     map[string]bool
	language string // that the function words are of, besides English
	last     string // the word before, if the next one may form a pair with it
}

// builder adds to terms, but none that some of the lists have already.
func (t Terms) builder(lists ...[]string) termBuilder {
	b := termBuilder{Terms: t, seen: map[string]bool{}}
	for _, term := range slices.Concat(lists...) {
		b.seen[root(term)] = true
	}
	return b
}

// words counts the terms that are no pairs.
func (b *termBuilder) words() int { return len(b.Topics) + len(b.Common) + len(b.Plain) }

func (b *termBuilder) full() bool {
	return max(len(b.Topics), len(b.Common), len(b.Plain)) >= maxTerms || len(b.Pairs) >= 2*maxTerms
}

func (b *termBuilder) add(list *[]string, terms ...string) {
	for _, term := range terms {
		if key := root(term); !b.seen[key] {
			b.seen[key] = true
			*list = append(*list, term)
		}
	}
}

// addWord adds the parts of an identifier as words, and the identifier as one.
func (b *termBuilder) addWord(word string) {
	parts := identifierParts(strings.Trim(word, "_"))
	for _, part := range parts {
		full := spellOut(strings.ToLower(part))
		if strings.Contains(full, " ") {
			b.add(&b.Topics, full)
			b.last = ""
			continue
		}
		b.addOne(full)
	}
	if len(parts) > 1 {
		b.add(&b.Pairs, spellOut(strings.ToLower(strings.ReplaceAll(word, "_", ""))))
	}
}

func (b *termBuilder) addOne(word string) {
	if isFunctionWord(word) || isFunctionWordOf(b.language, word) {
		b.last = ""
		return
	}
	if b.last != "" {
		b.add(&b.Pairs, b.last+" "+word)
	}
	b.last = word
	switch {
	case utf8.RuneCountInString(word) == 1: // one letter or digit says something only in a pair
	case isInstruction(word):
		b.add(&b.Plain, word)
	default:
		b.addTopic(word)
	}
}

func (b *termBuilder) addTopic(word string) {
	if isCommon(word) {
		b.add(&b.Common, word)
	} else {
		b.add(&b.Topics, word)
	}
}

// addHangul adds the English of loanwords. Between them the first two syllables, as
// verbStem leaves them, stand for the word; the others are its endings or a further word.
func (b *termBuilder) addHangul(word string) {
	b.last = ""
	parts := segments(word)
	for _, part := range parts {
		switch {
		case part.english != "" && koreanBeginnings()[part.text]:
			b.add(&b.Plain, strings.Fields(part.english)...)
		case part.english != "":
			for word := range strings.FieldsSeq(part.english) {
				b.addTopic(word)
			}
		case isParticle(part.text), len(parts) > 1 && utf8.RuneCountInString(part.text) == 1:
		case isKoreanInstruction(part.text):
			b.add(&b.Pairs, bigrams(part.text)...)
		default:
			pairs := bigrams(part.text)
			b.add(&b.Topics, verbStem(pairs[0]))
			b.add(&b.Pairs, pairs[1:]...)
		}
	}
}
