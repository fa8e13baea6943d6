package privacy

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"memctl/text"
)

// keyNameRule is the end of a secret's key name, in lower case and without
// separators.
type keyNameRule struct {
	suffix, kind string
	wholeWord    bool // matches only as a separate part: db_pass, dbPass, but not bypass
}

// namesByLastLetter spares most words all of the rules.
var namesByLastLetter = sync.OnceValue(func() *[256][]keyNameRule {
	var all []keyNameRule
	for _, row := range rules()["name"] {
		columns := strings.Fields(row)
		for _, suffix := range columns[2:] {
			all = append(all, keyNameRule{suffix, columns[0], columns[1] == "part"})
		}
	}
	return groupBy(all, func(r keyNameRule) byte { return r.suffix[len(r.suffix)-1] })
})

// kindOfName returns the kind of secret that a key name stands for, "" for none.
func kindOfName(name string) string {
	name = withoutQualifier(name)
	if name == "" {
		return ""
	}
	for _, rule := range namesByLastLetter()[name[len(name)-1]|0x20] {
		if start, ok := suffixStart(name, rule.suffix); ok && (!rule.wholeWord || startsPart(name, start)) {
			return rule.kind
		}
	}
	return ""
}

// kindOfPhrase is kindOfName for the last of several words: identified by, api key.
func kindOfPhrase(before, name string) string {
	switch {
	case strings.EqualFold(name, "by") && hasSuffixFold(before, "identified"):
		return kindPassword
	case strings.EqualFold(name, "key"):
		return kindOfName(before[strings.LastIndexByte(before, ' ')+1:] + "key")
	}
	return ""
}

var (
	qualifiers = set("qualifier")
	otherKeys  = list("other-key")
)

// withoutQualifier cuts off what may follow the word that decides: SECRET_KEY_BASE.
func withoutQualifier(name string) string {
	for name != "" && !isLetter(name[len(name)-1]) {
		name = name[:len(name)-1]
	}
	separator := len(name) - 1
	for separator >= 0 && isLetter(name[separator]) {
		separator--
	}
	if separator <= 0 || name[separator] == '.' {
		return name
	}
	if qualifiers()[strings.ToLower(name[separator+1:])] {
		return name[:separator]
	}
	return name
}

// suffixStart reports whether a name ends in a suffix, whatever separators it has,
// and where that begins.
func suffixStart(name, suffix string) (start int, ok bool) {
	i := len(name)
	for j := len(suffix) - 1; j >= 0; j-- {
		for i--; i >= 0 && (name[i] == '_' || name[i] == '-' || name[i] == '.'); i-- {
		}
		if i < 0 || name[i]|0x20 != suffix[j] {
			return 0, false
		}
	}
	return i, true
}

// startsPart reports whether a part of a name starts at an index: db_pass, dbPass.
func startsPart(name string, at int) bool {
	return at == 0 || !isLetter(name[at-1]) || isUpper(name[at]) && !isUpper(name[at-1])
}

// isAmbiguousKey recognises variables that may hold a key or a personal access
// token: AIRTABLE_KEY, DEVOPS_PAT.
func isAmbiguousKey(name string) bool {
	before, ok := strings.CutSuffix(name, "_KEY")
	if !ok {
		before, ok = strings.CutSuffix(name, "_PAT")
	}
	if !ok || !isCapitals(before) {
		return false
	}
	return !slices.ContainsFunc(otherKeys(), func(other string) bool { return strings.HasSuffix(before, other) })
}

// isCapitals reports whether a name has no small letters.
func isCapitals(name string) bool { return !strings.ContainsAny(name, lowerChars) }

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
