package render

import (
	"cmp"
	"fmt"
	"io"

	"memctl/hooks"
	"memctl/text"
)

// MemoryStats writes a table of the memories that prompts received.
func MemoryStats(out io.Writer, s hooks.MemoryStats) {
	fmt.Fprintf(out, "%s of %s received memories, %s to %s\n\n", text.Plural(s.Prompts, "prompt", "prompts"), text.Plural(s.Sessions, "session", "sessions"), day(s.First), day(s.Last))
	fmt.Fprintf(out, "%7s  %-19s  %s\n", "prompts", "last", "memory")
	for _, m := range s.Memories {
		title := cmp.Or(text.Printable(m.Title), "(there is no such memory any more)")
		fmt.Fprintf(out, "%7d  %-19s  %s  %s%s\n", m.Prompts, second(m.Last), text.Printable(m.ID), title, statusNote(cmp.Or(m.Status, "active")))
	}
	fmt.Fprintf(out, "\n%d of %s %s in none of them\n", s.Unused, text.Plural(s.Active, "active memory", "active memories"), choose(s.Unused == 1, "was", "were"))
}
