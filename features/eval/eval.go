// Package eval is the feature that measures the ranking: how well prompts with known answers are answered.
package eval

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/template"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/gate"
	"memctl/retrieve"

	"github.com/urfave/cli/v2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "eval", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command {
			return []*cli.Command{
				command.CountingArguments(command.NewCommand(std, "eval", command.FileHere, runEval))}
		},
		Words: template.FuncMap{"share": shareOf},
	}
}

func runEval(c *cli.Context, std command.Streams) error {
	if c.NArg() != 1 {
		return console.Usagef("eval needs one FILE of prompts, or - for stdin")
	}
	cases, err := readCases(std, c.Args().First())
	if err != nil {
		return fmt.Errorf("read prompts: %w", err)
	}
	s, err := command.OpenStore(c, std)
	if err != nil {
		return err
	}
	root, err := s.Root()
	if err != nil {
		return err
	}
	searcher, err := command.SearcherOf(c, s, root)
	if err != nil {
		return err
	}
	return command.Printed(c, std, "evaluation")(evaluate(c.Context, root, searcher, cases))
}

func readCases(std command.Streams, name string) ([]evalCase, error) {
	if name == "-" {
		command.NoteWaiting(std, "prompts")
		return parseCases(std.In)
	}
	file, _, err := gate.OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseCases(file)
}

func shareOf(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(n)/float64(of))
}

// evalCase is a prompt with the ids of memories that answer it. It should get at least one
// of them, or nothing if there are none.
type evalCase struct {
	Prompt string   `json:"prompt"`
	Expect []string `json:"expect"`
	Kind   string   `json:"kind,omitempty"` // groups the figures
}

// parseCases reads one case a line and skips blank lines.
func parseCases(in io.Reader) ([]evalCase, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	var cases []evalCase
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var c evalCase
		err := json.Unmarshal(line, &c)
		if err == nil && strings.TrimSpace(c.Prompt) == "" {
			err = errors.New("no prompt")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// evaluation says how well the ranking answered the prompts of some cases.
type evaluation struct {
	Strategy string        `json:"strategy"`
	All      figures       `json:"all"`
	Kinds    []kindFigures `json:"kinds"`
	Misses   []miss        `json:"misses"`
}

// Rows are the figures of each kind, and of all.
func (e evaluation) Rows() []kindFigures {
	return append(e.Kinds, kindFigures{Kind: "all", figures: e.All})
}

type figures struct {
	Expecting int `json:"expecting"` // prompts that expect a memory
	Found     int `json:"found"`     // of those: prompts that get one of the expected memories
	First     int `json:"first"`     // of those: prompts that get it in the first place
	Silent    int `json:"silent"`    // prompts that expect nothing
	Polluted  int `json:"polluted"`  // of those: prompts that get something
}

type kindFigures struct {
	Kind string `json:"kind"`
	figures
}

type miss struct {
	evalCase
	Got []string `json:"got"`
}

// evaluate asks each prompt as the prompt hook would and compares what it would
// inject with what the case expects.
func evaluate(ctx context.Context, root files.Root, s retrieve.Searcher, cases []evalCase) (evaluation, error) {
	return command.ReadIndex(ctx, root, func(source retrieve.Source) (evaluation, error) {
		e := evaluation{Strategy: s.Config.Retrieval.MatchStrategy, Misses: []miss{}}
		for _, c := range cases {
			var results []retrieve.Result
			q := s.Prompt(c.Prompt)
			if s.Silence(c.Prompt, q) == "" {
				var err error
				if results, err = source.Alone().Fresh(ctx, q); err != nil {
					return e, err
				}
			}
			e.add(c, results)
		}
		return e, nil
	})
}

func (e *evaluation) add(c evalCase, results []retrieve.Result) {
	got := make([]string, len(results))
	for i, r := range results {
		got[i] = r.ID
	}
	place := slices.IndexFunc(got, func(id string) bool { return slices.Contains(c.Expect, id) })
	e.All.add(c, got, place)
	e.kind(c.Kind).add(c, got, place)
	if place < 0 && (len(c.Expect) > 0 || len(got) > 0) {
		e.Misses = append(e.Misses, miss{c, got})
	}
}

func (e *evaluation) kind(name string) *figures {
	i := slices.IndexFunc(e.Kinds, func(k kindFigures) bool { return k.Kind == name })
	if i < 0 {
		i = len(e.Kinds)
		e.Kinds = append(e.Kinds, kindFigures{Kind: name})
	}
	return &e.Kinds[i].figures
}

// add counts a case. place is the index of the first expected memory in what the
// prompt got, -1 if it got none of them.
func (f *figures) add(c evalCase, got []string, place int) {
	if len(c.Expect) == 0 {
		f.Silent++
		f.Polluted += min(len(got), 1)
		return
	}
	f.Expecting++
	if place >= 0 {
		f.Found++
	}
	if place == 0 {
		f.First++
	}
}
