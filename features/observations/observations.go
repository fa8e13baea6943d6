// Package observations is the feature that shows the records: what tools did, what failed and was fixed, which
// memories prompts received, and which rules were kept. Package observe keeps the records.
package observations

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "observations", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command {
			return []*cli.Command{
				command.NewCommand(std, "observations", command.InProject, runObservations,
					&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Value: 20, Usage: "at most `N`; 0 is all",
						Action: command.OrAll}),
				command.NewCommand(std, "stats", command.InProject, command.Rooted(runStats)),
			}
		},
		Words: template.FuncMap{
			"excerpt": excerpt,
			"given":   memoryUse.given,
			"outcome": outcomeOf,
			"subject": subjectOf,
			"titleOf": titleOf,
			"used":    memoryUse.used,
			"whole":   wholeOf,
		},
	}
}

func runObservations(c *cli.Context, std command.Streams) error {
	f, err := readObservationFilter(c, time.Now())
	if err != nil {
		return err
	}
	root, cfg, err := command.FindConfigured(c, std)
	if err != nil {
		return err
	}
	if c.Bool("fixes") {
		return runFixes(c, std, root, cfg, f)
	}
	list, err := readObserved(c, root, f, retrieve.Source.Observations)
	if err != nil {
		return err
	}
	if len(list) == 0 && !c.Bool("json") {
		noteNothingObserved(std, cfg)
	}
	return command.PrintPaged(c, std, list, "observations")
}

func readObservationFilter(c *cli.Context, now time.Time) (retrieve.ObservationFilter, error) {
	f := retrieve.ObservationFilter{
		Tool:    c.String("tool"),
		Session: c.String("session"),
		Failed:  c.Bool("failed"),
		Query:   c.String("query"),
		Limit:   c.Int("limit"),
	}
	if file := c.String("file"); file != "" {
		f.File = path.Clean(filepath.ToSlash(file)) // a shell may complete a to ./a
	}
	if since := c.String("since"); since != "" {
		from, ok := schemas.ParseSince(since, now)
		if !ok {
			return f, console.Usagef("--since: expected a date or an age such as 7d or 12h, got %q", since)
		}
		f.Since = strings.TrimSuffix(schemas.FormatTime(from), "Z") // a fraction of that second sorts before the Z
	}
	if c.Bool("fixes") && (f.Failed || f.Query != "") {
		return f, console.Usagef("--fixes cannot be combined with --failed or --query")
	}
	return f, nil
}

func runFixes(
	c *cli.Context, std command.Streams, root files.Root, cfg schemas.Config, f retrieve.ObservationFilter,
) error {
	runs, err := readObserved(c, root, f, retrieve.Source.Runs)
	if err != nil {
		return err
	}
	fixes := observe.Fixes(runs)
	if n := len(fixes); f.Limit > 0 && n > f.Limit {
		fixes = fixes[n-f.Limit:]
	}
	if len(fixes) == 0 && !c.Bool("json") {
		console.Note(std.Err, "nothing failed and worked later in the same session")
		if !cfg.Observations.Enabled {
			noteNothingObserved(std, cfg)
		}
	}
	return command.PrintPaged(c, std, command.NotNil(fixes), "fixes")
}

// readObserved returns what read finds. Observations that cannot be read are an error,
// though the index just has none of them.
func readObserved[T any](c *cli.Context, root files.Root, f retrieve.ObservationFilter,
	read func(retrieve.Source, context.Context, retrieve.ObservationFilter) ([]T, error)) ([]T, error) {
	list, err := command.ReadIndex(c.Context, root, func(s retrieve.Source) ([]T, error) {
		return read(s, c.Context, f)
	})
	if err == nil && len(list) == 0 {
		err = observe.CheckReadable(root)
	}
	return command.NotNil(list), err
}

func noteNothingObserved(std command.Streams, cfg schemas.Config) {
	console.Note(std.Err, "no observations")
	if !cfg.Observations.Enabled {
		console.Hint(std.Err, `tools are not observed; "memctl config set observations.enabled true" changes that`)
	}
}

// maxExcerpt is how many characters of a command or an error a line shows.
const maxExcerpt = 120

func subjectOf(o retrieve.Observation) string { return cmp.Or(o.Command, o.File, o.Pattern) }

func outcomeOf(o retrieve.Observation) string {
	if o.Success == nil {
		return "unknown"
	}
	return command.Choose(*o.Success, "ok", "failed")
}

// excerpt puts the beginning of a text on one line.
func excerpt(s string) string {
	return text.Ellipsis(text.Printable(strings.Join(strings.Fields(s), " ")), maxExcerpt)
}

func runStats(c *cli.Context, std command.Streams, root files.Root) error {
	switch {
	case c.Bool("memories") && c.Bool("rules"):
		return console.Usagef("--memories cannot be combined with --rules")
	case c.Bool("memories"):
		return runMemoryStats(c, std, root)
	case c.Bool("rules"):
		return runRuleStats(c, std, root)
	}
	stats, err := command.ReadIndex(c.Context, root, func(s retrieve.Source) (retrieve.ToolStats, error) {
		return s.Stats(c.Context)
	})
	if err == nil && stats.Observations == 0 {
		err = observe.CheckReadable(root)
	}
	if err != nil {
		return err
	}
	command.NoteNone(c, std, stats.Observations, "no observations")
	return command.PrintResult(c, std, stats, "tools")
}

func runMemoryStats(c *cli.Context, std command.Streams, root files.Root) error {
	injections, err := observe.ReadRecord(root)
	if err != nil {
		return err
	}
	stats, err := command.ReadIndex(c.Context, root, func(s retrieve.Source) (memoryUses, error) {
		items, err := retrieve.List(c.Context, s.DB, retrieve.Filter{Statuses: schemas.Statuses}, "path")
		return sumUpInjections(root, injections, items), err
	})
	if err != nil {
		return err
	}
	command.NoteNone(c, std, len(stats.Memories), "no prompt has received a memory yet")
	return command.PrintParts(c, std, stats, func(s console.Screen, stats memoryUses) error {
		return printMemoryStats(std, s, stats)
	})
}

// printMemoryStats writes which memories prompts received: on a terminal a table, else a line
// for each.
func printMemoryStats(std command.Streams, s console.Screen, stats memoryUses) error {
	if len(stats.Memories) == 0 {
		return nil
	}
	fmt.Fprintf(s, "%s of %s received memories, %s to %s\n\n", text.Plural(stats.Prompts, "prompt", "prompts"),
		text.Plural(stats.Sessions, "session", "sessions"), command.Day(stats.First), command.Day(stats.Last))
	err := std.Say(s, "uses", stats.Memories)
	fmt.Fprintf(s, "\n%s never reached a prompt, of %d\n",
		text.Plural(stats.Unused, "active memory", "active memories"), stats.Active)
	return err
}

func runRuleStats(c *cli.Context, std command.Streams, root files.Root) error {
	report, err := retrieve.Rules(root)
	if err != nil {
		return err
	}
	command.NoteNone(c, std, len(report.Rules), "no session has been given a rule at an act yet")
	return command.PrintParts(c, std, report, func(s console.Screen, report retrieve.RuleReport) error {
		if len(report.Rules) == 0 {
			return nil
		}
		err := std.Say(s, "rules", report.Rules)
		fmt.Fprintf(s, "\n%s given in %s: %d stopped, %d kept, %d broken, %d unknown\n",
			text.Plural(len(report.Rules), "rule", "rules"), text.Plural(sessionsOf(report), "session", "sessions"),
			report.Stopped, report.Kept, report.Broken, report.Unknown)
		return err
	})
}

// sessionsOf returns the number of sessions of a report; those without an id are one.
func sessionsOf(report retrieve.RuleReport) int {
	sessions := map[string]bool{}
	for _, s := range report.Sessions {
		sessions[s.Session] = true
	}
	return len(sessions)
}

func wholeOf(n *float64) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprintf("%.0f", *n)
}

func (m memoryUse) given() string { return counted(m.Given, observe.Moments[1:]) }
func (m memoryUse) used() string  { return counted(m.Used, observe.Uses) }

// counted lists how often there was what has a name: "tool 2, start 1".
func counted(counts map[string]int, names []string) string {
	var parts []string
	for _, name := range names {
		if n := counts[name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", name, n))
		}
	}
	return strings.Join(parts, ", ")
}

// titleOf returns the title of a memory, or says that there is none.
func titleOf(title string) string { return cmp.Or(title, "(there is no such memory any more)") }

// memoryUses sums up the recorded injections of a root. It leaves out memories whose
// ids are not in memctl's form.
type memoryUses struct {
	Prompts  int         `json:"prompts"`  // that received a memory
	Sessions int         `json:"sessions"` // of these prompts; those without a session count as one
	First    string      `json:"first"`    // RFC 3339, "" without prompts
	Last     string      `json:"last"`
	Active   int         `json:"active"` // memories
	Unused   int         `json:"unused"` // active memories that no prompt received
	Memories []memoryUse `json:"memories"`
}

type memoryUse struct {
	ID       string         `json:"id"`
	Path     string         `json:"path"`
	Title    string         `json:"title"`  // "" if there is no such memory any more
	Status   schemas.Status `json:"status"` // likewise
	Prompts  int            `json:"prompts"`
	Sessions int            `json:"sessions"` // in which it was given
	Last     string         `json:"last"`     // when it was given or used
	Given    map[string]int `json:"given"`    // by moment: of observe.Moments
	Used     map[string]int `json:"used"`     // of observe.Uses
}

// sumUpInjections counts the injections of each memory, the most frequent first. items are all
// memories of the root.
func sumUpInjections(root files.Root, injections []observe.Injection, items []retrieve.ListEntry) memoryUses {
	s := memoryUses{Memories: []memoryUse{}}
	sessions := map[string]bool{}
	for _, in := range injections {
		if in.GivenAt() != observe.AtPrompt {
			continue
		}
		s.Prompts++
		at := in.Time.UTC().Format(time.RFC3339)
		s.First, s.Last = cmp.Or(s.First, at), at
		sessions[in.Session] = true
	}
	s.Sessions = len(sessions)
	uses := usesByPath(root, injections)
	for _, m := range items {
		if !observe.HasPlainID(m.Path) {
			continue // it is not recorded
		}
		use := uses[m.Path]
		if use != nil {
			use.Title, use.Status = m.Title, m.Status
		}
		if m.Status == schemas.Active {
			s.Active++
			if use == nil || use.Prompts == 0 {
				s.Unused++
			}
		}
	}
	for _, use := range uses {
		s.Memories = append(s.Memories, *use)
	}
	slices.SortFunc(s.Memories, func(a, b memoryUse) int {
		return cmp.Or(cmp.Compare(b.Prompts, a.Prompts), cmp.Compare(b.Last, a.Last), cmp.Compare(a.Path, b.Path))
	})
	return s
}

func usesByPath(root files.Root, injections []observe.Injection) map[string]*memoryUse {
	uses := map[string]*memoryUse{}
	type visit struct{ below, session string }
	seen := map[visit]bool{}
	for _, in := range injections {
		for _, below := range in.Memories {
			use := uses[below]
			if use == nil {
				use = &memoryUse{ID: strings.TrimSuffix(path.Base(below), ".json"), Path: root.Shown + "/" + below,
					Given: map[string]int{}, Used: map[string]int{}}
				uses[below] = use
			}
			use.Last = in.Time.UTC().Format(time.RFC3339)
			if in.Use != "" {
				use.Used[in.Use]++
				continue
			}
			use.Given[in.GivenAt()]++
			use.Prompts = use.Given[observe.AtPrompt]
			if v := (visit{below, in.Session}); !seen[v] {
				seen[v] = true
				use.Sessions++
			}
		}
	}
	return uses
}
