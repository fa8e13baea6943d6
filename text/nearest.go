package text

// Nearest returns the word that takes the fewest edits to become s, "" where even
// that takes more than half of s.
func Nearest(s string, words []string) string {
	best, fewest := "", len(s)/2+1
	for _, word := range words {
		if n := edits(s, word); n < fewest {
			best, fewest = word, n
		}
	}
	return best
}

// edits counts how many bytes have to be added, taken out or changed
// (Levenshtein's distance), row by row.
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
