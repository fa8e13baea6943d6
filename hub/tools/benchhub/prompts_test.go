package benchhub

import (
	"math/rand"
	"regexp"
	"slices"
	"strings"

	"memctl/schemas"
)

// The kinds of questions: three to five words of a title; a whole title; a sentence of a body, of 8 to
// 25 words; and five to twelve words that very many memories have.
const (
	keywords  = "keywords"
	titles    = "titles"
	sentences = "sentences"
	broad     = "broad"
)

var kinds = []string{keywords, titles, sentences, broad}

// perKind is how many questions of a kind are asked.
const perKind = 50

type prompt struct {
	kind, text string
}

var sentenceEnd = regexp.MustCompile(`[.:;!?]\s+|\n\n`)

// prompts returns the questions of all kinds. The same company gets the same ones.
func (c *company) prompts() []prompt {
	random := rand.New(rand.NewSource(7))
	frequent := c.frequent(300)
	var list []prompt
	for len(list) < 3*perKind {
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
			prompt{keywords, strings.Join(chosen[:3+random.Intn(min(3, len(chosen)-2))], " ")},
			prompt{titles, strings.Join(words, " ")},
			prompt{sentences, strings.Join(strings.Fields(sentenceEnd.Split(content.Context, -1)[at]), " ")})
	}
	for range perKind {
		words := make([]string, 5+random.Intn(8))
		for i := range words {
			words[i] = frequent[random.Intn(len(frequent))]
		}
		list = append(list, prompt{broad, strings.Join(words, " ")})
	}
	return list
}
