package exchange

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memctl/text"
)

// splitProse takes a Markdown text apart into items: a decision record as a whole, else each section, from its heading
// to the next one. Its lines stay as they are, but for comments, which are often a template's. What is longer than an
// item may be becomes several.
func splitProse(name, document string) (items []WorkItem) {
	meta, body, first := cutFront(document)
	all := sections(body, first)
	var scope []string
	for _, key := range []string{"paths", "globs", "applyTo"} {
		scope = append(scope, meta.takeList(key)...)
	}
	if isRecord(all) || isRecordName(name) {
		// The format adr has the same hash.
		return WorkItem{Line: 1, Text: uncommented(document), Hash: hashOf(document), Record: true}.parts()
	}
	for _, s := range all {
		headings := slices.DeleteFunc(append(slices.Clone(s.trail), s.title), isEmpty)
		said := linkTo().ReplaceAllString(strings.Join(headings, " > "), "$1")
		item := WorkItem{Line: s.first, Under: text.OneLine(said, 300), For: strings.Join(scope, " "),
			Text: uncommented(s.text)}
		items = append(items, item.parts()...)
	}
	return items
}

// parts returns an item that waits, none if it has no words. A text that is too long for one becomes several, each of
// whole paragraphs.
func (item WorkItem) parts() (list []WorkItem) {
	item.State, item.Text = Waiting, strings.Trim(item.Text, "\n")
	item.Hash = cmp.Or(item.Hash, hashOf(item.Text))
	if !strings.ContainsFunc(item.Text, unicode.IsLetter) {
		return nil
	}
	pieces := pieces(item.Text, maxWorkText)
	line := item.Line
	for i, piece := range pieces {
		part := item
		part.Line, part.Text = line, strings.Trim(piece, "\n")
		if len(pieces) > 1 {
			part.Part = fmt.Sprintf("part %d of %d", i+1, len(pieces))
		}
		if i > 0 {
			part.Hash = hashOf(part.Text)
		}
		list = append(list, part)
		if item.Line > 0 {
			line += strings.Count(piece, "\n")
		}
	}
	return list
}

// pieces cuts a text into pieces of at most n bytes: before a heading if there is one in the second half, else at a
// blank line, the end of a line or of a word.
func pieces(document string, n int) (list []string) {
	for len(document) > n {
		head := document[:n]
		at := strings.LastIndex(head, "\n#")
		for _, end := range []string{"\n\n", "\n", " "} {
			if at < n/2 {
				at = strings.LastIndex(head, end)
			}
		}
		if at < n/2 {
			at = n - 1
		}
		for at++; !utf8.RuneStart(document[at]); at-- {
		}
		list, document = append(list, document[:at]), document[at:]
	}
	return append(list, document)
}

// isRecordName reports whether a file is a decision record by its name and its folder's, whatever its headings are.
func isRecordName(name string) bool {
	return isDecisionFolder(path.Base(path.Dir(name))) && recordNumber().MatchString(path.Base(name))
}

// recordNumber begins the name of a record.
var recordNumber = text.Pattern(`^(?i:adr|rfc|kep|decision)?[-_ ]?\d+`)

// isNotice reports whether a file among decision records is their list, or a template.
func isNotice(name string) bool {
	return isDecisionFolder(path.Base(path.Dir(name))) &&
		(isReadme(name) || templateFile().MatchString(stemOf(path.Base(name))))
}

// isDecisionFolder reports whether projects name folders of decision records so.
func isDecisionFolder(name string) bool {
	return slices.Contains([]string{"adr", "adrs", "decisions", "decision-records", "architecture-decisions",
		"architecture_decisions"}, text.Lower(name))
}
