package text

// Nearest returns the word that differs from s by the fewest edits, "" if they are
// more than half the length of s.
func Nearest(s string, words []string) string {
	best, fewest := "", len(s)/2+1
	for _, word := range words {
		if n := edits(s, word); n < fewest {
			best, fewest = word, n
		}
	}
	return best
}

// edits returns the Levenshtein distance of two strings in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
