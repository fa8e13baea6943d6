package main

import (
	"fmt"
	"io"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/render"
	"memctl/retrieve"

	"github.com/urfave/cli/v2"
)

const evalDescription = `Ranks memories for each prompt of FILE as the prompt hook would, and compares what the
hook would inject with what you expect. FILE (- for stdin) has one JSON object a line:

   {"prompt": "why is the parcel list slow?", "expect": ["offset-pagination-parcel-list"]}
   {"prompt": "run the build again", "expect": []}

expect holds ids of memories, none if the hook should stay silent. kind, a word of
your own, groups the table.

   recall     of the prompts that expect something: the share that gets one of it
   first      the share whose first memory is one of it
   pollution  of the prompts that expect nothing: the share that gets something`

func evalCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "eval",
		Usage:       "measure the ranking on prompts of your own",
		ArgsUsage:   "FILE",
		Description: evalDescription,
		Flags:       []cli.Flag{rootFlag(), jsonFlag(), strategyFlag()},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return console.Usagef("eval needs one FILE of prompts, or - for stdin")
			}
			cases, err := readCases(std.In, c.Args().First())
			if err != nil {
				return fmt.Errorf("read prompts: %w", err)
			}
			root, searcher, err := findSearcher(c, std)
			if err != nil {
				return err
			}
			evaluation, err := searcher.Evaluate(c.Context, root, cases)
			if err != nil {
				return err
			}
			return printResult(c, std, evaluation, render.Evaluation)
		},
	}
}

func readCases(stdin io.Reader, name string) ([]retrieve.Case, error) {
	if name == "-" {
		return retrieve.ReadCases(stdin)
	}
	file, _, err := memdir.OpenRegular(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return retrieve.ReadCases(file)
}
