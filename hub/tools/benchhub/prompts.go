package main

import (
	"math/rand"
	"slices"
	"strings"

	"memctl/schemas"
)

// The kinds of prompts. Selective ones have three of the rarest words of a memory's title
// and tags. Typical ones have the beginning of a title, a piece of a body, and words of
// other memories. Broad ones have only words that very many memories have.
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
	for len(list) < 160 {
		r := random.Intn(len(c.sizes))
		m := c.memories(r)[random.Intn(c.sizes[r])]
		switch {
		case m.RecordStatus != schemas.Active:
		case len(list) < 80:
			list = append(list, prompt{selective, c.selective(m)})
		default:
			var noise []string
			for range 4 {
				noise = append(noise, c.words[frequent.Uint64()])
			}
			list = append(list, prompt{typical, typicalText(m, noise, random)})
		}
	}
	for len(list) < 200 {
		var words []string
		for range 12 {
			words = append(words, c.words[random.Intn(400)])
		}
		list = append(list, prompt{broad, "explain " + strings.Join(words, " ")})
	}
	return list
}

func (c *company) selective(m schemas.Memory) string {
	words := append(strings.Fields(m.Title), m.Tags...)
	slices.SortFunc(words, func(a, b string) int { return c.rank[b] - c.rank[a] })
	return "how do we handle " + strings.Join(slices.Compact(words)[:3], " and the ")
}

func typicalText(m schemas.Memory, noise []string, random *rand.Rand) string {
	title, body := strings.Fields(m.Title), strings.Fields(m.Text())
	i := random.Intn(len(body) - 3)
	return "please fix the " + strings.Join(title[:3], " ") + " in " + strings.Join(body[i:i+3], " ") + " with " + strings.Join(noise, " and ")
}
