package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/gate"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func runTriage(c *cli.Context, std streams) error {
	if c.NArg() != 1 {
		return console.Usagef("triage needs one transcript, got %d", c.NArg())
	}
	_, cfg, err := findConfigured(c, std)
	if errors.Is(err, memdir.ErrNoRoot) && rootArg(c) == "" {
		cfg, err = schemas.DefaultConfig(), nil
	}
	if err != nil {
		return err
	}
	return printed(c, std, printTriage)(readTranscript(c.Args().First(), cfg))
}

func readTranscript(path string, cfg schemas.Config) (clients.Scores, error) {
	file, size, err := gate.OpenRegular(path)
	if err != nil {
		return clients.Scores{}, err
	}
	defer file.Close()
	report, err := clients.Score(file, size, cfg)
	if err != nil {
		return clients.Scores{}, fmt.Errorf("read %s: %w", path, err)
	}
	return report, nil
}

// printTurns writes the points of each turn, with the lines that it is asked about.
func printTurns(out io.Writer, r clients.Scores) {
	for _, t := range r.Turns {
		verdict := choose(t.Asks, "  asks", "")
		fmt.Fprintf(out, "turn %-3d  %.1f  work %.1f, user %.1f, agent %.1f%s\n", t.Turn, t.Score, t.Worked, t.Person, t.Agent, verdict)
		for _, f := range t.Finds {
			fmt.Fprintf(out, "      %s %s: %s\n", f.Side, strings.Join(f.Signs, ", "), text.Printable(f.Text))
		}
	}
}

// printTriage writes the score of each category with the lines that count.
func printTriage(out io.Writer, r clients.Scores) {
	if r.Turns != nil {
		printTurns(out, r)
		return
	}
	fmt.Fprintf(out, "%s: %s\n", text.Plural(r.Messages, "message", "messages"), r.Activity)
	for _, c := range r.Categories {
		verdict := "below"
		if c.Triggers {
			verdict = "save"
		} else if c.Score >= c.Threshold {
			verdict = "switched off"
		}
		fmt.Fprintf(out, "\n%-15s  %.2f of %.2f  %s\n", c.Category.Display(), c.Score, c.Threshold, verdict)
		for _, m := range c.Matches {
			words := m.Word
			if m.Booster != "" {
				words += " + " + m.Booster
			}
			fmt.Fprintf(out, "  %5d  %.2f  %s: %s\n", m.Line, m.Points, words, text.Printable(m.Text))
		}
	}
}
