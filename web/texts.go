package web

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// languages are those of the interface. The first one is the default.
var languages = []string{"en", "ko"}

//go:embed texts.json
var textsJSON []byte

// texts holds every text of the interface in each of the languages, by key.
var texts = sync.OnceValue(func() map[string][]string {
	var table map[string][]string
	if err := json.Unmarshal(textsJSON, &table); err != nil {
		panic(err) // a test reads the table
	}
	return table
})

// translate returns a text. A text of two forms, "1 memory|%d memories", takes the first
// for the number 1.
func translate(lang, key string, args ...any) string {
	forms := texts()[key]
	if forms == nil {
		return key
	}
	form := forms[0]
	if lang == languages[1] {
		form = forms[1]
	}
	if one, many, two := strings.Cut(form, "|"); two {
		form = many
		if len(args) > 0 && args[0] == 1 {
			return one
		}
	}
	if len(args) == 0 {
		return form
	}
	return fmt.Sprintf(form, args...)
}

func (v *visit) t(key string, args ...any) string { return translate(v.lang, key, args...) }

// wordText returns the text of a word that a file has, the word itself if it has none.
func wordText(lang, kind, word string) string {
	if known := translate(lang, kind+word); known != kind+word {
		return known
	}
	return word
}

// fieldName names a field of a memory: "related_files" is "Related files".
func fieldName(lang, path string) string {
	name := path[strings.LastIndexByte(path, '.')+1:]
	if known := wordText(lang, "field.", name); known != name {
		return known
	}
	words := strings.ReplaceAll(name, "_", " ")
	_, first := utf8.DecodeRuneInString(words)
	return strings.ToUpper(words[:first]) + words[first:]
}

// languageOf chooses the language that a browser prefers, by its Accept-Language.
func languageOf(header string) string {
	best, bestWeight := languages[0], 0.0
	for i, part := range strings.Split(header, ",") {
		if i == maxLanguages {
			break
		}
		tag, parameter, _ := strings.Cut(part, ";")
		tag, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
		weight := 1.0
		if q, found := strings.CutPrefix(strings.TrimSpace(parameter), "q="); found {
			weight, _ = strconv.ParseFloat(q, 64)
		}
		for _, lang := range languages {
			if tag == lang && weight > bestWeight {
				best, bestWeight = lang, weight
			}
		}
	}
	return best
}

// maxLanguages is how many languages of a header are read.
const maxLanguages = 20
