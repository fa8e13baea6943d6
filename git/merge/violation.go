package merge

import (
	"fmt"
	"strings"

	"memctl/schemas"
	"memctl/text"
)

// ConflictRule is the rule that a memory breaks while a merge of it is not finished.
const ConflictRule = "conflict"

// Check returns every violation of a file with a name in the folder of a category. It is a single
// one if git left conflict markers in the file.
func Check(name string, category schemas.Category, data []byte) []schemas.Violation {
	if found := unresolved(name, data); found != nil {
		return found
	}
	return schemas.ValidateAs(name, category, data)
}

func unresolved(name string, data []byte) []schemas.Violation {
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
