package retrieve

import (
	"iter"
	"regexp/syntax"
	"slices"
	"strings"

	"memctl/indexer"
	"memctl/schemas"
	"memctl/text"
)

// maxExpressions is how many expressions for forbidden lines are compared with what a tool adds.
const maxExpressions = 100

// forbidders yields the paths of the memories of a root that may forbid a line which the tool adds.
func (a *act) forbidders(lines []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		n := 0
		matched := map[string]bool{}
		for expression, at := range triggersOf(lines, indexer.LinesTrigger, "") {
			matches, known := matched[expression]
			if !known {
				if n++; n > maxExpressions || len(a.addedLines()) == 0 {
					return
				}
				matches = a.hasText(literalOf(expression)) &&
					ForbiddenLine(&schemas.Check{ForbiddenLines: expression}, a.added) >= 0
				matched[expression] = matches
			}
			if matches && !yield(at) {
				return
			}
		}
	}
}

// addedLines returns the lines that the tool adds to files of the project.
func (a *act) addedLines() []string {
	if a.added == nil && a.Added != nil && !a.Reads && len(a.Files) > 0 {
		a.added = a.Added()
		a.Added = nil
	}
	return a.added
}

// hasText reports whether an added line has a text. To look for it is quicker than to match each line.
func (a *act) hasText(s string) bool {
	return slices.ContainsFunc(a.added, func(line string) bool { return strings.Contains(line, s) })
}

// literalOf returns the longest text that is in every match of an expression as it is, "" for none.
func literalOf(expression string) (longest string) {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return ""
	}
	parts := []*syntax.Regexp{parsed}
	if parsed.Op == syntax.OpConcat {
		parts = parsed.Sub
	}
	for _, part := range parts {
		if text := string(part.Rune); part.Op == syntax.OpLiteral && part.Flags&syntax.FoldCase == 0 &&
			len(text) > len(longest) {
			longest = text
		}
	}
	return longest
}

// breaks reports whether the tool adds a line that a memory forbids: in its related files, or in any of the project if
// it has none.
func (a *act) breaks(m *schemas.Memory) bool {
	return len(a.added) > 0 && forbidsIn(m, a.Files) && ForbiddenLine(m.Check(), a.added) >= 0
}

// forbidsIn reports whether the check of a memory is for one of some files.
func forbidsIn(m *schemas.Memory, files []string) bool {
	return len(m.RelatedFiles) == 0 || slices.ContainsFunc(files, func(file string) bool {
		return slices.ContainsFunc(m.RelatedFiles, func(related string) bool { return aboutFile(related, file) > 0 })
	})
}

// ForbiddenLine returns the first line that a check forbids, -1 for none.
func ForbiddenLine(check *schemas.Check, lines []string) int {
	expression := check.Lines()
	if expression == nil {
		return -1
	}
	return slices.IndexFunc(lines, expression.MatchString)
}

// sayInstead adds to a result what its check wants instead, unless the result says it.
func (r *Result) sayInstead(check *schemas.Check) {
	if check == nil || check.Instead == "" || strings.Contains(r.Title+"\n"+r.Sentence, check.Instead) {
		return
	}
	if r.Sentence != "" && !strings.ContainsAny(r.Sentence[len(r.Sentence)-1:], ".!?") {
		r.Sentence += "."
	}
	r.Sentence = strings.TrimSpace(r.Sentence + " Instead: " + text.OneLine(check.Instead, maxInstead))
}

// maxInstead is how many code points of what a check wants instead a result has.
const maxInstead = 100
