package render

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"memctl/memdir"
	"memctl/observe"
	"memctl/text"
	"memctl/writer"
)

// Initialized writes what was created in a memory root.
func Initialized(out io.Writer, done memdir.Initialized) {
	if len(done.Created) == 0 {
		fmt.Fprintf(out, "%s is complete already; nothing was created\n", text.Printable(done.Root))
		return
	}
	fmt.Fprintf(out, "%s: created %s\n", text.Printable(done.Root), strings.Join(done.Created, " "))
	if len(done.Kept) > 0 {
		fmt.Fprintf(out, "kept as it was: %s\n", strings.Join(done.Kept, " "))
	}
}

// Enforcement writes which memories were retired, and why.
func Enforcement(out io.Writer, e writer.Enforcement) {
	if len(e.Retired) == 0 {
		fmt.Fprintln(out, "every category is within its limits")
	} else {
		fmt.Fprintf(out, "%s %s:\n", Done(e.DryRun, "retired"), memories(len(e.Retired)))
	}
	for _, r := range e.Retired {
		fmt.Fprintf(out, "  %s: %s\n", text.Printable(r.Path), text.Printable(r.Reason))
		if len(r.OnlyHere) > 0 {
			fmt.Fprintf(out, "    [WARN] no other active memory says: %s\n", text.Printable(strings.Join(r.OnlyHere, "; ")))
		}
	}
	skipped(out, e.Skipped)
}

// Collection writes which memories were archived or deleted, and the files of
// observations that were removed. graceDays is how long a retired memory can be
// restored.
func Collection(out io.Writer, c writer.Collection, removed observe.Removed, graceDays int) {
	if len(c.Archived)+len(c.Deleted)+len(removed.Files) == 0 {
		fmt.Fprintln(out, "nothing to collect")
	}
	collected(out, Done(c.DryRun, "archived"), c.Archived)
	collected(out, Done(c.DryRun, "deleted"), c.Deleted)
	skipped(out, c.Skipped)
	if c.Kept > 0 {
		fmt.Fprintf(out, "%s been retired for less than %s and can be restored\n",
			text.Plural(c.Kept, "memory has", "memories have"), text.Plural(graceDays, "day", "days"))
	}
	if len(removed.Files) > 0 {
		fmt.Fprintf(out, "%s the observations of %s, %.1f MB:\n", Done(c.DryRun, "removed"), sessions(len(removed.Files)), float64(removed.Bytes)/1e6)
	}
	paths(out, removed.Files)
	for _, path := range slices.Sorted(maps.Keys(removed.Failed)) {
		fmt.Fprintf(out, "could not remove %s: %s\n", text.Printable(path), text.Printable(removed.Failed[path]))
	}
}

func collected(out io.Writer, done string, list []string) {
	if len(list) > 0 {
		fmt.Fprintf(out, "%s %s:\n", done, memories(len(list)))
	}
	paths(out, list)
}

// Scrubbing writes what was taken out of which files.
func Scrubbing(out io.Writer, s writer.Scrubbing) {
	switch {
	case len(s.Changed) == 0 && s.Looked == 0 && len(s.Skipped) > 0: // skipped names the files
	case len(s.Changed) == 0:
		fmt.Fprintf(out, "nothing to scrub in %s\n", memories(s.Looked))
	default:
		fmt.Fprintf(out, "%s %s of %d: %s\n", Done(s.DryRun, "scrubbed"), memories(len(s.Changed)), s.Looked, s.Privacy)
	}
	for _, changed := range s.Changed {
		fmt.Fprintf(out, "  %s\n", text.Printable(changed.Path))
		for _, field := range changed.Fields {
			if field.Report.Found() {
				fmt.Fprintf(out, "    %s: %s\n", text.Printable(field.Path), field.Report)
			}
		}
		if changed.RenamedTo != "" {
			fmt.Fprintf(out, "    %s %s\n", Done(s.DryRun, "renamed to"), text.Printable(changed.RenamedTo))
		}
	}
	if len(s.Sessions) > 0 {
		fmt.Fprintf(out, "%s the observations of %s:\n", Done(s.DryRun, "scrubbed"), sessions(len(s.Sessions)))
	}
	scrubbed(out, s.Sessions)
	if len(s.Aside) > 0 {
		fmt.Fprintf(out, "%s %s:\n", Done(s.DryRun, "scrubbed"), text.Plural(len(s.Aside), "file that was set aside", "files that were set aside"))
	}
	scrubbed(out, s.Aside)
	skipped(out, s.Skipped)
}

func scrubbed(out io.Writer, list []writer.ScrubbedFile) {
	for _, file := range list {
		removed := cmp.Or(file.Privacy.String(), "repeated keys")
		fmt.Fprintf(out, "  %s: %s\n", text.Printable(file.Path), removed)
	}
}

func skipped(out io.Writer, list []writer.Skipped) {
	if len(list) > 0 {
		fmt.Fprintf(out, "left %s:\n", text.Plural(len(list), "file as it is", "files as they are"))
	}
	for _, s := range list {
		fmt.Fprintf(out, "  %s: %s\n", text.Printable(s.Path), text.Printable(s.Reason))
	}
}

func paths(out io.Writer, list []string) {
	for _, path := range list {
		fmt.Fprintf(out, "  %s\n", text.Printable(path))
	}
}

func memories(n int) string { return text.Plural(n, "memory", "memories") }
func sessions(n int) string { return text.Plural(n, "session", "sessions") }
