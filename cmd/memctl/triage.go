package main

import (
	"errors"
	"fmt"
	"io"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/gate"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func triageCommand(std streams) *cli.Command {
	return newCommand(std, "triage", runTriage, rootFlag(),
		&cli.BoolFlag{Name: "json", Usage: "print one JSON object"})
}

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
	report, err := readTranscript(c.Args().First(), cfg)
	if err != nil {
		return err
	}
	return printResult(c, std, report, printTriage)
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

// printTriage writes the score of each category with the lines that count.
func printTriage(out io.Writer, r clients.Scores) {
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
