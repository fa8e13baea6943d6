package review

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

const (
	// leastShared is how much two memories share that say the same: the weight of the
	// words of each that the other has too. A rare word weighs more.
	leastShared = 0.6
	// leastTitle is how much their titles share.
	leastTitle = 0.5
	// leastWords is how many words a memory needs to be compared.
	leastWords = 6
	// mostCompared is how many newer memories one is compared with: a store whose memories all
	// have the same words would take a time that grows with its square.
	mostCompared = 1000
	// rounding is more than the error of a sum of weights.
	rounding = 1e-9
)

// profile is what a memory is about: its words, and those of its title, the rarest first.
type profile struct {
	*memory
	words []string
	has   map[string]bool
	title []string
	total float64 // weight
}

// shareOf returns the weight of the words that another memory has too.
func shareOf(w text.Weights, words []string, in map[string]bool) (shared float64) {
	for _, word := range words {
		if in[word] {
			shared += w[word]
		}
	}
	return shared
}

// reviewSimilar reports memories that say what a newer one says. Memories that know of
// each other do not count.
func (v *reviewer) reviewSimilar(ctx context.Context) {
	if !v.wants(Similar) {
		return
	}
	byCategory := map[schemas.Category][]*memory{}
	for _, m := range v.memories {
		byCategory[m.Category] = append(byCategory[m.Category], m)
	}
	for _, info := range schemas.Categories {
		v.compare(ctx, byCategory[info.Category])
	}
}

// originals are memories that repeat no newer one, by their words.
type originals struct {
	rare   map[string][]int // by the rarest words, without one of which two memories cannot share enough
	titles map[string][]int // by all words that stand in a title
}

// candidates returns the originals that may say what a memory says, those with its rarest words
// first: by its text or by its title, whichever leaves fewer.
func (o originals) candidates(w text.Weights, p profile, rare []string) iter.Seq[int] {
	words, index := rare, o.rare
	if title := w.Rarest(p.title, leastTitle-rounding); w.Sum(p.title) > 0 && o.count(o.titles, title) < o.count(o.rare, rare) {
		words, index = title, o.titles
	}
	return func(yield func(int) bool) {
		seen := map[int]bool{}
		for _, word := range words {
			for _, i := range index[word] {
				if !seen[i] && !yield(i) {
					return
				}
				if seen[i] = true; len(seen) == mostCompared {
					return
				}
			}
		}
	}
}

func (originals) count(index map[string][]int, words []string) (n int) {
	for _, word := range words {
		n += len(index[word])
	}
	return n
}

// compare compares each memory of a category with the newer ones that may say the same.
func (v *reviewer) compare(ctx context.Context, memories []*memory) {
	slices.SortStableFunc(memories, func(a, b *memory) int {
		return cmp.Or(b.updated.Compare(a.updated),
			strings.Compare(a.path, b.path))
	})
	profiles, w := profilesOf(memories)
	titled := map[string]bool{}
	for _, p := range profiles {
		for _, word := range p.title {
			titled[word] = true
		}
	}
	found := originals{rare: map[string][]int{}, titles: map[string][]int{}}
	for i, p := range profiles {
		if ctx.Err() != nil {
			return
		}
		if len(p.words) < leastWords {
			continue
		}
		rare := w.Rarest(p.words, leastShared)
		best, bestShare := -1, 0.0
		for j := range found.candidates(w, p, rare) {
			if share := alike(w, p, profiles[j]); share > bestShare {
				best, bestShare = j, share
			}
		}
		if best >= 0 {
			v.addSimilar(w, p, profiles[best], bestShare)
			continue
		}
		for _, word := range rare {
			found.rare[word] = append(found.rare[word], i)
		}
		for _, word := range p.words {
			if titled[word] {
				found.titles[word] = append(found.titles[word], i)
			}
		}
	}
}

func profilesOf(memories []*memory) ([]profile, text.Weights) {
	profiles := make([]profile, len(memories))
	with := map[string]int{}
	for i, m := range memories {
		p := profile{memory: m, title: text.Words(m.Title), has: map[string]bool{}}
		for _, word := range slices.Concat(p.title, text.Words(m.text)) {
			if !p.has[word] {
				p.has[word] = true
				p.words = append(p.words, word)
				with[word]++
			}
		}
		profiles[i] = p
	}
	w := text.Weights{}
	for word, n := range with {
		w[word] = math.Log(1 + float64(len(memories))/float64(n))
	}
	for i := range profiles {
		p := &profiles[i]
		for _, words := range [][]string{p.words, p.title} {
			slices.SortFunc(words, func(a, b string) int { return cmp.Or(with[a]-with[b], strings.Compare(a, b)) })
		}
		p.total = w.Sum(p.words)
	}
	return profiles, w
}

// alike returns how much two memories share, 0 if that is too little. It is the lesser of
// the shares of both.
func alike(w text.Weights, a, b profile) float64 {
	if titleShare(w, a, b) < leastTitle || titleShare(w, b, a) < leastTitle {
		return 0
	}
	share := shareOf(w, a.words, b.has) / max(a.total, b.total)
	if share < leastShared || knows(a.memory, b.memory) || knows(b.memory, a.memory) {
		return 0
	}
	return share
}

// titleShare is how much of the title of a the memory b has.
func titleShare(w text.Weights, a, b profile) float64 {
	total := w.Sum(a.title)
	if total == 0 {
		return 1
	}
	return shareOf(w, a.title, b.has) / total
}

// knows reports whether a memory names another.
func knows(m, other *memory) bool {
	if slices.ContainsFunc(m.RelatedFiles, func(file string) bool { return strings.HasSuffix(file, other.path) }) {
		return true
	}
	return m.ID != other.ID && strings.Contains(other.ID, "-") && strings.Contains(m.text, other.ID) ||
		m.Title != other.Title && strings.Contains(other.Title, " ") && strings.Contains(m.text, other.Title)
}

func (v *reviewer) addSimilar(w text.Weights, older, newer profile, share float64) {
	percent := func(a, b profile) int {
		return int(100 * shareOf(w, a.words, b.has) / a.total)
	}
	v.add(older.memory, Finding{Kind: Similar, Weight: int(100 * share), Other: v.other(newer.memory),
		Reason: fmt.Sprintf("%d%% of what it says is in %q, which is newer, and %d%% the other way",
			percent(older, newer), newer.Title, percent(newer, older)),
		Command: retire(older.memory, newer.ID+" says the same")})
}
