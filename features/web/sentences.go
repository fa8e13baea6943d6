package web

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"memctl/text"
	"memctl/writer"
)

// saying is an English format of an error, a repair or a notice, with its Korean.
type saying struct {
	korean  string
	longest string // of the words between the verbs, for a quick look
	weight  int    // the length of all words
	pattern *regexp.Regexp
}

// verb matches where an argument stands.
var verb = text.Pattern(`%(\[\d\])?[sdqvw]`)

// sayings are those of sentences.json that take arguments, the most specific ones first.
var sayings = sync.OnceValue(func() (list []saying) {
	for english, korean := range readKorean("sentences.json") {
		words := verb().Split(english, -1)
		if len(words) == 1 {
			continue
		}
		s := saying{korean: verb().ReplaceAllString(korean, "%${1}s"), // what was found is text
			longest: slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })}
		expression := regexp.QuoteMeta(words[0])
		for i, v := range verb().FindAllString(english, -1) {
			expression += map[bool]string{true: `(-?\d+)`, false: `(.+?)`}[v == "%d"] + regexp.QuoteMeta(words[i+1])
			s.weight += len(words[i+1])
		}
		s.weight += len(words[0])
		s.pattern = regexp.MustCompile(`^(?s:` + expression + `)$`)
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b saying) int {
		return cmp.Or(b.weight-a.weight, strings.Compare(a.pattern.String(), b.pattern.String()))
	})
	return list
})

// said says a sentence of memctl in a language. Errors and repairs are made of others, so their arguments may be
// sentences as well. Others stay: a file or another program says them.
func said(lang, english string) string {
	if lang != "ko" || english == "" {
		return english
	}
	if whole := korean()[english]; whole != "" {
		return whole
	}
	for _, s := range sayings() {
		if !strings.Contains(english, s.longest) {
			continue
		}
		if found := s.pattern.FindStringSubmatch(english); found != nil {
			args := make([]any, len(found)-1)
			for i, arg := range found[1:] {
				args[i] = said(lang, arg)
			}
			return text.Particles(fmt.Sprintf(s.korean, args...))
		}
	}
	if first, rest, two := strings.Cut(english, "; "); two && said(lang, rest) != rest {
		return said(lang, first) + ". " + said(lang, rest)
	}
	return english
}

// repair renders what doctor says to do: a command, or a sentence with commands between backquotes.
func repair(lang, fix string) template.HTML {
	translation := said(lang, fix)
	if translation == fix {
		return "<code>" + show(fix) + "</code>"
	}
	parts := strings.Split(translation, ". ")
	for i, part := range parts {
		if !strings.ContainsFunc(part, isHangul) { // a command that other words follow
			parts[i] = "`" + part + "`"
		}
	}
	return coded(strings.Join(parts, ". "))
}

func isHangul(r rune) bool { return unicode.Is(unicode.Hangul, r) }

// eachSaid is said for a list.
func eachSaid(lang string, list []string) []string {
	all := make([]string, len(list))
	for i, english := range list {
		all[i] = said(lang, english)
	}
	return all
}

// reason says why a change was refused, and what to do about it.
func reason(lang string, err error) string {
	refused := new(writer.Error)
	if !errors.As(err, &refused) {
		return said(lang, err.Error())
	}
	p := refused.Problems[0]
	words := said(lang, p.Message())
	if fix := said(lang, p.Fix); fix != "" && !strings.HasSuffix(words, fix) {
		words += ". " + fix
	}
	return text.Printable(words)
}

// inWords is an error that says itself in a language.
type inWords struct {
	error
	lang string
}

func (e inWords) Error() string { return said(e.lang, e.error.Error()) }
func (e inWords) Unwrap() error { return e.error }

// warningsInWords has the warnings about the configuration in the language of the visit.
func (v *visit) warningsInWords() {
	for i, w := range v.warnings {
		v.warnings[i].Problem, v.warnings[i].Used = said(v.lang, w.Problem), said(v.lang, w.Used)
	}
}
