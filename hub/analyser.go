package hub

import (
	"context"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"memctl/db"
	"memctl/schemas"

	"github.com/jackc/pgx/v5"
)

// AnalyserVersion is that of the index, because the index's full text makes the terms.
const AnalyserVersion = db.ContentVersion

const (
	// maxTerm is the length limit of a term in bytes. Longer ones are encoded data; no
	// prompt has them (text.TermsOf).
	maxTerm = 200
	// analysedAtOnce is how many memories one index in memory takes, analysedBytes how many bytes
	// of them: an occurrence of a term takes fifty.
	analysedAtOnce = 500
	analysedBytes  = 1 << 20
)

const analyserSQL = `SELECT analyser_version FROM hub`

// checkAnalyser returns an error if another analyser made the terms.
func checkAnalyser(ctx context.Context, tx pgx.Tx) error {
	return scanAnalyser(tx.QueryRow(ctx, analyserSQL))
}

func scanAnalyser(row pgx.Row) error {
	var version int
	if err := row.Scan(&version); err != nil {
		return err
	}
	if version == AnalyserVersion {
		return nil
	}
	return refusal(http.StatusServiceUnavailable, "other_analyser",
		"the hub's terms have version %d, this program makes version %d", version, AnalyserVersion)
}

// analysis is what the hub stores of the terms of a memory.
type analysis struct {
	length    int // how many terms it has, repeated ones included
	terms     []frequency
	positions string // as PostgreSQL reads a tsvector
}

// frequency is how often a memory has a term, at most 255 times each.
type frequency struct {
	term              int32 // its number in a vocabulary
	title, tags, body uint8
}

// vocabulary numbers the terms of many memories: a publication may have ten million, of which few
// are different.
type vocabulary struct {
	numbers map[string]int32
	terms   []string // by number
}

func (v *vocabulary) number(term string) int32 {
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

// analyse returns the terms of encoded memories, by their numbers in a vocabulary.
func (v *vocabulary) analyse(ctx context.Context, documents [][]byte) ([]analysis, error) {
	if len(documents) == 0 {
		return nil, nil
	}
	analyser, err := db.NewAnalyser(ctx)
	if err != nil {
		return nil, err
	}
	defer analyser.Close()
	list := make([]analysis, 0, len(documents))
	for len(documents) > 0 {
		var memories []schemas.Memory
		for size := 0; len(memories) < min(analysedAtOnce, len(documents)) && size < analysedBytes; {
			document := documents[len(memories)]
			m, err := schemas.Decode(document)
			if err != nil {
				return nil, err
			}
			memories, size = append(memories, m), size+len(document)
		}
		documents = documents[len(memories):]
		found, err := analyser.Memories(ctx, memories)
		if err != nil {
			return nil, err
		}
		for i := range memories {
			end := 0
			for end < len(found) && found[end].Memory == i+1 {
				end++
			}
			list = append(list, v.newAnalysis(found[:end]))
			found = found[end:]
		}
	}
	return list, nil
}

// newAnalysis counts the terms of one memory.
func (v *vocabulary) newAnalysis(found []db.Occurrence) (a analysis) {
	at := map[string]int{} // in a.terms
	places := map[string][]int{}
	for _, o := range found {
		if len(o.Term) > maxTerm {
			continue
		}
		a.length++
		i, counted := at[o.Term]
		if !counted {
			i = len(a.terms)
			at[o.Term] = i
			a.terms = append(a.terms, frequency{term: v.number(o.Term)})
		}
		f := &a.terms[i]
		n := &f.body
		switch o.Column {
		case "title":
			n = &f.title
		case "tags":
			n = &f.tags
		}
		*n = min(*n, math.MaxUint8-1) + 1
		if place := placeOf(o); place > 0 && len(places[o.Term]) < maxPlaces {
			places[o.Term] = append(places[o.Term], place)
		}
	}
	a.terms = slices.Clone(a.terms) // of the exact size
	a.positions = positionsOf(places)
	return a
}

// Limits of a tsvector (https://www.postgresql.org/docs/current/textsearch-limits.html).
const (
	lastPlace    = 16383
	maxPlaces    = 255       // of a term
	maxPositions = 1_000_000 // bytes; the limit is 1 MiB
)

// The place before the first term of a column.
const (
	beforeTitle = 0
	beforeTags  = 1000
	beforeBody  = 2000
)

// placeOf returns where a term stands in a memory's positions, 0 if there is no room.
func placeOf(o db.Occurrence) int {
	before, last := beforeBody, lastPlace
	switch o.Column {
	case "title":
		before, last = beforeTitle, beforeTags
	case "tags":
		before, last = beforeTags, beforeBody
	}
	// A free place between two columns, so that no pair begins in one and ends in the next.
	if place := before + o.Offset + 1; place < last {
		return place
	}
	return 0
}

var quoteLexeme = strings.NewReplacer(`'`, `''`, `\`, `\\`)

// positionsOf writes a tsvector. Of a text that is too large for one, the last terms in
// alphabetical order are left out: their pairs are not found.
func positionsOf(places map[string][]int) string {
	var b strings.Builder
	size := 0
	for _, term := range slices.Sorted(maps.Keys(places)) {
		if size += len(term) + 8 + 2*len(places[term]); size > maxPositions {
			break
		}
		b.WriteString(`'` + quoteLexeme.Replace(term) + `'`)
		for i, place := range places[term] {
			b.WriteByte(":,"[min(i, 1)])
			b.WriteString(strconv.Itoa(place))
		}
		b.WriteByte(' ')
	}
	return b.String()
}
