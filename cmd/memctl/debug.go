package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// debugCommand runs single rules for the conformance vectors.
func debugCommand(std streams) *cli.Command {
	cmd := group(newCommand(std, "debug", showSubcommands), newCommand(std, "debug tokenize", debugTokenize),
		newCommand(std, "debug score", debugScore))
	cmd.Hidden = true
	return cmd
}

func readJSON(in io.Reader, into any) error {
	if err := json.NewDecoder(in).Decode(into); err != nil {
		return fmt.Errorf("read a JSON array from stdin: %w", err)
	}
	return nil
}

func debugTokenize(_ *cli.Context, std streams) error {
	var texts []string
	if err := readJSON(std.In, &texts); err != nil {
		return err
	}
	lists := make([][]string, len(texts))
	for i, s := range texts {
		lists[i] = notNil(text.Tokens(s))
		slices.Sort(lists[i])
	}
	return json.NewEncoder(text.JSONWriter(std.Out)).Encode(lists)
}

type scoreCase struct {
	Prompt      string   `json:"prompt"`
	Title       string   `json:"title"`
	Tags        []string `json:"tags"`
	Description string   `json:"description"`
}

type scoreAnswer struct {
	Entry       int `json:"entry"`
	Description int `json:"description"`
}

func debugScore(c *cli.Context, std streams) error {
	var cases []scoreCase
	if err := readJSON(std.In, &cases); err != nil {
		return err
	}
	answers := make([]scoreAnswer, len(cases))
	for i, each := range cases {
		var err error
		if answers[i], err = each.score(c.Context); err != nil {
			return err
		}
	}
	return json.NewEncoder(text.JSONWriter(std.Out)).Encode(answers)
}

func (c scoreCase) score(ctx context.Context) (scoreAnswer, error) {
	m := schemas.Memory{Category: schemas.Decision, ID: "case", Title: c.Title, Tags: c.Tags,
		RecordStatus: schemas.Active}
	described := []schemas.Description{{Category: string(schemas.Decision), Text: c.Description}}
	results, err := retrieve.RankAlone(ctx, &m, retrieve.NewQuery(c.Prompt, described, 1, time.Now()))
	if err != nil || len(results) == 0 {
		return scoreAnswer{}, err
	}
	return scoreAnswer{results[0].Text, results[0].Desc}, nil
}
