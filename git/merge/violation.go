package merge

import (
	"fmt"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// ConflictRule is the rule that a memory breaks while a merge of it is not finished.
const ConflictRule = "conflict"

// Unresolved returns the violation of a file with git's conflict markers, nil if it
// has none.
func Unresolved(name string, data []byte) []schemas.Violation {
	line := ConflictLine(data)
	if line == 0 {
		return nil
	}
	return []schemas.Violation{{
		Rule:     ConflictRule,
		Expected: "a memory without conflict markers",
		Got: fmt.Sprintf("line %d: git merged it line by line and left a conflict; run \"memctl resolve %s\", "+
			"and \"memctl install --git\" so that git merges memories field by field",
			line, text.ShellWord(strings.TrimSuffix(name, ".json"))),
	}}
}
