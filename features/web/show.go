package web

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// show renders a text that strangers wrote: escaped, invisible characters as codes, and a
// lock where something private was taken out.
func show(s string) template.HTML {
	return template.HTML(spell(s, locked, `<span class="code">U+%04X</span>`))
}

// word matches what a search takes for one.
var word = text.Pattern(`[\pL\p{Nd}\pM]+`)

// marked is show for a line of a text that a search has found.
func marked(s string, typed retrieve.Typed) (shown template.HTML) {
	s, plain := onLine(s), 0
	for _, at := range word().FindAllStringIndex(s, -1) {
		if start, end := at[0], at[1]; typed.Matches(s[start:end]) {
			shown += show(s[plain:start]) + "<mark>" + show(s[start:end]) + "</mark>"
			plain = end
		}
	}
	return shown + show(s[plain:])
}

// codes returns a text with its invisible characters as codes, "" if it has none.
func codes(s string) string {
	coded := spell(s, strings.Clone, "[U+%04X]")
	if coded == string([]rune(s)) {
		return ""
	}
	return coded
}

// spell renders what text.Paragraph leaves of a text by plain, and what it removes by a
// format.
func spell(s string, plain func(string) string, code string) string {
	visible := []rune(text.Paragraph(s))
	var b, run strings.Builder
	for _, r := range s {
		if len(visible) > 0 && visible[0] == r {
			run.WriteRune(r)
			visible = visible[1:]
			continue
		}
		b.WriteString(plain(run.String()))
		run.Reset()
		fmt.Fprintf(&b, code, r)
	}
	b.WriteString(plain(run.String()))
	return b.String()
}

// lock is the picture of a lock.
const lock = `<svg class="lock" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">` +
	`<path d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z"/></svg>`

// locked escapes a text and puts a lock at each marker of something that was taken out.
func locked(plain string) string {
	marked, _ := schemas.MarkRemoved(template.HTMLEscapeString(plain), func(marker string) string {
		return `<span class="withheld">` + lock + strings.Trim(marker, "[]") + `</span>`
	})
	return marked
}

// withheld reports whether something was taken out of a text.
func withheld(s string) bool {
	_, found := schemas.MarkRemoved(s, strings.Clone)
	return found
}

// plainValue returns a value of a memory as a text: strings without quotes, a line for each
// entry of a list.
func plainValue(value any) string {
	switch value := value.(type) {
	case nil:
		return ""
	case string:
		return value
	case json.RawMessage: // of a history
		decoded, _ := schemas.DecodeAny(value) // without a value it is nil
		return plainValue(decoded)
	case []any:
		lines := make([]string, len(value))
		for i, item := range value {
			lines[i] = plainValue(item)
		}
		return strings.Join(lines, "\n")
	}
	data, _ := schemas.EncodeJSON(value) // was decoded from JSON
	return string(data)
}

// kindOf says how a page shows a value of a memory: as texts, as records, or as one text.
func kindOf(value any) string {
	switch value := value.(type) {
	case map[string]any:
		if len(value) > 0 {
			return "object"
		}
	case []any:
		for _, item := range value {
			if kind := kindOf(item); kind != "text" {
				return "records"
			}
		}
		if len(value) > 0 {
			return "texts"
		}
	}
	return "text"
}

// shownValue is plainValue with words for a bool.
func shownValue(lang string, value any) string {
	switch value {
	case true:
		return translate(lang, "yes")
	case false:
		return translate(lang, "no")
	}
	return plainValue(value)
}

// hasValue reports whether a field says anything.
func hasValue(value any) bool {
	truth, _ := template.IsTrue(value)
	return truth || value == false
}

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
	return text.Particles(fmt.Sprintf(form, inFigures(args)...))
}

//go:embed korean.json findings.json sentences.json
var koreanFiles embed.FS

// korean has what the schemas say, what doctor and review say, and errors and repairs, in Korean, by the English text
// or format.
var korean = sync.OnceValue(func() map[string]string {
	table := readKorean("korean.json")
	maps.Copy(table, readKorean("sentences.json"))
	maps.Copy(table, readKorean("findings.json"))
	return table
})

func readKorean(file string) (table map[string]string) {
	data, err := koreanFiles.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &table)
	}
	if err != nil {
		panic(err) // the file is embedded
	}
	return table
}

// inLanguage returns what says a text of the schemas, a format of doctor or review, or an error in a language. What is
// not translated is English.
func inLanguage(lang string) func(english string) string {
	return func(english string) string { return said(lang, english) }
}

// checkName returns the name of one of doctor's checks in a language. Names of clients and hooks stay as they are.
func checkName(lang, check string) string {
	if own, yours := strings.CutPrefix(check, "your "); yours && lang == "ko" {
		return "내 " + inLanguage(lang)(own)
	}
	return inLanguage(lang)(check)
}

func (v *visit) t(key string, args ...any) string { return translate(v.lang, key, args...) }

// wordText returns the text of a word that a file has, the word itself if it has none.
func wordText(lang, kind, word string) string {
	if translation := translate(lang, kind+word); translation != kind+word {
		return translation
	}
	return word
}

// fieldName names a field of a memory: "related_files" is "Related files".
func fieldName(lang, path string) string {
	name := path[strings.LastIndexByte(path, '.')+1:]
	if translation := wordText(lang, "field.", name); translation != name {
		return translation
	}
	words := strings.ReplaceAll(name, "_", " ")
	_, first := utf8.DecodeRuneInString(words)
	return strings.ToUpper(words[:first]) + words[first:]
}

// langOf is the language of a request: that which the person chose, or that of the browser.
func langOf(r *http.Request) string {
	return cmp.Or(choiceOf(r, langCookie, languages), languageOf(r.Header.Get("Accept-Language")))
}

// languageOf chooses the language that a browser prefers, by its Accept-Language.
func languageOf(header string) string {
	best, bestWeight := languages[0], 0.0
	for part := range strings.SplitSeq(header, ",") { // maxHeader bounds it
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
