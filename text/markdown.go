package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The marks of Markdown, read so that names and patterns in prose survive: "*.go", "a * b", "snake_case" and
// "__init__" have none.
var (
	bulletMark  = Pattern(`^(?:[-*+]\s+(?:\[[ xX]\]\s+)?|\|\s*)`)
	headingMark = Pattern(`^#{1,6}\s+(.*?)[\s#]*$`)
	quoteMark   = Pattern(`^(?:>\s?)+`)
	ruleLine    = Pattern(`^[-=*_|:+\s]+$`)
	codeSpan    = Pattern("`[^`\n]+`")
	linkMarks   = Pattern(`\B!?\[([^\]\[]+)\](?:\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)|\[[^\]\[]*\])`)
	wikiMarks   = Pattern(`\[\[(?:[^\]\[|]+\|)?([^\]\[|\s](?:[^\]\[|]*[^\]\[|\s])?)\]\]`)
	boldMarks   = Pattern(`(^|[^\w*])\*{2,3}([^\s*/.](?:[^*\n]*[^\s*])?)\*{2,3}\B` +
		`|\b__([^\s_](?:[^\n]*?\s[^\n]*?)?[^\s_])__\b`)
	italicMarks = Pattern(`(^|[^\w*])\*([^\s*/.](?:[^*\n]*[^\s*])?)\*($|[^\w*])|\b_([^\s_](?:[^_\n]*[^\s_])?)_\b`)
)

// Unmarked returns Markdown without the marks of links and emphasis. Code keeps its backquotes.
func Unmarked(s string) string {
	if !strings.ContainsAny(s, "*_[") {
		return s
	}
	const hidden = "`\uE003`"
	code := codeSpan().FindAllString(s, -1)
	s = codeSpan().ReplaceAllLiteralString(s, hidden)
	s = linkMarks().ReplaceAllString(wikiMarks().ReplaceAllString(s, "$1"), "$1")
	for range 2 { // marks within others, and beside them
		s = boldMarks().ReplaceAllString(italicMarks().ReplaceAllString(s, "$1$2$3$4"), "$1$2$3")
	}
	parts := strings.Split(s, hidden)
	for i, span := range code[:min(len(code), len(parts)-1)] {
		parts[i] += span
	}
	return strings.Join(parts, "")
}

// Breaks puts a blank line where an author broke a line that had room for the next word, as its paragraph shows, and
// began the next one with a capital letter. The other breaks are those of a page's width.
func Breaks(s string) string {
	lines := strings.Split(s, "\n")
	widest := 0
	for i, line := range lines[:len(lines)-1] {
		if i == 0 || strings.TrimSpace(lines[i-1]) == "" {
			widest = 0
			for at := i; at < len(lines) && strings.TrimSpace(lines[at]) != ""; at++ {
				widest = max(widest, len(lines[at]))
			}
		}
		first, _, _ := strings.Cut(strings.TrimSpace(lines[i+1]), " ")
		if initial, _ := utf8.DecodeRuneInString(strings.TrimLeft(first, "*_")); unicode.IsUpper(initial) &&
			strings.TrimSpace(line) != "" && len(line)+1+len(first) <= widest {
			lines[i] += "\n"
		}
	}
	return strings.Join(lines, "\n")
}

// Plain puts Markdown on one line, without its marks and without invisible characters. What stood on a line of its own
// stays apart from the next: "We use" above "- Go" and "- SQL" becomes "We use: Go; SQL". Code keeps its backquotes.
func Plain(s string) string {
	var b strings.Builder
	const paragraph, item, heading, code = 0, 1, 2, 3
	last, apart, fenced := paragraph, false, false
	for line := range strings.Lines(Breaks(s)) {
		line = strings.TrimSpace(line)
		kind := paragraph
		switch {
		case strings.HasPrefix(line, fence) && strings.Count(line, fence) == 1:
			fenced, apart, line = !fenced, true, ""
		case fenced && line != "":
			kind, line = code, "`"+strings.ReplaceAll(line, "`", "")+"`"
		default:
			line = quoteMark().ReplaceAllString(line, "")
			if rest := bulletMark().ReplaceAllString(line, ""); rest != line {
				kind, line = item, strings.TrimRight(rest, "| ")
			} else if m := headingMark().FindStringSubmatch(line); m != nil {
				kind, line = heading, m[1]
			}
		}
		if line == "" || kind != code && ruleLine().MatchString(line) {
			apart = true
			continue
		}
		if b.Len() > 0 {
			end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(b.String(), "*_"))
			closed := !unicode.In(end, unicode.L, unicode.N, unicode.Pe, unicode.Pf) && !strings.ContainsRune("`\"'",
				end)
			switch {
			case closed, !apart && kind == paragraph && last != heading:
			case last == heading || last == paragraph && (kind == item || kind == code):
				b.WriteByte(':')
			case last == kind && kind != paragraph:
				b.WriteByte(';')
			default:
				b.WriteByte('.')
			}
			b.WriteByte(' ')
		}
		b.WriteString(line)
		last, apart = kind, false
	}
	return strings.Join(strings.Fields(Printable(Unmarked(b.String()))), " ")
}

// Quoted returns a text with backquotes around commands: where it has them, else at the end of its first sentence that
// lays down a rule, or of its first one.
func Quoted(s string, commands []string) string {
	var missing []string
	for _, command := range commands {
		command = strings.Join(strings.Fields(strings.ReplaceAll(command, "`", "")), " ")
		quoted := "`" + command + "`"
		switch at := wordsAt(s, command); {
		case command == "" || strings.Contains(s, quoted):
		case at >= 0:
			s = s[:at] + quoted + s[at+len(command):]
		case !slices.Contains(missing, quoted):
			missing = append(missing, quoted)
		}
	}
	sentences := Sentences(s)
	if len(missing) == 0 || len(sentences) == 0 {
		return s
	}
	rule := sentences[max(0, slices.IndexFunc(sentences, LaysDownRule))]
	before, after, _ := strings.Cut(s, rule)
	bare := strings.TrimRight(rule, ".!。")
	return before + bare + " (" + strings.Join(missing, ", ") + ")" + rule[len(bare):] + after
}

// wordsAt returns where s has words, as whole ones and not in code, -1 if nowhere.
func wordsAt(s, words string) int {
	isPart := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_`@/=", r)
	}
	for at := 0; words != ""; {
		next := strings.Index(s[at:], words)
		if next < 0 {
			break
		}
		at += next
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at+len(words):])
		if !isPart(before) && !isPart(after) && strings.Count(s[:at], "`")%2 == 0 {
			return at
		}
		at += len(words)
	}
	return -1
}
