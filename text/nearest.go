package text

// Nearest returns the word that differs from s by the fewest edits, "" if they are
// more than half the length of s.
func Nearest(s string, words []string) string { return within(s, words, len(s)/2) }

const (
	// shortestTypo is the length of the shortest word that Correct corrects.
	shortestTypo = 5
	// longWord is the length from which on a word may have two typos.
	longWord = 8
)

// Correct returns the word that s is with a typo, or with two in a long word, "" for
// none.
func Correct(s string, words []string) string {
	switch {
	case len(s) < shortestTypo:
		return ""
	case len(s) < longWord:
		return within(s, words, 1)
	}
	return within(s, words, 2)
}

// within returns the first of the words with the fewest edits, "" if they are more than
// most.
func within(s string, words []string, most int) string {
	best, fewest := "", most+1
	for _, word := range words {
		if n := Edits([]byte(s), []byte(word)); n < fewest {
			best, fewest = word, n
		}
	}
	return best
}

// Edits returns how many bytes or characters have to be inserted, removed, replaced or swapped
// with their neighbour to make b of a.
func Edits[T comparable](a, b []T) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
