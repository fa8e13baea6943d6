package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"memctl/history"
	"memctl/install"
	"memctl/schemas"
	"memctl/term"
	"memctl/text"
	"memctl/writer"
)

// MemoryText writes a memory for git diff: all of it, and nothing that is not in its
// file.
func MemoryText(out io.Writer, m schemas.Memory) {
	line(out, 0, "[%s] %s", m.Category.Display(), m.Title)
	fields := []struct{ name, value string }{
		{"id", m.ID}, {"status", string(m.RecordStatus)}, {"created", m.CreatedAt}, {"updated", fmt.Sprintf("%s (%s)", m.UpdatedAt, text.Plural(m.TimesUpdated, "time", "times"))},
		{"retired", strings.TrimSpace(m.RetiredAt + " " + m.RetiredReason)}, {"archived", strings.TrimSpace(m.ArchivedAt + " " + m.ArchivedReason)},
	}
	if m.Confidence != nil {
		fields = append(fields, struct{ name, value string }{"confidence", fmt.Sprint(*m.Confidence)})
	}
	for _, f := range fields {
		if f.value != "" {
			line(out, 0, "%s: %s", f.name, f.value)
		}
	}
	list(out, "tags", m.Tags)
	list(out, "files", m.RelatedFiles)
	content(term.NewScreen(out, 0, false), m.Content, true)
	changes := make([]string, len(m.Changes))
	for i, c := range m.Changes {
		changes[i] = c.Date + " " + c.Summary
	}
	line(out, 0, "")
	list(out, "history", changes)
}

// list writes an item on each line, so that a diff shows which one changed.
func list(out io.Writer, name string, items []string) {
	if len(items) == 0 {
		return
	}
	line(out, 0, "%s:", name)
	for _, item := range items {
		line(out, 1, "- %s", item)
	}
}

// shortCommit is how much of a commit's id a person reads.
const shortCommit = 10

func commitID(c history.Commit) string {
	if c.ID == "" {
		return "not committed"
	}
	return c.ID[:min(shortCommit, len(c.ID))]
}

// Log writes two lines for each revision of a memory.
func Log(s term.Screen, revisions []history.Revision) {
	for _, r := range revisions {
		s.Print(term.Cyan, commitID(r.Commit))
		if r.ID != "" {
			fmt.Fprintf(s, "  %s  %s  %s", day(r.Date), text.Brief(r.Author), text.Brief(r.Subject))
		}
		what := string(r.Change)
		if r.RenamedFrom != "" {
			what += " from " + text.Printable(r.RenamedFrom)
		}
		if fields := meaningful(r); len(fields) > 0 {
			what += ": " + text.Printable(strings.Join(fields, ", "))
		}
		fmt.Fprintf(s, "\n%*s  %s\n", shortCommit, "", what)
	}
}

// meaningful are the fields of a revision that a person wants to know about: not all of a
// new memory, and not those that every update changes.
func meaningful(r history.Revision) []string {
	if r.Change == history.Added {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Fields), func(field string) bool {
		return field == "changes" || field == "times_updated" || field == "updated_at"
	})
}

// Blame writes a line for each value of a memory, but not its history, whose entries
// have dates of their own. On a terminal it is a table that fits.
func Blame(s term.Screen, origins []history.Origin) {
	t := term.Table{Columns: []term.Column{{Head: "FIELD", Style: term.Bold}, {Head: "COMMIT", Style: term.Cyan}, {Head: "DATE", Optional: true}, {Head: "AUTHOR", Cut: true}, {Head: "VALUE", Cut: true}}}
	last := ""
	for _, o := range origins {
		if o.Field == "changes" {
			continue
		}
		field, date := o.Field, ""
		if field == last {
			field = ""
		}
		if o.ID != "" {
			date = day(o.Date)
		}
		t.Rows = append(t.Rows, []string{field, commitID(o.Commit), date, o.Author, stringOrJSON(o.Value)})
		last = o.Field
	}
	if s.IsTerminal() {
		t.Print(s)
		return
	}
	lines := tabwriter.NewWriter(s, 0, 0, 2, ' ', 0)
	for _, row := range t.Rows {
		fmt.Fprintln(lines, text.Printable(row[0])+"\t"+row[1]+"\t"+row[2]+"\t"+text.Printable(row[3])+"\t"+text.Printable(row[4]))
	}
	lines.Flush()
}

// stringOrJSON is the text of a string, and the JSON of any other value.
func stringOrJSON(raw json.RawMessage) string {
	return cmp.Or(schemas.String(raw), string(raw))
}

// Resolved writes what became of a conflict.
func Resolved(out io.Writer, r writer.Resolved) {
	if r.Merged {
		fmt.Fprintf(out, "merged the two versions of %s\n", text.Printable(r.Target))
	}
	for _, notice := range r.Notices {
		fmt.Fprintf(out, "%s\n", text.Printable(notice))
	}
	for _, c := range r.Conflicts {
		fmt.Fprintf(out, "%s\n", text.Printable(c.Field))
		side(out, "base", c.Base)
		side(out, "ours", c.Ours)
		side(out, "theirs", c.Theirs)
	}
	if n := len(r.Conflicts); n > 0 {
		fmt.Fprintf(out, "%s in conflict, and the memory has ours: run it again with --ours or --theirs\n", text.Plural(n, "field is", "fields are"))
	} else {
		fmt.Fprintf(out, "resolved %s\n", text.Printable(r.Target))
	}
}

func side(out io.Writer, name string, value any) {
	shown := "(absent)"
	if s, ok := value.(string); ok {
		shown = s
	} else if value != nil {
		data, _ := schemas.EncodeJSON(value) // was decoded from JSON
		shown = string(data)
	}
	fmt.Fprintf(out, "  %-7s %s\n", name+":", text.Printable(shown))
}

// GitRegistered writes what install --git did.
func GitRegistered(out io.Writer, c install.GitChange) {
	gitChange(out, c, "registered with git", "already registered with git")
}

// GitUnregistered writes what uninstall did about git.
func GitUnregistered(out io.Writer, c install.GitChange) {
	gitChange(out, c, "unregistered from git", "not registered with git")
}

func gitChange(out io.Writer, c install.GitChange, done, unchanged string) {
	if !c.Changed {
		fmt.Fprintf(out, "%s: %s; nothing was changed\n", text.Printable(c.Root), unchanged)
		return
	}
	fmt.Fprint(out, text.Paragraph(c.Diff))
	for _, setting := range c.Settings {
		key, value, set := strings.Cut(setting, "=")
		if set {
			fmt.Fprintf(out, "git config %s %s\n", key, "'"+strings.ReplaceAll(text.Printable(value), "'", `'\''`)+"'")
		} else {
			fmt.Fprintf(out, "git config --unset %s\n", key)
		}
	}
	fmt.Fprintf(out, "%s: %s\n", text.Printable(c.Root), Done(c.DryRun, done))
}
