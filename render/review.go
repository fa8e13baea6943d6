package render

import (
	"fmt"
	"io"

	"memctl/review"
	"memctl/term"
	"memctl/text"
	"memctl/writer"
)

// Review writes the findings of a review, kind by kind: on a line the memory and the
// reason, on the next one the command.
func Review(s term.Screen, r review.Report) {
	for _, kind := range review.Kinds {
		if r.Counts[kind.Kind] == 0 {
			continue
		}
		s.Print(term.Bold, string(kind.Kind))
		fmt.Fprintf(s, ": %s (%d)\n", kind.Meaning, r.Counts[kind.Kind])
		for _, f := range r.Findings {
			if f.Kind != kind.Kind {
				continue
			}
			s.Print("", "  ")
			s.Print(term.Cyan, text.Printable(f.ID))
			fmt.Fprintf(s, "  %s\n", text.Printable(f.Reason))
			s.Print(term.Faint, "      "+text.Printable(f.Command)+"\n")
		}
		fmt.Fprintln(s)
	}
	fmt.Fprintf(s, "%s in %s", text.Plural(len(r.Findings), "finding", "findings"), text.Plural(r.Memories, "active memory", "active memories"))
	if r.Commits > 0 {
		fmt.Fprintf(s, ", after reading %s", text.Plural(r.Commits, "commit", "commits"))
	}
	fmt.Fprintln(s)
}

// ReviewFixes writes what is renamed in each memory, and why not.
func ReviewFixes(out io.Writer, fixes []review.Fix, dryRun bool) {
	done := 0
	for _, f := range fixes {
		fmt.Fprintln(out, text.Printable(f.Path))
		for _, r := range f.Renames {
			fmt.Fprintf(out, "  - %s\n  + %s\n", text.Printable(r.From), text.Printable(r.To))
		}
		if f.Error != "" {
			fmt.Fprintf(out, "  not changed: %s\n", text.Printable(f.Error))
		}
		if f.Done || dryRun {
			done++
		}
	}
	if len(fixes) == 0 {
		fmt.Fprintln(out, "nothing to fix")
		return
	}
	fmt.Fprintf(out, "%s %s\n", text.Plural(done, "memory", "memories"), choose(dryRun, "would be updated", "updated"))
}

// Confirmed writes which memories still hold.
func Confirmed(out io.Writer, list []writer.Saved) {
	for _, m := range list {
		fmt.Fprintf(out, "confirmed %s\n", text.Printable(m.ID))
	}
}
