package retrieve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"memctl/indexer"
	"memctl/memdir"
)

// Case is a prompt with the ids of memories that answer it. It should get at least one
// of them, or nothing if there are none.
type Case struct {
	Prompt string   `json:"prompt"`
	Expect []string `json:"expect"`
	Kind   string   `json:"kind,omitempty"` // groups the figures
}

// ReadCases reads one case a line and skips blank lines.
func ReadCases(in io.Reader) ([]Case, error) {
	data, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	var cases []Case
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var c Case
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

// Evaluation says how well the ranking answered the prompts of some cases.
type Evaluation struct {
	Strategy string        `json:"strategy"`
	All      Figures       `json:"all"`
	Kinds    []KindFigures `json:"kinds"`
	Misses   []Miss        `json:"misses"`
}

// Figures count prompts.
type Figures struct {
	Expecting int `json:"expecting"` // prompts that expect a memory
	Found     int `json:"found"`     // of those: prompts that get one of the expected memories
	First     int `json:"first"`     // of those: prompts that get it in the first place
	Silent    int `json:"silent"`    // prompts that expect nothing
	Polluted  int `json:"polluted"`  // of those: prompts that get something
}

// KindFigures are the figures of the cases of one kind.
type KindFigures struct {
	Kind string `json:"kind"`
	Figures
}

// Miss is a case that was answered wrongly.
type Miss struct {
	Case
	Got []string `json:"got"`
}

// Evaluate asks each prompt as the prompt hook would and compares what it would
// inject with what the case expects.
func (s Searcher) Evaluate(ctx context.Context, root memdir.Root, cases []Case) (Evaluation, error) {
	var e Evaluation
	err := indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		source := Source{DB: ix.DB, Root: root}
		e = Evaluation{Strategy: s.Config.Retrieval.MatchStrategy, Misses: []Miss{}}
		for _, c := range cases {
			var results []Result
			q := s.Prompt(c.Prompt)
			if s.Silence(c.Prompt, q) == "" {
				var err error
				if results, err = source.Fresh(ctx, q); err != nil {
					return err
				}
			}
			e.add(c, results)
		}
		return nil
	})
	return e, err
}

func (e *Evaluation) add(c Case, results []Result) {
	got := make([]string, len(results))
	for i, r := range results {
		got[i] = r.ID
	}
	place := slices.IndexFunc(got, func(id string) bool { return slices.Contains(c.Expect, id) })
	e.All.add(c, got, place)
	e.kind(c.Kind).add(c, got, place)
	if place < 0 && (len(c.Expect) > 0 || len(got) > 0) {
		e.Misses = append(e.Misses, Miss{c, got})
	}
}

func (e *Evaluation) kind(name string) *Figures {
	i := slices.IndexFunc(e.Kinds, func(k KindFigures) bool { return k.Kind == name })
	if i < 0 {
		i = len(e.Kinds)
		e.Kinds = append(e.Kinds, KindFigures{Kind: name})
	}
	return &e.Kinds[i].Figures
}

// add counts a case. place is the index of the first expected memory in what the
// prompt got, -1 if it got none of them.
func (f *Figures) add(c Case, got []string, place int) {
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
