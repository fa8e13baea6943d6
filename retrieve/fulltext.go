package retrieve

import "strings"

// The functions below build FTS5 queries. In double quotes a term is text,
// whatever characters it has (https://sqlite.org/fts5.html#fts5_strings).

func quote(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }

func quoteAll(terms []string) []string {
	quoted := make([]string, len(terms))
	for i, term := range terms {
		quoted[i] = quote(term)
	}
	return quoted
}

// matchAny finds what has one of the terms. Without terms it finds nothing.
func matchAny(terms []string) string {
	if len(terms) == 0 {
		return `""`
	}
	return strings.Join(quoteAll(terms), " OR ")
}

// matchAll finds what has every one of the terms. It is "" without terms.
func matchAll(terms []string) string { return strings.Join(quoteAll(terms), " ") }
