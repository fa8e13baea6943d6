package main

import (
	"context"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const observationsDescription = `Lists what the agent's tools did, the last first, where observations.enabled is true.
--fixes lists what failed and worked later in the same session: candidates for a
runbook.

   memctl observations --failed --since 7d
   memctl observations --file internal/store/pool.go
   memctl observations --query "connection refused" --json`

func observationsCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "observations",
		Usage:       "list what the agent's tools did",
		Description: observationsDescription,
		Flags: []cli.Flag{
			rootFlag(),
			jsonFlag(),
			&cli.StringFlag{Name: "file", Usage: "only tools on the file `F`, or on one whose path ends so"},
			&cli.StringFlag{Name: "tool", Usage: "only the tool `T`"},
			&cli.BoolFlag{Name: "failed", Usage: "only what failed"},
			&cli.StringFlag{Name: "session", Usage: "only the session whose id begins with `ID`"},
			&cli.StringFlag{Name: "since", Usage: "only from `D` on: a date, or an age such as 7d or 12h"},
			&cli.StringFlag{Name: "query", Usage: "only what holds all `WORDS`"},
			&cli.BoolFlag{Name: "fixes", Usage: "what failed and worked later in the same session"},
			&cli.IntFlag{Name: "limit", Aliases: []string{"n"}, Value: 20, Usage: "at most `N`; 0 is all"},
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c, "; to find words use --query"); err != nil {
				return err
			}
			f, err := readObservationFilter(c, time.Now())
			if err != nil {
				return err
			}
			root, cfg, err := findConfigured(c, std)
			if err != nil {
				return err
			}
			if c.Bool("fixes") {
				return runFixes(c.Context, std, root, cfg, f, c.Bool("json"))
			}
			return runObservations(c.Context, std, root, cfg, f, c.Bool("json"))
		},
	}
}

func readObservationFilter(c *cli.Context, now time.Time) (retrieve.ObservationFilter, error) {
	f := retrieve.ObservationFilter{
		File:    fileArg(c.String("file")),
		Tool:    c.String("tool"),
		Session: c.String("session"),
		Failed:  c.Bool("failed"),
		Query:   c.String("query"),
		Limit:   c.Int("limit"),
	}
	if since := c.String("since"); since != "" {
		from, ok := parseSince(since, now)
		if !ok {
			return f, usagef("--since: expected a date or an age such as 7d or 12h, got %q", since)
		}
		f.Since = strings.TrimSuffix(schemas.FormatTime(from), "Z") // or a fraction of that second would come before it
	}
	if f.Limit < 0 {
		return f, usagef("--limit: expected 0 or more, got %d", f.Limit)
	}
	if c.Bool("fixes") && (f.Failed || f.Query != "") {
		return f, usagef("--fixes cannot be combined with --failed or --query")
	}
	return f, nil
}

// fileArg takes a file as a shell completes it: ./a and a are one.
func fileArg(s string) string {
	if s == "" {
		return ""
	}
	return path.Clean(filepath.ToSlash(s))
}

// parseSince reads a date, or how long ago it is.
func parseSince(s string, now time.Time) (time.Time, bool) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.Atoi(days)
		return now.AddDate(0, 0, -n), err == nil && n >= 0 && n < 100_000
	}
	if age, err := time.ParseDuration(s); err == nil && age >= 0 {
		return now.Add(-age), true
	}
	return schemas.ParseTime(s)
}

func runObservations(ctx context.Context, std streams, root memdir.Root, cfg schemas.Config, f retrieve.ObservationFilter, asJSON bool) error {
	var list []retrieve.Observation
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) (err error) {
		list, err = retrieve.Observations(ctx, ix.DB, f)
		return err
	})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		err = checkReadable(root)
	}
	switch {
	case err != nil:
		return err
	case asJSON:
		return writeJSON(std.Out, nonNil(list))
	case len(list) == 0:
		printNothingObserved(std.Err, cfg)
	}
	for _, o := range list {
		printObservation(std.Out, o)
	}
	return nil
}

// checkReadable tells observations that cannot be read from none.
func checkReadable(root memdir.Root) error {
	if _, err := newestSession(root); err != nil {
		return fmt.Errorf("read %s: %w", memdir.SessionsFolder, err)
	}
	return nil
}

func printNothingObserved(out io.Writer, cfg schemas.Config) {
	fmt.Fprintln(out, "memctl: no observations")
	if !cfg.Observations.Enabled {
		fmt.Fprintln(out, `memctl: hint: tools are not observed; "memctl config set observations.enabled true" changes that`)
	}
}

// maxSubject is how much of a command or an error stands on a line.
const maxSubject = 120

func printObservation(out io.Writer, o retrieve.Observation) {
	mark := "ok    "
	if !o.Success {
		mark = "failed"
	}
	subject := firstOf(o.Command, o.File, o.Pattern)
	fmt.Fprintf(out, "%s  %s  %-12s %s\n", localTime(o.Timestamp), mark, text.Printable(o.Tool), onLine(subject))
	if o.Error != "" {
		fmt.Fprintf(out, "%30s%s\n", "", onLine(o.Error))
	}
}

func firstOf(all ...string) string {
	for _, s := range all {
		if s != "" {
			return s
		}
	}
	return ""
}

// onLine puts a text on one line.
func onLine(s string) string {
	return text.Ellipsis(text.Printable(strings.Join(strings.Fields(s), " ")), maxSubject)
}

// localTime is a timestamp to the second, in UTC like all that memctl shows.
func localTime(stamp string) string {
	if t, ok := schemas.ParseTime(stamp); ok {
		return t.UTC().Format("2006-01-02 15:04:05")
	}
	return "-"
}
