package benchhub

import (
	"math/rand"
	"slices"
	"strings"
)

// The kinds of prompts. Selective ones have three of the rarest words of a memory's title
// and tags. Typical ones have the beginning of a title, and words of other memories. Broad
// ones have only words that very many memories have.
const (
	selective = "selective"
	typical   = "typical"
	broad     = "broad"
)

var kinds = []string{selective, typical, broad}

type prompt struct {
	kind, text string
}

// prompts returns 80 selective, 80 typical and 40 broad prompts.
func (c *company) prompts() []prompt {
	random := rand.New(rand.NewSource(7))
	frequent := rand.NewZipf(random, zipfS, zipfV, vocabulary-1)
	var list []prompt
	for range 80 {
		r := random.Intn(len(c.sizes))
		m := c.memories(r)[random.Intn(c.sizes[r])]
		title := strings.Fields(m.Title)
		rarest := append(title[:len(title):len(title)], m.Tags...)
		slices.SortFunc(rarest, func(a, b string) int { return c.rank[b] - c.rank[a] })
		noise := make([]string, 7)
		for i := range noise {
			noise[i] = c.words[frequent.Uint64()]
		}
		list = append(list,
			prompt{selective, "how do we handle " + strings.Join(slices.Compact(rarest)[:3], " and the ")},
			prompt{typical, "please fix the " + strings.Join(title[:3], " ") + " with " + strings.Join(noise, " and ")})
	}
	for range 40 {
		words := make([]string, 12)
		for i := range words {
			words[i] = c.words[random.Intn(400)]
		}
		list = append(list, prompt{broad, "explain " + strings.Join(words, " ")})
	}
	return list
}
