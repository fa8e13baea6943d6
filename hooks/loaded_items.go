package hooks

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"memctl/text"
)

// item is a paragraph, or an item of a list, in a file that a client loads. Its texts are plain words.
type item struct {
	indent   int
	own      strings.Builder // without the items below it
	complete strings.Builder // with them
	under    []string        // the texts that may restrict it: headings, its introduction, the items above it
	from     string          // where it is, in the words of an import, and its introduction
	full     string          // from, then whole
	last     string          // line
}

const (
	// maxItems is how many bytes the items of all files take at most, or none counts. A short file may have many
	// items with a long introduction. itemSize is the size of an item without its texts.
	maxItems, itemSize = 4 << 20, 256
	// paragraphIndent is more than that of any item of a list.
	paragraphIndent = 1 << 30
	// quoteMark and listMark are words that no memory has.
	quoteMark, listMark = "[quote]", "[list]"
)

// loadedItems returns the items of files. It knows little of Markdown: where it takes two items for one, a memory is
// given that the client loads.
func loadedItems(files []Loaded) (list []*item) {
	room := maxItems
	for _, file := range files {
		r := itemReader{base: filepath.Base(file.Path), room: room}
		r.heading(0, "")
		for line := range strings.Lines(Visible(file.Text)) {
			r.add(strings.ReplaceAll(line, "\t", "    "))
		}
		for _, i := range r.items {
			i.full = i.from + strings.TrimPrefix(i.complete.String(), " ")
		}
		if list, room = append(list, r.items...), r.room; room < 0 {
			return nil // the last item may be cut
		}
	}
	return list
}

// itemReader reads the items of one file.
type itemReader struct {
	base     string
	headings [7]string // by level
	place    string    // the headings, in the words of an import
	under    []string  // the headings that may restrict an item
	lead     string    // the last paragraph below the headings that is no sentence
	before   string    // the last paragraph below the headings
	open     []*item   // a paragraph, or an item of a list and those below it
	blank    bool      // the line before is blank
	element  string    // the end of the HTML element that is open
	items    []*item
	room     int // in bytes
}

func (r *itemReader) add(line string) {
	bare := strings.TrimSpace(line)
	indent := len(line) - len(strings.TrimLeft(line, " "))
	level := len(bare) - len(strings.TrimLeft(bare, "#"))
	after, listed := listItem(bare)
	blank := r.blank
	if r.blank = bare == ""; r.blank || r.room < 0 {
		return
	}
	switch p := r.paragraph(); {
	case r.element != "":
		if strings.Contains(bare, r.element) {
			r.element = ""
		}
	case level > 0 && level < len(r.headings) && strings.HasPrefix(bare[level:]+" ", " "):
		r.heading(level, strings.Trim(bare, "# "))
	case p != nil && !blank && (strings.Trim(bare, "=") == "" || strings.Trim(bare, "-") == ""):
		r.items = r.items[:len(r.items)-1]
		r.heading(1+strings.Count(bare[:1], "-"), p.last)
	case strings.Trim(bare, "-*_ ") == "":
		r.closeTo(0)
	case openElement(bare) != "":
		r.closeTo(0)
		r.element = openElement(bare)
	case listed && (indent < 4 || len(r.open) > 0):
		if p != nil && !isSentence(p.last) {
			p.complete.WriteString(listMark)
		}
		r.closeTo(indent)
		r.begin(indent, after, r.before)
	default:
		if blank {
			r.closeTo(indent)
		}
		if bare[0] == '>' || bare[0] == '|' {
			bare = quoteMark + " " + bare
		}
		if len(r.open) > 0 {
			r.append(bare)
		} else if indent < 4 && bare != codeMark {
			r.begin(paragraphIndent, bare, "")
		}
	}
}

// paragraph returns the paragraph that may go on, nil for none.
func (r *itemReader) paragraph() *item {
	if len(r.open) > 0 && r.open[0].indent == paragraphIndent {
		return r.open[0]
	}
	return nil
}

func (r *itemReader) heading(level int, title string) {
	r.closeTo(0)
	clear(r.headings[level:])
	r.headings[level] = title
	r.lead, r.before, r.under = "", "", nil
	var trail []string
	for _, h := range r.headings {
		if h == "" {
			continue
		}
		trail = append(trail, h)
		if words := plainWords(h); words != plainWords(r.base) && !isGeneral(words) {
			r.under = append(r.under, words)
		}
	}
	r.place = plainWords("Stated in " + r.base + ", " + strings.Join(trail, " > "))
}

// closeTo closes the items that a line with an indentation cannot go on with.
func (r *itemReader) closeTo(indent int) {
	if p := r.paragraph(); p != nil {
		if r.before = p.own.String(); !isSentence(p.last) {
			r.lead = r.before
		}
	}
	for len(r.open) > 0 && r.open[len(r.open)-1].indent >= indent {
		r.open = r.open[:len(r.open)-1]
	}
}

func (r *itemReader) begin(indent int, line, introduction string) {
	i := &item{indent: indent, under: slices.Clone(r.under), from: r.place}
	above := []string{r.lead, introduction}
	if r.lead == introduction {
		above = above[1:]
	}
	for _, o := range r.open {
		above = append(above, o.own.String())
	}
	for _, words := range above {
		if words != "" {
			i.under = append(i.under, words)
			i.from += "> " + strings.TrimPrefix(words, " ")
		}
	}
	r.open, r.items = append(r.open, i), append(r.items, i)
	r.room -= itemSize + len(i.from)
	r.append(line)
}

// append adds a line to the innermost open item, and so to those above it.
func (r *itemReader) append(line string) {
	words := plainWords(line)
	for _, o := range r.open {
		addWords(&o.complete, words)
		r.room -= len(words)
	}
	o := r.open[len(r.open)-1]
	addWords(&o.own, words)
	o.last = line
}

func addWords(b *strings.Builder, words string) {
	if b.Len() > 0 {
		words = strings.TrimPrefix(words, " ")
	}
	b.WriteString(words)
}

// withoutMarker returns a line without the marker of a list.
func withoutMarker(line string) string {
	if after, ok := listItem(strings.TrimSpace(line)); ok {
		return after
	}
	return line
}

// listItem returns the text of an item of a list after its marker.
func listItem(bare string) (after string, ok bool) {
	rest, marks := strings.TrimLeft(bare, "0123456789"), "-*+"
	if rest != bare {
		marks = ".)"
	}
	if len(rest) < 2 || !strings.ContainsRune(marks, rune(rest[0])) || rest[1] != ' ' {
		return "", false
	}
	return strings.TrimSpace(rest[1:]), true
}

// openElement returns the end of the HTML element that a line opens and leaves open, "" if it opens none.
func openElement(bare string) string {
	name, ok := strings.CutPrefix(bare, "<")
	name, _, _ = strings.Cut(strings.TrimRight(name, ">"), " ")
	isName := strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_0123456789") == ""
	if end := "</" + name; ok && name != "" && isName && !strings.Contains(bare, end) {
		return end
	}
	return ""
}

// isSentence reports whether a line ends as a sentence does.
func isSentence(line string) bool {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, "*_`)\"'"))
	return strings.ContainsRune(".!?。！？", end)
}

// general are the words of headings that restrict nothing.
var general = strings.Fields("project rules guidelines conventions instructions notes memory")

func isGeneral(heading string) bool {
	return !slices.ContainsFunc(strings.Fields(heading), func(word string) bool {
		return !slices.Contains(general, word)
	})
}

// plainWords returns the words of a line in lower case without marks of code, of strong emphasis and of the end
// of a sentence, with a space before, between and after them.
func plainWords(line string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for word := range strings.FieldsSeq(unmarked.Replace(text.Lower(line))) {
		if word = strings.TrimRight(word, ".,;:!。，；：！"); word != "" {
			b.WriteString(word)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

var unmarked = strings.NewReplacer("`", "", "**", "", "。", "。 ", "！", "！ ", "？", "？ ")
