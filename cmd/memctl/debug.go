package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"memctl/cmd/command"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// debugCommand is for tests that compare memctl with what it replaces. People do not type it.
func debugCommand(std command.Streams) *cli.Command {
	cmd := command.Group(command.NewCommand(std, "debug", command.OnlyTells, command.ShowSubcommands),
		command.NewCommand(std, "debug tokenize", command.OnlyTells, debugTokenize),
		command.NewCommand(std, "debug score", command.OnlyTells, debugScore))
	cmd.Hidden = true
	return cmd
}

func readJSON(in io.Reader, into any) error {
	if err := json.NewDecoder(in).Decode(into); err != nil {
		return fmt.Errorf("read a JSON array from stdin: %w", err)
	}
	return nil
}

func debugTokenize(_ *cli.Context, std command.Streams) error {
	var texts []string
	if err := readJSON(std.In, &texts); err != nil {
		return err
	}
	lists := make([][]string, len(texts))
	for i, s := range texts {
		lists[i] = command.NotNil(text.Tokens(s))
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

func debugScore(c *cli.Context, std command.Streams) error {
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
