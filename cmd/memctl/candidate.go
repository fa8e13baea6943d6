package main

import (
	"fmt"
	"strings"

	"memctl/cmd/console"
	"memctl/indexer"
	"memctl/retrieve"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const candidateDescription = `Finds the memory that new information is about, if there is one, and says what may be
done: the step before "memctl create", "update" or "retire".

   memctl candidate --category decision --new-info "Kafka now keeps events 14 days"
   memctl candidate --category tech_debt --new-info "the flaky e2e test is fixed" \
       --lifecycle-event resolved
   git log -1 --format=%B | memctl candidate --category runbook --new-info -

The candidate is the best active memory of the category by the project's ranking
(retrieval.match_strategy):

   hybrid       as "memctl search" ranks, if it has the evidence that the prompt hook
                demands. Unless the text has only one topic, it must have more than any
                one word can give: two decisions that mention a cache are not about the
                same cache.
   title_tags   by score: 2 for each word of the text in the title, 3 for each that is
                a tag, 1 for each other one of 4 letters or more that begins one of
                those; equal scores go by path. Below 3 there is no candidate. The hint
                gives this score for hybrid too.

Prints one JSON object:

   candidate        null, or path, title, tags and an excerpt to judge it by
   lifecycle_event  as given, or null
   delete_allowed   false for decision, preference and session_summary
   pre_action       CREATE: there is no such memory yet. NOOP: something has ended that
                    no memory is about. null: the choice is yours, within:
   structural_cud   CREATE, NOOP, UPDATE or UPDATE_OR_DELETE
   vetoes, hints    what must not be done; what was found, and what it suggests

Exit status: 0 answered, with or without a candidate; 1 no memory root, or stdin
cannot be used; 2 wrong usage.`

func candidateCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "candidate",
		Usage:       "find the memory that new information is about",
		Description: candidateDescription,
		Flags: []cli.Flag{
			rootFlag(),
			&cli.StringFlag{Name: "category", Usage: "look among memories of category `C`: " + categoryNames()},
			&cli.StringFlag{Name: "new-info", Usage: "the new information is `TEXT`; - reads it from stdin, 1 MiB at most"},
			&cli.StringFlag{
				Name:   "lifecycle-event",
				Usage:  "the subject was `E`: " + strings.Join(retrieve.LifecycleEvents, ", "),
				Action: oneOf("lifecycle-event", retrieve.LifecycleEvents),
			},
		},
		Before: withoutArguments("; put the whole text of --new-info in quotes"),
		Action: func(c *cli.Context) error { return runCandidate(c, std) },
	}
}

func runCandidate(c *cli.Context, std streams) error {
	if !c.IsSet("category") {
		return console.Usagef("candidate needs --category: one of %s", categoryNames())
	}
	category, err := readCategory(c.String("category"))
	if err != nil {
		return err
	}
	if !c.IsSet("new-info") {
		return console.Usagef("candidate needs --new-info: the text, or - for stdin")
	}
	roots, searcher, err := findAsker(c, std)
	if err != nil {
		return err
	}
	info := c.String("new-info")
	if info == "-" {
		data, err := writer.ReadAtMost(std.In)
		if err != nil {
			return fmt.Errorf("read --new-info from stdin: %w", err)
		}
		info = string(data)
	}
	proposal, err := readSources(c.Context, std, roots, indexer.Quick, func(s retrieve.Sources) (retrieve.Proposal, error) {
		return s.Propose(c.Context, searcher, category, info, c.String("lifecycle-event"))
	})
	if err != nil {
		return err
	}
	return writeJSON(std.Out, proposal)
}
