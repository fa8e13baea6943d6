package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/features/mcp"
	"memctl/features/review"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

const (
	referenceDoc = "../../docs/reference.md"
	// maxPurpose is how many words the reference has of a setting's purpose.
	maxPurpose = 12
	// maxReference is how many words the reference may have.
	maxReference = 3000
)

// docs/reference.md has every command with its flags, every setting, and who may do what.
func TestReference(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# Reference

Made from the program by ` + "`go test ./cmd/memctl -run TestReference -update`" + `. For more, run
` + "`memctl COMMAND --help`" + `.

## Commands

All take ` + "`--root DIR`" + ` and ` + "`--help`" + `, those with an answer for programs ` + "`--json`" + `. An ID is the name of a
memory's file without ` + "`.json`" + `, or its beginning; ` + "`--target`" + ` names one too. ` + "`--user`" + ` means your own memories, ` +
		"`--color`" + ` is auto, always or never.

`)
	writeExits(&b)
	list := commands(program(), "")
	for line := range strings.Lines(program().Help().Read("groups")) {
		title, names, isGroup := strings.Cut(line, ":")
		if !isGroup {
			continue
		}
		fmt.Fprintf(&b, "\n### %s\n\n", title)
		for name := range strings.FieldsSeq(names) {
			writeCommand(&b, "", console.CommandNamed(list, name))
		}
	}
	b.WriteString("\n## Settings\n\nKey, default, values; `NAME` is a category. " +
		"`memctl config set KEY VALUE` checks a value and writes it to `memory-config.json`. A setting of *your own* counts in your " +
		"own file alone (`--user`), one *with* a value only with that strategy.\n")
	writeSettings(t, &b)
	b.WriteString("\n## Findings\n\nThe kinds of `memctl review`:\n\n")
	for _, row := range review.Kinds {
		fmt.Fprintf(&b, "- `%s`: %s\n", row.Kind, row.Meaning)
	}
	b.WriteString("\n## Who may\n\n*No agent*: not in the shell of an agent, nor by a tool. " +
		"*A person, who is asked*: on the terminal itself, and no `--yes` answers.\n\n")
	b.WriteString(accessTable())

	if n := len(strings.Fields(b.String())); n > maxReference {
		t.Errorf("the reference has %d words, and %d is the bound", n, maxReference)
	}
	if *update {
		if err := os.WriteFile(referenceDoc, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(referenceDoc)
	if diff := cmp.Diff(string(data), b.String()); err != nil || diff != "" {
		t.Errorf("%s, by -update: %v\n%s", referenceDoc, err, diff)
	}
}

// exits are the exit statuses, as the pages of man and of each command have them.
var exits = []struct {
	code int
	what string
}{
	{console.ExitDone, "done"}, {console.ExitFailed, "refused, or problems were found"}, {console.ExitUsage, "wrong usage"},
	{console.ExitStopped, "stopped by Ctrl-C"},
}

func writeExits(b *strings.Builder) {
	var list []string
	for _, e := range exits {
		list = append(list, fmt.Sprintf("%d %s", e.code, e.what))
	}
	b.WriteString("Exit status: " + strings.Join(list, "; ") + ". A hook exits with 0, whatever happens.\n")
}

// everywhere are the flags that the reference names once.
var everywhere = []string{"root", "help", "json", "user", "scope", "color", "target"}

// writeCommand writes a line for a command and each command below it. Those of add and hook take the same flags.
func writeCommand(b *strings.Builder, parent string, cmd *cli.Command) {
	name := strings.TrimSpace(parent + " " + cmd.Name)
	fmt.Fprintf(b, "- `%s`: %s", strings.TrimSpace(name+" "+cmd.ArgsUsage), cmd.Usage)
	var flags []string
	for _, flag := range cmd.Flags {
		if long := flag.Names()[0]; !slices.Contains(everywhere, long) && !isHidden(flag) {
			flags = append(flags, "`--"+long+"`")
		}
	}
	if flags != nil {
		b.WriteString("; " + strings.Join(flags, " "))
	}
	b.WriteString("\n")
	for _, sub := range cmd.Subcommands {
		if !sub.Hidden && cmd.Name != "add" && cmd.Name != "hook" {
			writeCommand(b, name, sub)
		}
	}
}

func isHidden(flag cli.Flag) bool {
	visible, ok := flag.(cli.VisibleFlag)
	return ok && !visible.IsVisible()
}

// clause is the part of a purpose that the reference has.
var clause = regexp.MustCompile(`^.+?(?:[.;:](?: |$)|$)`)

// writeSettings writes a line for each setting that can be changed. Settings of a category have one for all.
func writeSettings(t *testing.T, b *strings.Builder) {
	section, written := "", map[string]bool{}
	list := schemas.Settings()
	slices.SortStableFunc(list, func(a, z schemas.Setting) int { // those of no section come first
		return min(strings.Count(a.Key, "."), 1) - min(strings.Count(z.Key, "."), 1)
	})
	for _, s := range list {
		if len(s.Values()) == 1 {
			continue
		}
		key, purpose := s.Key, s.Purpose
		for _, info := range schemas.Categories {
			own := "." + string(info.Category)
			if parts := strings.Split(key, "."); slices.Contains(parts[1:], string(info.Category)) &&
				key != "triage.thresholds.session_summary" {
				key = strings.Replace(key, own, ".NAME", 1)
				purpose = strings.ReplaceAll(purpose, string(info.Category), "NAME")
			}
		}
		if written[key] {
			continue
		}
		written[key] = true
		head, _, below := strings.Cut(key, ".")
		if !below {
			head = "all sections"
		}
		if head != section {
			section = head
			fmt.Fprintf(b, "\n### %s\n\n", head)
		}
		short, _, _ := strings.Cut(strings.Trim(clause.FindString(purpose), ".;: "), ", such as ")
		for cut := len(short); cut > 0 && len(strings.Fields(short)) > maxPurpose; {
			if cut = strings.LastIndex(short, ", "); cut > 0 {
				short = short[:cut]
			}
		}
		if n := len(strings.Fields(short)); n > maxPurpose {
			t.Errorf("the first clause of %s in schemas/settings.txt has %d words, and %d is the bound: %s",
				s.Key, n, maxPurpose, short)
		}
		short = strings.ToLower(short[:1]) + short[1:]
		fmt.Fprintf(b, "- `%s` %s: %s%s\n", key, takes(s), strings.TrimPrefix(short, "whether "), effect(s))
	}
}

// takes is the default of a setting and what it may be.
func takes(s schemas.Setting) string {
	initial, _ := json.Marshal(s.Default) // bools, numbers, texts and lists
	text := "`" + string(initial) + "`"
	switch s.Default.(type) {
	case string, []string:
		if len(s.Values()) > 0 {
			return text + " (" + strings.Join(s.Values(), ", ") + ")"
		}
	case int, float64:
		least, greatest := s.Range()
		return fmt.Sprintf("%s (%s–%s)", text, plain(least), plain(greatest))
	}
	return text
}

func plain(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }

// effect is where a setting takes effect only, "" for everywhere.
func effect(s schemas.Setting) string {
	words := strings.Fields(strings.TrimSuffix(s.Condition(), "."))
	switch {
	case len(words) == 0:
		return ""
	case strings.Contains(s.NoEffect(schemas.DefaultConfig(), false), "--user"):
		return " (your own)"
	}
	return " (with " + words[len(words)-1] + ")"
}

// accessTable is the table of who may do what.
func accessTable() string {
	type row struct{ who, touches string }
	lines := map[row][]string{}
	add := func(what string, rules command.May) {
		for _, a := range rules {
			r, what := row{a.Who.String(), a.Touches}, what
			if a.When.Words != "" {
				what += " (" + a.When.Words + ")"
			}
			if a.Lifted {
				r.who += ", unless `sources.agent_all` is true"
			}
			lines[r] = append(lines[r], what)
		}
	}
	for name, rules := range declarations() {
		if !slices.Contains(unlisted, name) && !strings.HasPrefix(name, "debug") && !strings.HasPrefix(name, "add ") {
			add("`"+name+"`", rules)
		}
	}
	for _, f := range program().Reaching() {
		what := "`--" + f.Flag + "`"
		if f.Of != "" {
			first, _, _ := strings.Cut(f.Of, ",")
			what = "`" + first + " --" + f.Flag + "`"
		}
		add(what, f.May)
	}
	for scope, a := range mcp.Scopes {
		if scope != "" {
			add("the tool's scope `"+scope+"`", command.May{{Access: a}})
		}
	}
	var rows []string
	for r, whats := range lines {
		slices.Sort(whats)
		what := strings.Join(slices.Compact(whats), ", ")
		rows = append(rows, fmt.Sprintf("| %s | %s | %s |\n", r.touches, r.who, what))
	}
	slices.Sort(rows)
	return "| touches | who may | what |\n|---|---|---|\n" + strings.Join(rows, "")
}
