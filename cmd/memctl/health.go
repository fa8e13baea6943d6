package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const healthDescription = `Judges the memory root: GOOD, or NEEDS ATTENTION and why. memctl status says what
there is and which settings hold; memctl validate checks every file against its
schema, which takes longer.

What needs attention:

   a file in a category's folder that cannot be read as a memory
   an index that was damaged (it has been rebuilt, but something damaged it), or
       that is out of date and cannot be written (answers then come from one in
       memory, and take longer)
   anything in memory-config.json that cannot be used

An index that is missing, as after git clone, or was made by another version of
memctl is made anew and is in order. For information only: active memories updated
more than 5 times, which may be several subjects in one, and memories retired in
the last 7 days, which memctl restore brings back.

Exit status: 0 GOOD, 1 NEEDS ATTENTION or no memory root, 2 wrong usage.`

const (
	// retiredDays is how far back a retirement is news.
	retiredDays = 7
	// maxNews bounds each list of information for people; --json has all.
	maxNews = 10
)

func healthCommand(std streams) *cli.Command {
	return wholeRootCommand("health", "judge whether the memory root needs attention", healthDescription, func(ctx context.Context, root memdir.Root, asJSON bool) error {
		return runHealth(ctx, std, root, asJSON)
	})
}

const (
	good           = "GOOD"
	needsAttention = "NEEDS ATTENTION"
)

type healthReport struct {
	Verdict string   `json:"verdict"`
	Reasons []string `json:"reasons"` // none where the verdict is GOOD
	retrieve.Overview
	HeavilyUpdated  []listed  `json:"heavily_updated"`
	RecentlyRetired []retired `json:"recently_retired"`
}

type retired struct {
	listed
	RetiredAt     string `json:"retired_at"`
	RetiredReason string `json:"retired_reason"`
}

func runHealth(ctx context.Context, std streams, root memdir.Root, asJSON bool) error {
	h, err := readHealth(ctx, root, time.Now())
	if err != nil {
		return err
	}
	if asJSON {
		if err := writeJSON(std.Out, h); err != nil {
			return err
		}
	} else {
		h.print(std.Out)
	}
	if h.Verdict == needsAttention {
		return errFindings
	}
	return nil
}

func readHealth(ctx context.Context, root memdir.Root, now time.Time) (h healthReport, err error) {
	h.Overview, err = retrieve.Look(ctx, root, func(ix *indexer.Index) error {
		return h.readNews(ctx, root, ix, now)
	})
	h.Verdict, h.Reasons = good, []string{}
	if n := len(h.Problems); n > 0 {
		h.Reasons = append(h.Reasons, text.Plural(n, "file is no memory; mend or remove it", "files are no memories; mend or remove them"))
	}
	if h.Index.Trouble != "" {
		h.Reasons = append(h.Reasons, h.Index.Trouble)
	}
	h.Reasons = append(h.Reasons, configTroubles(root)...)
	if len(h.Reasons) > 0 {
		h.Verdict = needsAttention
	}
	return h, err
}

func (h *healthReport) readNews(ctx context.Context, root memdir.Root, ix *indexer.Index, now time.Time) error {
	heavy, err := retrieve.HeavilyUpdated(ctx, ix.DB)
	if err != nil {
		return err
	}
	h.HeavilyUpdated = make([]listed, len(heavy))
	for i, m := range heavy {
		h.HeavilyUpdated[i] = listedOf(root, m)
	}
	recent, err := retrieve.RetiredSince(ctx, ix.DB, now.AddDate(0, 0, -retiredDays))
	h.RecentlyRetired = make([]retired, len(recent))
	for i, m := range recent {
		h.RecentlyRetired[i] = retired{listedOf(root, m.Item), m.At, m.Reason}
	}
	return err
}

// configTroubles says what in memory-config.json cannot be used.
func configTroubles(root memdir.Root) []string {
	_, warnings, err := root.Config()
	if err != nil {
		return []string{fmt.Sprintf("%s cannot be read: %v", memdir.ConfigName, err)}
	}
	troubles := make([]string, len(warnings))
	for i, w := range warnings {
		troubles[i] = w.String()
	}
	return troubles
}

func (h healthReport) print(out io.Writer) {
	fmt.Fprintln(out, h.Verdict)
	for _, reason := range h.Reasons {
		fmt.Fprintf(out, "- %s\n", text.Printable(reason))
	}
	fmt.Fprintln(out)
	printOverview(out, h.Overview)
	printNews(out, fmt.Sprintf("updated more than %d times", retrieve.HeavyUpdates), h.HeavilyUpdated, func(m listed) string {
		return fmt.Sprintf("%s (%s)", m.Path, text.Plural(m.TimesUpdated, "time", "times"))
	})
	printNews(out, fmt.Sprintf("retired in the last %d days", retiredDays), h.RecentlyRetired, func(m retired) string {
		if m.RetiredReason == "" {
			return m.Path
		}
		return fmt.Sprintf("%s (%s)", m.Path, m.RetiredReason)
	})
}

// printNews prints how many memories there are of a kind and names the first.
func printNews[M any](out io.Writer, kind string, memories []M, line func(M) string) {
	fmt.Fprintf(out, "%s: %d\n", kind, len(memories))
	for i, m := range memories {
		if i == maxNews {
			fmt.Fprintf(out, "  and %d more\n", len(memories)-maxNews)
			break
		}
		fmt.Fprintf(out, "  %s\n", text.Printable(line(m)))
	}
}
