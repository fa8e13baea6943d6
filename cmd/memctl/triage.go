package main

import (
	"errors"
	"fmt"
	"io"

	"memctl/memdir"
	"memctl/privacy"
	"memctl/schemas"
	"memctl/text"
	"memctl/triage"

	"github.com/urfave/cli/v2"
)

const triageDescription = `Scores the end of a session's transcript as "memctl hook stop" does, and says why.
Nothing is written.

   memctl triage ~/.claude/projects/-home-me-shop/SESSION.jsonl
   memctl triage SESSION.jsonl --json

A category that reaches its threshold would block the stop, unless it is switched
off. Under each stand the lines with one of its words: the line's number in the
text without code, its points, the word, the booster near it if there is one, and
the line. A line without points came when no more lines counted.

The thresholds and the number of messages are those of memory-config.json; where
there is no memory root, the defaults.

Exit status: 0 scored; 1 the transcript cannot be read; 2 wrong usage.`

func triageCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "triage",
		Usage:       "score a transcript: what in it is worth a memory",
		ArgsUsage:   "TRANSCRIPT",
		Description: triageDescription,
		Flags:       []cli.Flag{rootFlag(), &cli.BoolFlag{Name: "json", Usage: "print one JSON object"}},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("triage needs one transcript, got %d", c.NArg())
			}
			_, cfg, err := findConfigured(c, std)
			if errors.Is(err, memdir.ErrNoRoot) && rootArg(c) == "" {
				cfg, err = schemas.DefaultConfig(), nil
			}
			if err != nil {
				return err
			}
			return runTriage(std, cfg, c.Args().First(), c.Bool("json"))
		},
	}
}

// triageAnswer is the JSON answer.
type triageAnswer struct {
	Messages   int              `json:"messages"`
	Activity   triage.Activity  `json:"activity"`
	Categories []triageCategory `json:"categories"`
}

type triageCategory struct {
	Category  schemas.Category `json:"category"`
	Score     float64          `json:"score"`
	Threshold float64          `json:"threshold"`
	Triggers  bool             `json:"triggers"`
	Matches   []triageMatch    `json:"matches"`
}

type triageMatch struct {
	Line    int     `json:"line"`
	Points  float64 `json:"points"`
	Word    string  `json:"word"`
	Booster string  `json:"booster,omitempty"`
	Text    string  `json:"text"`
}

func runTriage(std streams, cfg schemas.Config, path string, asJSON bool) error {
	file, size, err := memdir.OpenRegular(path)
	if err != nil {
		return err
	}
	defer file.Close()
	t, err := triage.Read(file, size, triage.Window{Messages: cfg.Triage.MaxMessages}, "", privacy.New(privacy.Options(cfg.Privacy)))
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	answer := newTriageAnswer(&t, cfg)
	if asJSON {
		return writeJSON(std.Out, answer)
	}
	return printTriage(std.Out, answer)
}

func newTriageAnswer(t *triage.Transcript, cfg schemas.Config) triageAnswer {
	answer := triageAnswer{Messages: t.Messages(), Activity: t.Activity}
	for _, r := range t.Judge() {
		c := triageCategory{r.Category, r.Score, cfg.Triage.Thresholds[r.Category], r.Triggers(cfg), []triageMatch{}}
		for _, m := range r.Matches {
			c.Matches = append(c.Matches, triageMatch{m.Line + 1, m.Points, m.Word, m.Booster, t.Line(m.Line)})
		}
		answer.Categories = append(answer.Categories, c)
	}
	return answer
}

func printTriage(out io.Writer, answer triageAnswer) error {
	fmt.Fprintf(out, "%s: %s\n", text.Plural(answer.Messages, "message", "messages"), answer.Activity)
	for _, c := range answer.Categories {
		verdict := "below"
		if c.Triggers {
			verdict = "save"
		} else if c.Score >= c.Threshold {
			verdict = "switched off"
		}
		fmt.Fprintf(out, "\n%-15s  %.2f of %.2f  %s\n", c.Category.Display(), c.Score, c.Threshold, verdict)
		for _, m := range c.Matches {
			word := m.Word
			if m.Booster != "" {
				word += " + " + m.Booster
			}
			fmt.Fprintf(out, "  %5d  %.2f  %s: %s\n", m.Line, m.Points, word, text.Printable(m.Text))
		}
	}
	return nil
}
