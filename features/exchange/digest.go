package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
)

// The lines between which export writes the digest. They begin with these.
const (
	digestBegin = "<!-- memctl:begin"
	digestEnd   = "<!-- memctl:end"
)

// digestBlock is a digest with its two lines. The first is a digestStart.
var (
	digestBlock = text.Pattern(`(?ms)^` + digestBegin + `.*?\n` + digestEnd + `[^\n]*\n?`)
	digestStart = text.Pattern(`(?m)^` + digestBegin)
	digestMark  = text.Pattern(`(?m)^(?:` + digestBegin + `|` + digestEnd + `)`)
)

// Budget is how many tokens a digest takes unless the user says otherwise.
const Budget = 1500

// Digest is the active constraints and preferences for a client without hooks.
type Digest struct {
	Path    string `json:"path"`
	Lines   int    `json:"memories"`
	LeftOut int    `json:"left_out"` // for which the budget has no room
	Tokens  int    `json:"tokens"`
	Changed bool   `json:"changed"`
}

// rank says which constraints and preferences come first.
var rank = map[string]int{"high": 0, "strong": 0, "medium": 1, "default": 1, "low": 2, "soft": 2}

// InstructionFile returns the file that a digest goes to: AGENTS.md if the project has
// one, else CLAUDE.md if it has that, else AGENTS.md.
func (x *Exporter) InstructionFile() string {
	for _, name := range []string{"AGENTS.md", "CLAUDE.md"} {
		path := filepath.Join(x.Root.Project, name)
		if _, err := gate.Lstat(path); err == nil {
			return path
		}
	}
	return filepath.Join(x.Root.Project, "AGENTS.md")
}

// Digest writes the constraints and the preferences that fit the budget, in tokens,
// between two lines of a file. A second run replaces what is between them, and nothing
// else is changed.
func (x *Exporter) Digest(ctx context.Context, path string, budget int) (Digest, error) {
	d := Digest{Path: path}
	place, err := x.place(path)
	if err != nil {
		return d, err
	}
	old, err := readPage(place, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return d, err
	}
	before, after, err := around(old)
	if err != nil {
		return d, fmt.Errorf("%s: %w", path, err)
	}
	lines, err := x.digestLines(ctx)
	if err != nil {
		return d, err
	}
	body := d.fill(lines, budget)
	updated := before + body + after
	if d.Changed = updated != old; !d.Changed {
		return d, nil
	}
	return d, x.WriteFile(path, []byte(updated))
}

// around returns what stands before and after a digest. A file without one gets it at the
// end.
func around(old string) (before, after string, err error) {
	at := digestBlock().FindStringIndex(old)
	switch {
	case at == nil && digestMark().MatchString(old):
		return "", "", errors.New("one of the two lines around the digest is missing: remove the other")
	case at == nil && old == "":
		return "", "", nil
	case at == nil:
		return strings.TrimRight(old, "\n") + "\n\n", "", nil
	case len(digestStart().FindAllString(old, 2)) > 1:
		return "", "", errors.New("there are two digests: remove one")
	}
	return old[:at[0]], old[at[1]:], nil
}

// digestLine is a memory in a digest.
type digestLine struct {
	category schemas.Category
	rank     int
	updated  string
	text     string
	path     string
}

func (x *Exporter) digestLines(ctx context.Context) ([]digestLine, error) {
	only := Exporter{Root: x.Root, Filter: x.Filter,
		Categories: []schemas.Category{schemas.Constraint, schemas.Preference}}
	var lines []digestLine
	err := only.active(ctx, func(m memory) error {
		var weight string
		switch c := m.Content.(type) {
		case *schemas.ConstraintContent:
			if c.Active != nil && !*c.Active {
				return nil
			}
			weight = c.Severity
		case *schemas.PreferenceContent:
			weight = c.Strength
		}
		phrase := schemas.StartLine(m.Title, m.Addition())
		if m.Folder != "" {
			phrase = "In " + m.Folder + ": " + phrase
		}
		phrase = withoutImports(strings.ReplaceAll(strings.ReplaceAll(phrase, "<!--", ""), "-->", ""))
		lines = append(lines, digestLine{m.Category, rank[weight], m.UpdatedAt, phrase, m.path})
		return nil
	})
	x.Unread, x.Undated = only.Unread, only.Undated
	slices.SortStableFunc(lines, func(a, b digestLine) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.category, b.category),
			cmp.Compare(b.updated, a.updated),
			cmp.Compare(a.path, b.path))
	})
	return lines, err
}

// codeSpan matches code in a line of Markdown, which clients do not look into, and a sign that
// begins the import of a file anywhere else: at the start of a word (the address of a mail has
// it within one).
var codeSpan = text.Pattern("``.*?``|`[^`]*`|(?:^|[^\\w.+-])@")

// withoutImports writes a line so that no client takes a word of it, such as @~/file, for the
// import of a file.
func withoutImports(line string) string {
	return codeSpan().ReplaceAllStringFunc(line, func(match string) string {
		if before, isImport := strings.CutSuffix(match, "@"); isImport {
			return before + `\@`
		}
		return match
	})
}

// fill renders the lines that fit the budget.
func (d *Digest) fill(lines []digestLine, budget int) string {
	const (
		begin = digestBegin + ` (memctl export claude-md; edit the memories, not this) -->` + "\n"
		end   = digestEnd + " -->\n"
	)
	used := text.Cost(begin + end + "## Constraints\n\n## Preferences\n\n")
	byCategory := map[schemas.Category][]string{}
	for _, l := range lines {
		line := "- " + l.text + "\n"
		if cost := text.Cost(line); used+cost <= budget {
			used += cost
			byCategory[l.category] = append(byCategory[l.category], line)
			d.Lines++
		} else {
			d.LeftOut++
		}
	}
	var parts []string
	for _, part := range []struct {
		category schemas.Category
		heading  string
	}{{schemas.Constraint, "## Constraints\n\n"}, {schemas.Preference, "## Preferences\n\n"}} {
		if list := byCategory[part.category]; len(list) > 0 {
			parts = append(parts, part.heading+strings.Join(list, ""))
		}
	}
	d.Tokens = used
	return begin + strings.Join(parts, "\n") + end
}

// withoutDigest blanks the lines of a digest and returns the number of its first, 0 if
// there is none. The other lines keep their numbers.
func withoutDigest(document string) (rest string, first int) {
	at := digestBlock().FindStringIndex(document)
	if at == nil {
		return document, 0
	}
	before, digest, after := document[:at[0]], document[at[0]:at[1]], document[at[1]:]
	return before + strings.Repeat("\n", strings.Count(digest, "\n")) + after, 1 + strings.Count(before, "\n")
}
