package render

import (
	"cmp"
	"fmt"
	"strconv"

	"memctl/hooks"
	"memctl/schemas"
	"memctl/term"
	"memctl/text"
)

// MemoryStats writes which memories prompts received: on a terminal a table, else a line
// for each.
func MemoryStats(s term.Screen, stats hooks.MemoryStats) {
	fmt.Fprintf(s, "%s of %s received memories, %s to %s\n\n", text.Plural(stats.Prompts, "prompt", "prompts"), text.Plural(stats.Sessions, "session", "sessions"), day(stats.First), day(stats.Last))
	if s.IsTerminal() {
		memoryUseTable(stats.Memories).Print(s)
	} else {
		for _, m := range stats.Memories {
			fmt.Fprintf(s, "%6d  %s  %s  %s%s\n", m.Prompts, second(m.Last), text.Printable(m.ID), text.Printable(titleOf(m)), statusNote(cmp.Or(m.Status, schemas.Active)))
		}
	}
	fmt.Fprintf(s, "\n%s never reached a prompt, of %d\n", text.Plural(stats.Unused, "active memory", "active memories"), stats.Active)
}

func memoryUseTable(list []hooks.MemoryUse) term.Table {
	t := term.Table{Columns: []term.Column{{Head: "PROMPTS"}, {Head: "LAST"}, idColumn, statusColumn, titleColumn}}
	for _, m := range list {
		t.Rows = append(t.Rows, []string{strconv.Itoa(m.Prompts), day(m.Last), m.ID, unusual(cmp.Or(m.Status, schemas.Active)), titleOf(m)})
	}
	return t
}

// titleOf returns the title of a memory, or says that there is none.
func titleOf(m hooks.MemoryUse) string { return cmp.Or(m.Title, "(there is no such memory any more)") }
