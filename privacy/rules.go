package privacy

import (
	_ "embed"
	"strings"
	"sync"

	"memctl/text"
)

//go:embed rules.txt
var rulesFile string

// rules are the rows of rules.txt by table, without its name.
var rules = sync.OnceValue(func() map[string][]string {
	tables := map[string][]string{}
	for line := range text.DataLines(rulesFile) {
		table, row, _ := strings.Cut(line, " ")
		tables[table] = append(tables[table], row)
	}
	return tables
})

// list returns the words of a table.
func list(table string) func() []string {
	return sync.OnceValue(func() []string { return strings.Fields(strings.Join(rules()[table], " ")) })
}

// set returns the words of a table in no order.
func set(table string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		words := map[string]bool{}
		for _, word := range list(table)() {
			words[word] = true
		}
		return words
	})
}

var (
	typeNames  = set("type")
	keywords   = set("keyword")
	algorithms = set("algorithm")
)

// isTypeName reports whether a word names a type in some programming language.
func isTypeName(word string) bool { return typeNames()[strings.ToLower(word)] }

// isKeyword reports whether a word is a type, a literal or a setting.
func isKeyword(word string) bool { return keywords()[strings.ToLower(word)] || isTypeName(word) }

// isAlgorithm recognises what has letters and digits but is no secret.
func isAlgorithm(word string) bool {
	return algorithms()[strings.ReplaceAll(strings.ToLower(word), "-", "")]
}
