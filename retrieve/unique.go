package retrieve

import (
	"context"
	"strings"
	"unicode"

	"memctl/db"
)

// maxWords is how many words of a sentence OnlyIn looks for.
const maxWords = 40

// OnlyIn returns those of the sentences whose words no active memory has together,
// other than the one at path. No prompt would find them if that memory went.
func OnlyIn(ctx context.Context, d *db.DB, path string, sentences []string) ([]string, error) {
	var only []string
	for _, sentence := range sentences {
		words := strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		if len(words) == 0 {
			continue
		}
		elsewhere, err := query[int](ctx, d, `
			SELECT 1
			FROM memories_fts f
			JOIN memories m ON m.memory_id = f.rowid
			WHERE memories_fts MATCH ?
				AND m.path <> ?
				AND m.record_status = 'active'
			LIMIT 1`, matchAll(words[:min(len(words), maxWords)]), path)
		if err != nil {
			return nil, err
		}
		if len(elsewhere) == 0 {
			only = append(only, sentence)
		}
	}
	return only, nil
}
