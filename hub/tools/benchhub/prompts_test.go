package benchhub

import (
	"math/rand"
	"regexp"
	"slices"
	"strings"

	"memctl/schemas"
)

// The kinds of questions: three to five words of a title; a whole title; a sentence of a body, of 8 to
// 25 words; words of title and body as somebody recalls them, in any order; and five to twelve words that very many
// memories have.
const (
	keywords  = "keywords"
	titles    = "titles"
	sentences = "sentences"
	recalled  = "recalled"
	broad     = "broad"
)

var kinds = []string{keywords, titles, sentences, recalled, broad}

// perKind is how many questions of a kind are asked.
const perKind = 50

// prompt is a question, and the memory that it was made of, "" for broad ones.
type prompt struct {
	kind, text, path string
}

var sentenceEnd = regexp.MustCompile(`[.:;!?]\s+|\n\n`)

// prompts returns the questions of all kinds. The same company gets the same ones.
func (c *company) prompts() []prompt {
	random := rand.New(rand.NewSource(7))
	frequent := c.frequent(300)
	var list []prompt
	for len(list) < 4*perKind {
		m := c.memories[random.Intn(len(c.memories))]
		content, _ := m.Content.(*schemas.DecisionContent)
		words := strings.Fields(strings.Trim(m.Title, "."))
		at := slices.IndexFunc(sentenceEnd.Split(content.Context, -1), func(s string) bool {
			n := len(strings.Fields(s))
			return n >= 8 && n <= 25
		})
		if len(words) < 5 || at < 0 {
			continue
		}
		chosen := slices.Clone(words)
		random.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
		list = append(list,
			prompt{keywords, strings.Join(chosen[:3+random.Intn(min(3, len(chosen)-2))], " "), pathOf(m)},
			prompt{titles, strings.Join(words, " "), pathOf(m)},
			prompt{sentences, strings.Join(strings.Fields(sentenceEnd.Split(content.Context, -1)[at]), " "), pathOf(m)},
			prompt{recalled, recall(random, words, strings.Fields(content.Context)), pathOf(m)})
	}
	for range perKind {
		words := make([]string, 5+random.Intn(8))
		for i := range words {
			words[i] = frequent[random.Intn(len(frequent))]
		}
		list = append(list, prompt{broad, strings.Join(words, " "), ""})
	}
	return list
}

// recall returns two long words of a title and three of a body, in any order.
func recall(random *rand.Rand, title, body []string) string {
	var words []string
	for i, list := range [][]string{title, body} {
		long := slices.DeleteFunc(slices.Clone(list), func(word string) bool { return len(word) < 5 })
		random.Shuffle(len(long), func(i, j int) { long[i], long[j] = long[j], long[i] })
		words = append(words, long[:min(len(long), 2+i)]...)
	}
	random.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return strings.Join(words, " ")
}
