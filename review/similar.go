package review

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"memctl/retrieve"
	"memctl/schemas"
)

const (
	// leastShared is how much two memories share that say the same: the weight of the
	// words of each that the other has too. A rare word weighs more.
	leastShared = 0.6
	// leastTitle is how much their titles share.
	leastTitle = 0.5
	// leastWords is how many words a memory needs to be compared.
	leastWords = 6
)

// profile is what a memory is about: its words, the rarest first.
type profile struct {
	*memory
	words []string
	has   map[string]bool
	title []string
	total float64 // weight
}

// shareOf returns the weight of the words that another memory has too.
func shareOf(w retrieve.Weights, words []string, in map[string]bool) (shared float64) {
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

// compare compares the memories of a category. It looks for candidates by the rarest
// words of each, without which two memories cannot share enough.
func (v *reviewer) compare(ctx context.Context, memories []*memory) {
	slices.SortStableFunc(memories, func(a, b *memory) int {
		return cmp.Or(b.updated.Compare(a.updated),
			strings.Compare(a.path, b.path))
	})
	profiles, w := profilesOf(memories)
	originals := map[string][]int{} // of each rare word, those that repeat no newer one
	for i, p := range profiles {
		if ctx.Err() != nil {
			return
		}
		if len(p.words) < leastWords {
			continue
		}
		rare := w.Rarest(p.words, leastShared)
		best, bestShare := -1, 0.0
		seen := map[int]bool{}
		for _, word := range rare {
			for _, j := range originals[word] {
				if seen[j] {
					continue
				}
				seen[j] = true
				if share := alike(w, p, profiles[j]); share > bestShare {
					best, bestShare = j, share
				}
			}
		}
		if best < 0 {
			for _, word := range rare {
				originals[word] = append(originals[word], i)
			}
			continue
		}
		v.addSimilar(w, p, profiles[best], bestShare)
	}
}

func profilesOf(memories []*memory) ([]profile, retrieve.Weights) {
	profiles := make([]profile, len(memories))
	with := map[string]int{}
	for i, m := range memories {
		p := profile{memory: m, title: retrieve.Words(m.Title), has: map[string]bool{}}
		for _, word := range slices.Concat(p.title, retrieve.Words(m.text)) {
			if !p.has[word] {
				p.has[word] = true
				p.words = append(p.words, word)
				with[word]++
			}
		}
		profiles[i] = p
	}
	w := retrieve.Weights{}
	for word, n := range with {
		w[word] = math.Log(1 + float64(len(memories))/float64(n))
	}
	for i := range profiles {
		p := &profiles[i]
		slices.SortFunc(p.words, func(a, b string) int { return cmp.Or(with[a]-with[b], strings.Compare(a, b)) })
		p.total = w.Sum(p.words)
	}
	return profiles, w
}

// alike returns how much two memories share, 0 if that is too little. It is the lesser of
// the shares of both.
func alike(w retrieve.Weights, a, b profile) float64 {
	share := shareOf(w, a.words, b.has) / max(a.total, b.total)
	if share < leastShared || knows(a.memory, b.memory) || knows(b.memory, a.memory) {
		return 0
	}
	if titleShare(w, a, b) < leastTitle || titleShare(w, b, a) < leastTitle {
		return 0
	}
	return share
}

// titleShare is how much of the title of a the memory b has.
func titleShare(w retrieve.Weights, a, b profile) float64 {
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

func (v *reviewer) addSimilar(w retrieve.Weights, older, newer profile, share float64) {
	percent := func(a, b profile) int {
		return int(100 * shareOf(w, a.words, b.has) / a.total)
	}
	v.add(older.memory, Finding{Kind: Similar, Weight: int(100 * share), Other: v.other(newer.memory),
		Reason: fmt.Sprintf("%d%% of what it says is in %q, which is newer, and %d%% the other way",
			percent(older, newer), newer.Title, percent(newer, older)),
		Command: retire(older.memory, newer.ID+" says the same")})
}
