package schemas

import (
	"bytes"
	"fmt"
	"regexp"
	"sync"

	"memctl/text"
)

// ConflictRule is the rule that a memory breaks while a merge of it is not finished.
const ConflictRule = "conflict"

// marker begins a line by which git parts the versions of a conflict. No line of a JSON
// document begins so.
var marker = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(<{7,}|\|{7,}|={7,}|>{7,})(?: .*)?\r?\n?$`)
})

// ConflictMarker returns the first character of a line that is a marker, else 0.
func ConflictMarker(line []byte) byte {
	if marker().Match(line) {
		return line[0]
	}
	return 0
}

// ConflictLine returns the line, from 1, on which git's first conflict in a file starts,
// 0 if there is none.
func ConflictLine(data []byte) int {
	if !bytes.Contains(data, []byte("<<<<<<<")) {
		return 0
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if ConflictMarker(line) == '<' {
			return number
		}
	}
	return 0
}

// inConflict is the violation of a file with git's conflict markers, which stand on a line.
func inConflict(stem string, line int) Violation {
	return Violation{
		Rule:     ConflictRule,
		Expected: "a memory without conflict markers",
		Got: fmt.Sprintf("line %d: git merged it line by line and left a conflict; run \"memctl resolve %s\", "+
			"and \"memctl install --git\" so that git merges memories field by field", line, text.ShellWord(stem)),
	}
}
