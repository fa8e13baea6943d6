package exchange

import (
	"regexp"
	"strings"

	"memctl/text"
)

// kind is the kind of a block of Markdown.
type kind int

const (
	paragraph kind = iota
	heading
	bullet
	numbered
	code
	comment
)

// block is a part of a Markdown text: a heading, an item of a list with all that is
// indented below it, a fenced block, a comment or a paragraph. Together the blocks have
// every line that is not blank.
type block struct {
	kind  kind
	level int    // of a heading
	line  int    // where it begins, counted from 1
	end   int    // of a heading: the line after it
	text  string // without the marker, the fences and the indentation
	open  bool   // an item whose box is not ticked
}

var (
	headingLine = text.Pattern(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	itemLine    = text.Pattern(`^([ \t]*)(?:[-*+][ \t]+(?:\[([ xX])\][ \t]+)?|(\d{1,9})[.)][ \t]+)(\S.*)$`)
	fenceLine   = text.Pattern("^[ \\t]*(```+|~~~+)(.*)$")
	underline   = text.Pattern(`^ {0,3}(=+|-{2,})[ \t]*$`)
	rule        = text.Pattern(`^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$`)
)

// blocks takes a Markdown text apart. Lines are counted from first.
func blocks(source string, first int) []block {
	p := splitter{lines: strings.Split(source, "\n"), first: first}
	for p.at < len(p.lines) {
		p.next()
	}
	return p.blocks
}

type splitter struct {
	lines  []string
	at     int
	first  int
	blocks []block
	// open is set while the next line may go on with the last block.
	open bool
}

func (p *splitter) add(k kind, level, at int, phrase string) {
	if k != code || strings.HasPrefix(phrase, " ") { // the first line of code is its language
		phrase = strings.TrimSpace(phrase)
	}
	p.blocks = append(p.blocks, block{kind: k, level: level, line: p.first + at, text: strings.TrimRight(phrase,
		" \t\n")})
}

func (p *splitter) next() {
	at, line := p.at, p.lines[p.at]
	p.at++
	bare := strings.TrimSpace(line)
	wasOpen := p.open
	p.open = false
	switch {
	case bare == "":
	case fenceLine().MatchString(line):
		p.add(code, 0, at, p.fenced(line))
	case strings.HasPrefix(bare, "<!--"):
		remark, rest, closed := strings.Cut(p.until(line, "-->"), "-->")
		p.add(comment, 0, at, remark+pick(closed, "-->", ""))
		if strings.TrimSpace(rest) != "" { // it stands before some text
			p.at--
			p.lines[p.at] = rest
		}
	case headingLine().MatchString(line):
		m := headingLine().FindStringSubmatch(line)
		p.add(heading, len(m[1]), at, m[2])
		p.last().end = p.first + p.at
	case wasOpen && underline().MatchString(line) && p.last().isLine():
		last := p.last()
		last.kind, last.level, last.end = heading, 1, p.first+p.at
		if strings.HasPrefix(bare, "-") {
			last.level = 2
		}
	case rule().MatchString(line):
	case itemLine().MatchString(line):
		m := itemLine().FindStringSubmatch(line)
		k := bullet
		if m[3] != "" {
			k = numbered
		}
		p.add(k, 0, at, m[4]+p.indented(width(m[1])))
		p.last().open = m[2] == " "
	case wasOpen && p.last().kind == paragraph:
		p.last().text += "\n" + bare
		p.open = true
	default:
		p.add(paragraph, 0, at, bare)
		p.open = true
	}
}

// isLine reports whether the block is a paragraph of one line.
func (b *block) isLine() bool { return b.kind == paragraph && !strings.Contains(b.text, "\n") }

func (p *splitter) last() *block { return &p.blocks[len(p.blocks)-1] }

// fenced returns the lines up to the end of a fenced block, or of the text.
func (p *splitter) fenced(line string) string {
	open := fenceLine().FindStringSubmatch(line)
	parts := []string{strings.TrimSpace(open[2])}
	for p.at < len(p.lines) {
		line := p.lines[p.at]
		p.at++
		m := fenceLine().FindStringSubmatch(line)
		if m != nil && strings.HasPrefix(m[1], open[1]) && strings.TrimSpace(m[2]) == "" {
			break
		}
		parts = append(parts, line)
	}
	return strings.Join(parts, "\n")
}

// until returns the lines up to the one with an end.
func (p *splitter) until(line, end string) string {
	parts := []string{line}
	for !strings.Contains(line, end) && p.at < len(p.lines) {
		line = p.lines[p.at]
		p.at++
		parts = append(parts, line)
	}
	return strings.Join(parts, "\n")
}

// indented returns the lines that belong to an item of a list: those that are indented
// more than its marker, and those that go on with its paragraph.
func (p *splitter) indented(indent int) string {
	var builder strings.Builder
	blank, fence := 0, ""
	for ; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		bare := strings.TrimSpace(line)
		if bare == "" {
			blank++
			continue
		}
		inside := width(line[:len(line)-len(strings.TrimLeft(line, " \t"))]) > indent
		if fence == "" && !inside && (blank > 0 || startsBlock(line)) {
			break
		}
		if m := fenceLine().FindStringSubmatch(line); m != nil {
			switch {
			case fence == "":
				fence = m[1]
			case strings.HasPrefix(m[1], fence):
				fence = ""
			}
		}
		builder.WriteString("\n" + bare)
		blank = 0
	}
	p.at -= blank
	return builder.String()
}

// startsBlock reports whether a line cannot go on with a paragraph.
func startsBlock(line string) bool {
	for _, start := range []func() *regexp.Regexp{headingLine, itemLine, fenceLine, rule} {
		if start().MatchString(line) {
			return true
		}
	}
	return strings.HasPrefix(strings.TrimSpace(line), "<!--")
}

// width is how far a line is indented, in columns.
func width(indent string) int {
	n := 0
	for _, r := range indent {
		if r == '\t' {
			n += 4 - n%4
		} else {
			n++
		}
	}
	return n
}

// section is a heading with the blocks up to the next one.
type section struct {
	title  string
	level  int // 0 for what stands before the first heading
	line   int
	trail  []string // the titles of the headings above it, from the top
	blocks []block
	text   string // the blocks as they stand
	first  int    // the line on which they begin
}

// sections takes a Markdown text apart by its headings. Lines are counted from first.
func sections(source string, first int) []section {
	lines, list := strings.Split(source, "\n"), []section{{}}
	var above []section
	begin := first
	end := func(line int) {
		for begin < line-1 && strings.TrimSpace(lines[begin-first]) == "" {
			begin++
		}
		last := &list[len(list)-1]
		last.first, last.text = begin, strings.TrimRight(strings.Join(lines[begin-first:line-first], "\n"), " \t\r\n")
	}
	for _, b := range blocks(source, first) {
		if b.kind != heading {
			last := &list[len(list)-1]
			last.blocks = append(last.blocks, b)
			continue
		}
		end(b.line)
		begin = b.end
		for len(above) > 0 && above[len(above)-1].level >= b.level {
			above = above[:len(above)-1]
		}
		s := section{title: b.text, level: b.level, line: b.line}
		for _, a := range above {
			s.trail = append(s.trail, a.title)
		}
		above = append(above, s)
		list = append(list, s)
	}
	end(first + len(lines))
	return list
}

var (
	linkTo   = text.Pattern(`\[([^\]\[]*)\]\(([^()\s]+)(?:\s+"[^"]*")?\)`)
	wikiLink = text.Pattern(`\[\[([^\]\[|]+)(?:\|([^\]\[]*))?\]\]`)
)

// marked returns a block as Markdown.
func (b block) marked() string {
	switch b.kind {
	case bullet, numbered:
		return "- " + b.text
	case code:
		return "```" + b.text + "\n```"
	}
	return strings.TrimSpace(b.text)
}

// joined returns the blocks as Markdown, each on a line.
func joined(list []block) string {
	var lines []string
	for _, b := range list {
		lines = append(lines, b.marked())
	}
	return strings.Join(lines, "\n")
}
