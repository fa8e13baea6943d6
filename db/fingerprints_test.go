package db

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Against asking for one after the other, of lists with repeated digests.
func TestMissingAndUnlike(t *testing.T) {
	for range 2000 {
		f, others := randomPrints(), randomPrints()
		f.sort()
		if rand.IntN(2) == 0 {
			others.sort()
		}
		var entries []uint32
		var missing []int
		for _, other := range others {
			entries = append(entries, other.Entry)
		}
		slices.Sort(entries)
		for i, entry := range entries {
			if f.count(entry) == 0 {
				missing = append(missing, i)
			}
		}
		if got := f.Missing(entries); !slices.Equal(got, missing) {
			t.Fatalf("%v does not have numbers %v of %v, got %v", f, missing, entries, got)
		}
		unlike := f.Unlike(others)
		for i, other := range others {
			// Of two files with one digest, either may be taken for unlike.
			told, same := slices.Contains(unlike, i), slices.Contains(f, other)
			if !told && !same || told && same && f.count(other.Entry) < 2 {
				t.Fatalf("%v: number %d of %v is unlike: %v", f, i, others, told)
			}
		}
	}
}

func randomPrints() Fingerprints {
	f := make(Fingerprints, rand.IntN(12))
	for i := range f {
		f[i] = Fingerprint{rand.Uint32N(8), rand.Uint32N(2)}
	}
	return f
}

func (f Fingerprints) count(entry uint32) (n int) {
	for _, one := range f {
		if one.Entry == entry {
			n++
		}
	}
	return n
}
