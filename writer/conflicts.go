package writer

import (
	"fmt"
	"strings"

	"memctl/memdir"
	"memctl/merge"
	"memctl/schemas"
	"memctl/text"
)

// conflictRule is the rule that a memory breaks while a merge of it is not finished.
const conflictRule = "conflict"

// plainConflict returns the violation of a file with git's conflict markers, nil if it
// has none.
func plainConflict(name string, data []byte) []schemas.Violation {
	line := merge.ConflictLine(data)
	if line == 0 {
		return nil
	}
	return []schemas.Violation{{
		Rule:     conflictRule,
		Expected: "a memory without conflict markers",
		Got: fmt.Sprintf("line %d: git merged it line by line and left a conflict; run \"memctl resolve %s\", and \"memctl install --git\" so that git merges memories field by field",
			line, text.ShellWord(strings.TrimSuffix(name, ".json"))),
	}}
}

// checkConflicts reports the conflicts that merges recorded in a folder.
func (v *Validation) checkConflicts(folder *memdir.Folder, info schemas.CategoryInfo) {
	ids, err := folder.Conflicts()
	if err != nil {
		v.add(info.Folder, unreadableFile(err))
	}
	for _, id := range ids {
		name := id + memdir.ConflictSuffix
		v.add(info.Folder+"/"+name, openConflict(folder, id, name))
	}
}

func openConflict(folder *memdir.Folder, id, name string) schemas.Violation {
	found := schemas.Violation{Rule: conflictRule, Expected: "no conflict that is left open"}
	data, _, err := folder.Read(name)
	if err != nil {
		return unreadableFile(err)
	}
	record, err := merge.DecodeRecord(data)
	if err != nil {
		found.Got = fmt.Sprintf("not the record of a conflict (%v): remove it if the memory is as you want it", err)
		return found
	}
	if _, err := folder.Stat(id + ".json"); err != nil {
		found.Got = "the conflict of a memory that is gone: remove the file"
		return found
	}
	found.Got = fmt.Sprintf("both sides of a merge changed %s, and the memory has ours; run \"memctl resolve %s\"", text.Brief(record.Fields()), text.ShellWord(id))
	return found
}
