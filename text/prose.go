package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxProse is how many bytes of a text are searched for prose, at both of its ends.
	maxProse = 64_000
	// ownHead and ownTail are how many code points of a long prompt are a person's own:
	// before what is pasted, and after it.
	ownHead = 1000
	ownTail = 500
	// shortPaste is how long a pasted text may be, in code points, that is all of a prompt.
	shortPaste = 300
)

// Own returns what a person wrote of a prompt: its prose without a document that
// follows it (a plan, an issue, a page), of which the title remains. Of a long prompt both
// ends remain. If all of it is pasted, a short prompt remains as it is, and nothing of a
// long one.
func Own(prompt string) string {
	s := Prose(prompt)
	if s == "" && utf8.RuneCountInString(prompt) <= shortPaste {
		return prompt
	}
	lines := strings.Split(s, "\n")
	if first := firstHeading(lines); first >= 0 {
		title := strings.TrimLeft(lines[first], "#")
		if title == lines[first] {
			title = ""
		}
		s = strings.TrimSpace(strings.Join(lines[:first], "\n") + "\n" + strings.TrimSpace(title))
	}
	if utf8.RuneCountInString(s) <= ownHead+ownTail {
		return s
	}
	return wholeWords(Truncate(s, ownHead)) + "\n\n" + afterSpace(Last(s, ownTail))
}

// firstHeading returns the index of the first heading of a document, -1 for none. A
// document has two or more.
func firstHeading(lines []string) int {
	first := -1
	for i, line := range lines {
		if !isHeading(line, lines[i+1:]) {
			continue
		}
		if first >= 0 {
			return first
		}
		first = i
	}
	return -1
}

// isHeading reports whether a line is a heading: of Markdown, or one as a copied page has
// it, of a few words above a long line.
func isHeading(line string, after []string) bool {
	const fewWords, long = 3, 80 // words, and bytes
	if name := strings.TrimLeft(line, "#"); name != line {
		return strings.HasPrefix(name, " ")
	}
	first, _ := utf8.DecodeRuneInString(line)
	last, _ := utf8.DecodeLastRuneInString(line)
	if !unicode.IsUpper(first) || !unicode.IsLetter(last) || len(strings.Fields(line)) > fewWords {
		return false
	}
	next := slices.IndexFunc(after, func(s string) bool { return s != "" })
	return next >= 0 && len(after[next]) >= long
}

// wholeWords cuts the word at the end of s, which may be half of one.
func wholeWords(s string) string {
	if i := strings.LastIndexFunc(s, unicode.IsSpace); i > 0 {
		return s[:i]
	}
	return s
}

// afterSpace cuts the word at the beginning of s.
func afterSpace(s string) string {
	if i := strings.IndexFunc(s, unicode.IsSpace); i >= 0 {
		return strings.TrimSpace(s[i:])
	}
	return s
}

// Prose returns the lines of s that somebody wrote, unchanged, with a blank line
// between paragraphs. It leaves out fenced code, diffs, tables, quotations, logs, stack
// traces, the output of tools, menus of a copied page, and the elements in which clients
// add text of their own.
func Prose(s string) string {
	list := paragraphs(bothEnds(s))
	first := slices.IndexFunc(list, paragraph.pasted)
	last := len(list) - 1
	for last > first && !list[last].pasted() {
		last--
	}
	var prose []string
	for i, p := range list {
		var lines []string
		switch {
		case first < 0 || i < first:
			lines = p.prose()
		case i == first:
			lines = p.introduction()
		case i < last && p.isSentence() || i > last && p.isRemark():
			lines = p.prose()
		}
		if len(lines) > 0 {
			prose = append(prose, strings.Join(lines, "\n"))
		}
	}
	return strings.Join(prose, "\n\n")
}

// bothEnds cuts the middle of a long text.
func bothEnds(s string) string {
	if len(s) <= maxProse {
		return s
	}
	head, _, _ := strings.Cut(s[maxProse*3/4:], "\n")
	_, tail, _ := strings.Cut(s[len(s)-maxProse/4:], "\n")
	return strings.ToValidUTF8(s[:maxProse*3/4]+Truncate(head, maxProse/4)+"\n\n"+tail, "")
}

// paragraph is a run of lines that are not blank.
type paragraph []string

// paragraphs splits s at blank lines. Fenced code, quotations and the elements of clients
// separate paragraphs too, and are in none.
func paragraphs(s string) []paragraph {
	var list []paragraph
	var current paragraph
	end := func() {
		if len(current) > 0 {
			list, current = append(list, current), nil
		}
	}
	closing := "" // the end of the fence or element that a line is in
	for at := 0; at < len(s); {
		line, _, _ := strings.Cut(s[at:], "\n")
		at = min(at+len(line)+1, len(s))
		trimmed := strings.TrimSpace(line)
		if closing != "" {
			if strings.Contains(trimmed, closing) {
				closing = ""
			}
			continue
		}
		if content, found := between(trimmed, "<command-args>", "</command-args>"); found {
			line, trimmed = content, content
		} else if closing = opened(trimmed, s[at:]); closing != "" {
			end()
			continue
		}
		if trimmed == "" || strings.HasPrefix(trimmed, ">") || isElement(trimmed) {
			end()
			continue
		}
		current = append(current, strings.TrimRight(line, "\r"))
	}
	end()
	return list
}

// opened returns what ends the fence or the element of a client that a line opens, ""
// for none. A fence need not be closed.
func opened(line, rest string) string {
	for _, fence := range [...]string{fence, "~~~"} {
		if after, found := strings.CutPrefix(line, fence); found && !strings.Contains(after, fence) {
			return fence
		}
	}
	if name := elementName(line); name != "" && !isElement(line) && strings.Contains(rest, "</"+name+">") {
		return "</" + name + ">"
	}
	return ""
}

// isElement reports whether a line is an element of a client from its beginning to its end.
func isElement(line string) bool {
	name := elementName(line)
	return name != "" && strings.HasSuffix(line, "</"+name+">")
}

// elementName returns the name of the element that a line begins with, "" for none.
// Clients join words in theirs: <system-reminder>, <ide_selection>. Few elements of
// programs are so, and fewer begin a line of prose.
func elementName(line string) string {
	if !strings.HasPrefix(line, "<") {
		return ""
	}
	end := strings.IndexAny(line, " >")
	if end < 2 || !strings.ContainsAny(line[1:end], "-_") || strings.Contains(line[1:end], "/") {
		return ""
	}
	return line[1:end]
}

// between returns the text between two marks of s.
func between(s, open, end string) (content string, found bool) {
	_, rest, found := strings.Cut(s, open)
	content, _, closed := strings.Cut(rest, end)
	return strings.TrimSpace(content), found && closed
}

// prose returns the lines that no program wrote.
func (p paragraph) prose() []string {
	return slices.DeleteFunc(slices.Clone(p), isOutput)
}

// pasted reports whether a paragraph is mostly the output of a program, or the menu of a
// page: a list without sentences.
func (p paragraph) pasted() bool {
	output, length, sentences, continued := 0, 0, 0, 0
	for _, line := range p {
		if strings.HasPrefix(line, "diff --git ") || strings.HasPrefix(line, "@@ ") {
			return true
		}
		if isOutput(line) {
			output++
		}
		if (paragraph{line}).isSentence() {
			sentences++
		}
		if first, _ := utf8.DecodeRuneInString(line); unicode.IsLower(first) {
			continued++ // a sentence on several lines
		}
		length += len(line)
	}
	const few, many, short = 4, 8, 16 // lines, and bytes of a line
	return 2*output >= len(p) || !p.isList() &&
		(len(p) >= few && length <= short*len(p) && sentences == 0 ||
			len(p) >= many && 5*sentences < len(p) && 4*continued < len(p))
}

// isList reports whether most lines are items with a mark or a number.
func (p paragraph) isList() bool {
	items := 0
	for _, line := range p {
		if strings.TrimLeft(line, " -*+•0123456789.)") != line {
			items++
		}
	}
	return 2*items > len(p)
}

// introduction returns the lines before the first one of a program.
func (p paragraph) introduction() []string {
	if i := slices.IndexFunc(p, isOutput); i > 0 && p[:i].isRemark() {
		return p[:i]
	}
	return nil
}

// isSentence reports whether a paragraph ends as sentences do.
func (p paragraph) isSentence() bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(p[len(p)-1], ` "'”’)*_`))
	return strings.ContainsRune(".!?:。！？：…", last) && p.isRemark()
}

// isRemark reports whether a paragraph has words, and begins with one.
func (p paragraph) isRemark() bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(p[0], ` "'“‘(*_-@`))
	return unicode.IsLetter(first) && len(p.prose()) == len(p) &&
		(len(strings.Fields(strings.Join(p, " "))) > 1 || first >= 0x2E80)
}
