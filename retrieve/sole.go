package retrieve

import (
	"context"
	"strings"
	"unicode"

	"memctl/db"
)

// maxWords is how many words of a sentence are looked for.
const maxWords = 40

// OnlyIn lists those of some sentences whose words stand together in no other
// active memory than the one at path: what would be gone from every prompt with
// it.
func OnlyIn(ctx context.Context, d *db.DB, path string, sentences []string) ([]string, error) {
	var only []string
	for _, sentence := range sentences {
		match := everyWord(sentence)
		if match == "" {
			continue
		}
		var elsewhere []int
		err := d.Select(ctx, &elsewhere, `
			SELECT 1
			FROM memories_fts f
			JOIN memories m ON m.memory_id = f.rowid
			WHERE memories_fts MATCH ?
				AND m.path <> ?
				AND m.record_status = 'active'
			LIMIT 1`, match, path)
		if err != nil {
			return nil, err
		}
		if len(elsewhere) == 0 {
			only = append(only, sentence)
		}
	}
	return only, nil
}

// everyWord is the FTS5 query for a document with all words of a sentence.
func everyWord(sentence string) string {
	words := strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	words = words[:min(len(words), maxWords)]
	for i, word := range words {
		words[i] = `"` + word + `"`
	}
	return strings.Join(words, " AND ")
}
