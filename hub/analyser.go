package hub

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"memctl/db"
)

// AnalyserVersion is that of the index, because the index's full text makes the terms.
const AnalyserVersion = db.ContentVersion

const (
	// maxTerm is the length limit of a term in bytes. Longer ones are encoded data; no prompt has them (text.TermsOf).
	maxTerm = 200
	// analysedAtOnce is how many memories one index in memory takes.
	analysedAtOnce = 500
)

// analyser splits texts into terms. Tests have newer ones, which produce other terms.
type analyser struct {
	version int
	change  func(term string) string // nil for no change
}

func (a analyser) changed(term string) string {
	if a.change == nil {
		return term
	}
	return a.change(term)
}

// analysis has the terms of a memory: those of the title, the tags and the body, as numbers in a vocabulary and in
// their order. tooLong stands for a term that is not stored.
type analysis struct {
	analysed bool
	length   int // how many are stored, repeated ones included
	terms    [len(db.MemoryTerms{})][]int32
}

const tooLong = -1

// frequency is how often a memory has a term, at most 255 times each.
type frequency struct {
	term              int32 // its number in a vocabulary
	title, tags, body uint8
}

// vocabulary numbers the terms of many memories: a publication may have ten million, of which few are different.
type vocabulary struct {
	analyser
	numbers map[string]int32
	terms   []string // by number
	place   []int32  // for frequencies: by number, 0 between two calls
}

func (v *vocabulary) number(term string) int32 {
	term = v.changed(term)
	if len(term) > maxTerm {
		return tooLong
	}
	n, found := v.numbers[term]
	if !found {
		if v.numbers == nil {
			v.numbers = map[string]int32{}
		}
		n = int32(len(v.terms))
		v.numbers[term] = n
		v.terms = append(v.terms, term)
	}
	return n
}

func (v *vocabulary) newAnalysis(found db.MemoryTerms) analysis {
	a := analysis{analysed: true}
	for column, terms := range found {
		a.terms[column] = make([]int32, len(terms))
		for i, term := range terms {
			n := v.number(term)
			a.terms[column][i] = n
			if n != tooLong {
				a.length++
			}
		}
	}
	return a
}

// frequencies counts the terms of a memory, in the order in which they first stand in it.
func (v *vocabulary) frequencies(a analysis) (list []frequency) {
	v.place = append(v.place, make([]int32, len(v.terms)-len(v.place))...)
	for column, terms := range a.terms {
		for _, n := range terms {
			if n == tooLong {
				continue
			}
			if v.place[n] == 0 {
				list = append(list, frequency{term: n})
				v.place[n] = int32(len(list))
			}
			f := &list[v.place[n]-1]
			count := []*uint8{&f.title, &f.tags, &f.body}[column]
			*count = min(*count, math.MaxUint8-1) + 1
		}
	}
	for _, f := range list {
		v.place[f.term] = 0
	}
	return list
}

// Limits of a tsvector (https://www.postgresql.org/docs/current/textsearch-limits.html).
const (
	lastPlace    = 16383
	maxPlaces    = 255       // of a term
	maxPositions = 1_000_000 // bytes; the limit is 1 MiB
)

// firstPlaces are those of the first terms of the columns, and after the last of them of what stands nowhere. Between
// two columns is a free place, so that no pair begins in one and ends in the next.
var firstPlaces = []int{1, 1001, 2001, lastPlace + 1}

var quoteLexeme = strings.NewReplacer(`'`, `''`, `\`, `\\`)

// positions writes the terms of a memory as a tsvector. Of a text that is too large for one, the last terms in
// alphabetical order are left out: their pairs are not found.
func (v *vocabulary) positions(a analysis) string {
	type place struct{ term, at int }
	var places []place
	for column, terms := range a.terms {
		room := firstPlaces[column+1] - firstPlaces[column] - 1
		for i, n := range terms[:min(len(terms), room)] {
			if n != tooLong {
				places = append(places, place{int(n), firstPlaces[column] + i})
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		if a.term == b.term {
			return a.at - b.at
		}
		return strings.Compare(v.terms[a.term], v.terms[b.term])
	})
	var b strings.Builder
	for size := 0; len(places) > 0; {
		end := 1
		for end < len(places) && places[end].term == places[0].term {
			end++
		}
		term, kept := v.terms[places[0].term], places[:min(end, maxPlaces)]
		if size += len(term) + 8 + 2*len(kept); size > maxPositions {
			break
		}
		b.WriteString(`'` + quoteLexeme.Replace(term) + `'`)
		for i, p := range kept {
			b.WriteByte(":,"[min(i, 1)])
			b.WriteString(strconv.Itoa(p.at))
		}
		b.WriteByte(' ')
		places = places[end:]
	}
	return b.String()
}
