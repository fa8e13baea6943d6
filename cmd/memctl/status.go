package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

const statusDescription = `Says what the memory root holds: memories by category and status, the state of the
index, files that are no memories, observations, and the settings in force. It passes no judgement:
memctl health does, and tells by its exit status.`

func statusCommand(std streams) *cli.Command {
	return wholeRootCommand("status", "say what the memory root holds", statusDescription, func(ctx context.Context, root memdir.Root, asJSON bool) error {
		return runStatus(ctx, std, root, asJSON)
	})
}

func runStatus(ctx context.Context, std streams, root memdir.Root, asJSON bool) error {
	cfg, err := loadConfig(root, std)
	if err != nil {
		return err
	}
	s, err := readStatus(ctx, root, cfg)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(std.Out, s)
	}
	s.print(std.Out)
	return nil
}

type statusReport struct {
	retrieve.Overview
	Observations observationsStatus `json:"observations"`
	Config       schemas.Config     `json:"config"`
}

func readStatus(ctx context.Context, root memdir.Root, cfg schemas.Config) (statusReport, error) {
	s := statusReport{Config: cfg}
	var err error
	s.Overview, err = retrieve.Look(ctx, root, func(ix *indexer.Index) (err error) {
		s.Observations, err = readObservationsStatus(ctx, ix, root, cfg.Observations, time.Now())
		return err
	})
	return s, err
}

func (s statusReport) print(out io.Writer) {
	printOverview(out, s.Overview)
	r := s.Config.Retrieval
	retrieval := "off"
	if r.Enabled {
		retrieval = fmt.Sprintf("on, %s, at most %d a prompt", r.MatchStrategy, r.MaxInject)
	}
	fmt.Fprintf(out, "retrieval: %s\n", retrieval)
	fmt.Fprintf(out, "triage: %s, last %d messages\n", onOff(s.Config.Triage.Enabled), s.Config.Triage.MaxMessages)
	fmt.Fprintf(out, "observations: %s\n", s.Observations)
	for _, info := range schemas.Categories {
		if line := categorySettings(s.Config.Categories[info.Category]); line != "" {
			fmt.Fprintf(out, "%s: %s\n", info.Category, line)
		}
	}
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// categorySettings says what of a category's settings is out of the ordinary.
func categorySettings(c schemas.CategoryConfig) string {
	var parts []string
	if !c.Enabled {
		parts = append(parts, "disabled")
	}
	if !c.AutoCapture {
		parts = append(parts, "not captured automatically")
	}
	if c.RetentionDays > 0 {
		parts = append(parts, fmt.Sprintf("kept %d days", c.RetentionDays))
	}
	if c.MaxRetained > 0 {
		parts = append(parts, fmt.Sprintf("the last %d stay active", c.MaxRetained))
	}
	return strings.Join(parts, ", ")
}
