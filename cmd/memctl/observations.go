package main

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runObservations(c *cli.Context, std streams) error {
	f, err := readObservationFilter(c, time.Now())
	if err != nil {
		return err
	}
	root, cfg, err := findConfigured(c, std)
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
	return printPaged(c, std, list, printObservations)
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

// runFixes lists what failed and worked later.
func runFixes(c *cli.Context, std streams, root memdir.Root, cfg schemas.Config, f retrieve.ObservationFilter) error {
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
	return printPaged(c, std, notNil(fixes), printFixes)
}

// readObserved returns what read finds. Observations that cannot be read are an error,
// though the index just has none of them.
func readObserved[T any](c *cli.Context, root memdir.Root, f retrieve.ObservationFilter,
	read func(retrieve.Source, context.Context, retrieve.ObservationFilter) ([]T, error)) ([]T, error) {
	list, err := readIndex(c.Context, root, func(s retrieve.Source) ([]T, error) { return read(s, c.Context, f) })
	if err == nil && len(list) == 0 {
		err = observe.CheckReadable(root)
	}
	return notNil(list), err
}

func noteNothingObserved(std streams, cfg schemas.Config) {
	console.Note(std.Err, "no observations")
	if !cfg.Observations.Enabled {
		console.Hint(std.Err, `tools are not observed; "memctl config set observations.enabled true" changes that`)
	}
}

// maxExcerpt is how many characters of a command or an error a line shows.
const maxExcerpt = 120

// printObservations writes what tools did: a table on a terminal, else one line each, and a
// second one for an error.
func printObservations(s console.Screen, list []retrieve.Observation) {
	columns := []console.Column{idColumn, {Head: "WHEN (UTC)", Optional: true}, {Head: "RESULT"},
		{Head: "TOOL", Optional: true}, {Head: "SUBJECT", Cut: true}, {Head: "ERROR", Cut: true}}
	row := func(o retrieve.Observation) []string {
		return []string{o.EventID, minute(o.Timestamp), outcomeOf(o), o.Tool, excerpt(subjectOf(o)),
			excerpt(o.Error)}
	}
	if console.Tabulate(s, list, columns, row) {
		return
	}
	for _, o := range list {
		fmt.Fprintf(s, "%s  %-6s  %-12s %s\n", second(o.Timestamp), outcomeOf(o), text.Printable(o.Tool),
			excerpt(subjectOf(o)))
		if o.Error != "" {
			fmt.Fprintf(s, "%30s%s\n", "", excerpt(o.Error))
		}
	}
}

// subject is what a tool worked on.
func subjectOf(o retrieve.Observation) string { return cmp.Or(o.Command, o.File, o.Pattern) }

func outcomeOf(o retrieve.Observation) string {
	if o.Success == nil {
		return "unknown"
	}
	return choose(*o.Success, "ok", "failed")
}

// printFixes writes what failed and worked later.
func printFixes(out console.Screen, list []observe.Fix) {
	for _, fix := range list {
		fmt.Fprintf(out, "%s  %s\n", second(fix.FixedAt), excerpt(fix.Tool+" "+fix.Subject))
		fmt.Fprintf(out, "  failed %s: %s\n", text.Plural(fix.Failures, "time", "times"), excerpt(fix.Error))
		for _, step := range fix.Between {
			fmt.Fprintf(out, "  then: %s\n", excerpt(step))
		}
	}
}

// excerpt puts the beginning of a text on one line.
func excerpt(s string) string {
	return text.Ellipsis(text.Printable(strings.Join(strings.Fields(s), " ")), maxExcerpt)
}
