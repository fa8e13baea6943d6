package review

import (
	"iter"
	"path"
	"strings"

	"memctl/text"
)

const (
	// maxNames is how many names of code are taken from a memory.
	maxNames = 100
	// leastName is how long a name is that is looked for, in characters.
	leastName = 4
)

// codeNames are the names of code in a text, by name.
type codeNames map[string]nameKind

// nameKind says what a name is of.
type nameKind int

const (
	pathName nameKind = iota + 1 // of a file or a folder, or only their end
	wordName                     // that prose could have too, were it not in backquotes
	codeName                     // of two words, or called
)

// code matches what may be a path or a name of code: words joined by the characters that
// languages and file systems put between them.
var code = text.Pattern(`[A-Za-z_$@.][\w$./:@-]*(\(\))?`)

// identifier matches a name that prose does not have: two words in one, or with an
// underscore between.
var identifier = text.Pattern(`^_*[A-Za-z][a-z0-9]*([A-Z][a-z0-9]+)*[a-z][a-z0-9]*[A-Z]\w*$|[A-Za-z0-9]_+[A-Za-z0-9]`)

// namesOf finds the names of code in a text: paths, names of files, identifiers of two
// words, calls, and any name in backquotes.
func namesOf(text string) codeNames {
	names := codeNames{}
	for i, part := range strings.Split(text, "`") {
		for _, word := range code().FindAllString(part, -1) {
			called := strings.HasSuffix(word, "()")
			word = strings.Trim(strings.TrimSuffix(word, "()"), ".:/-@$")
			if len(word) < leastName || strings.Contains(word, "//") || strings.Contains(word, "..") ||
				len(names) >= maxNames {
				continue
			}
			if strings.Contains(word, "/") || path.Ext(word) != "" && !called {
				names[word] = pathName
			}
			if strings.ContainsAny(word, "/@") {
				continue
			}
			parts := strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(".:-$", r) })
			for j, name := range parts {
				switch {
				case len(name) < leastName:
				case identifier().MatchString(name), called && j == len(parts)-1:
					names[name] = codeName
				case len(parts) == 1 && i%2 == 1 && name != strings.ToUpper(name) && names[name] == 0:
					names[name] = wordName
				}
			}
		}
	}
	return names
}

// leaving matches what announces that something goes: its names are gone because the memory was
// followed, not in spite of it.
var leaving = text.Pattern(`(?i)\b(remov|delet|deprecat|eliminat|replac|renam|merg)(e|es|ed|ing|al|ion)\b|` +
	`\bobsolete\b|` +
	`\bdrop(s|ped|ping)?\b|\bdiscard(s|ed|ing)?\b|\b(get|getting|got) rid of\b|\bmov(e|es|ed|ing) away\b|` +
	`\bno longer\b|\binstead of\b`)

// namesIn finds the names of code in a memory, without those that it says itself will go: in the
// sentences that say so, or anywhere if the title does. Nor does it take the files that it was imported from.
func namesIn(m *memory) codeNames {
	names := namesOf(m.Title + "\n" + m.text)
	all := leaving().MatchString(m.Title)
	for line := range strings.Lines(m.Title + "\n" + m.text) {
		for _, sentence := range strings.SplitAfter(line, ". ") {
			if all || leaving().MatchString(sentence) {
				for name := range namesOf(sentence) {
					delete(names, name)
				}
			}
		}
	}
	for name := range names {
		if m.origins[path.Base(name)] {
			delete(names, name)
		}
	}
	return names
}

// declares matches what stands before a name where a language introduces it.
var declares = text.Pattern(`(^|\W)(class|interface|struct|enum|type|def|func|` +
	`function|fun|fn|module|trait|record|const|let|var|val|` +
	`object|package|namespace|union|macro)\s+$`)

// use says how a line of code has a word, and how sure it is that the word is the project's.
type use int

const (
	mentioned use = iota // in a comment, or in a text
	used                 // as code
	declared             // as code, and introduces it
	filed                // as the name of a file
)

// useOf says how a line has a word at a place. It knows no language: what begins like a comment is one,
// and a string with a space is a text.
func useOf(line []byte, start, end int) use {
	before := string(line[:start])
	trimmed := strings.TrimSpace(before)
	for _, mark := range []string{"//", "#", "*", "/*", "<!--", "--", ";;", "%"} {
		if strings.HasPrefix(trimmed, mark) && !strings.HasPrefix(trimmed, "#[") &&
			!strings.HasPrefix(trimmed, "#include") {
			return mentioned
		}
	}
	if strings.Contains(before, " //") || strings.Contains(before, " # ") || strings.Contains(before, "/*") {
		return mentioned
	}
	for _, quote := range []string{`"`, "'", "`"} {
		if strings.Count(before, quote)%2 == 0 {
			continue
		}
		inside := before[strings.LastIndex(before, quote)+1:]
		after, _, closed := strings.Cut(string(line[end:]), quote)
		if !closed || strings.ContainsAny(inside+after, " ") {
			return mentioned
		}
	}
	rest := strings.TrimSpace(string(line[end:]))
	switch {
	case declares().MatchString(before):
		return declared
	case trimmed == "" && rest == "", isProse(trimmed, rest):
		return mentioned
	}
	return used
}

// isProse reports whether a word stands between two others with nothing but white space, as in a text
// of several lines. A type stands before a name, too, but then something else follows.
func isProse(before, rest string) bool {
	between := func(s string, at int) bool {
		return s != "" && (inWord(rune(s[at])) || s[at] == ',' || s[at] == '.' && at == 0 && len(s) == 1)
	}
	return between(before, len(before)-1) && between(rest, 0) && !strings.ContainsAny(before+rest, "(){}[]=;<>:|&$@/\\")
}

// words yields the identifiers of a text, and where they begin.
func words(text []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		start := -1
		for i := range len(text) + 1 {
			inside := i < len(text) && inWord(rune(text[i]))
			switch {
			case inside && start < 0:
				start = i
			case !inside && start >= 0:
				if !yield(start, text[start:i]) {
					return
				}
				start = -1
			}
		}
	}
}

func inWord(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
}
