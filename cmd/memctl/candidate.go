package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

const candidateDescription = `Finds the memory that new information is about, if there is one, and says what may
be done: the step before "memctl create", "update" or "retire".

   memctl candidate --category decision --new-info "Kafka now keeps events 14 days"
   memctl candidate --category tech_debt --new-info "the flaky e2e test is fixed" \
       --lifecycle-event resolved
   git log -1 --format=%B | memctl candidate --category runbook --new-info -

The candidate is the active memory of the category with the highest score: 2 for
each word of the text in its title, 3 for each that is one of its tags, 1 for each
other one of 4 letters or more that begins one of those; equal scores go by path.
Below 3 there is no candidate.

Prints one JSON object:

   candidate        null, or path, title, tags and an excerpt to judge it by
   lifecycle_event  as given, or null
   delete_allowed   false for decision, preference and session_summary
   pre_action       CREATE: nothing like it yet. NOOP: something has ended that no
                    memory speaks of. null: the choice is yours, within:
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
			&cli.StringFlag{Name: "lifecycle-event", Usage: "the subject was `E`: " + strings.Join(retrieve.LifecycleEvents, ", ")},
		},
		Action: func(c *cli.Context) error {
			opts, err := readCandidateOptions(c)
			if err != nil {
				return err
			}
			root, err := findRoot(c)
			if err != nil {
				return err
			}
			return runCandidate(c.Context, std, root, opts)
		},
	}
}

type candidateOptions struct {
	category schemas.Category
	info     string // - for stdin
	event    string // "" for none
}

func readCandidateOptions(c *cli.Context) (candidateOptions, error) {
	category, known := categoryNamed(c.String("category"))
	o := candidateOptions{category, c.String("new-info"), c.String("lifecycle-event")}
	if err := noArguments(c, "; put the whole text of --new-info in quotes"); err != nil {
		return o, err
	}
	switch {
	case !c.IsSet("category"):
		return o, usagef("candidate needs --category: one of %s", categoryNames())
	case !known:
		return o, usagef("--category: expected one of %s, got %q", categoryNames(), c.String("category"))
	case !c.IsSet("new-info"):
		return o, usagef("candidate needs --new-info: the text, or - for stdin")
	case c.IsSet("lifecycle-event") && !slices.Contains(retrieve.LifecycleEvents, o.event):
		return o, usagef("--lifecycle-event: expected one of %s, got %q", strings.Join(retrieve.LifecycleEvents, ", "), o.event)
	}
	return o, nil
}

// candidateAnswer is the JSON answer.
type candidateAnswer struct {
	Candidate *candidate `json:"candidate"`
	retrieve.Verdict
}

type candidate struct {
	Path    string           `json:"path"`
	Title   string           `json:"title"`
	Tags    []string         `json:"tags"`
	Excerpt retrieve.Excerpt `json:"excerpt"`
}

func runCandidate(ctx context.Context, std streams, root memdir.Root, o candidateOptions) error {
	if o.info == "-" {
		data, err := writer.ReadAtMost(std.In)
		if err != nil {
			return fmt.Errorf("read --new-info from stdin: %w", err)
		}
		o.info = string(data)
	}
	// As quick as the prompt hook: an agent asks for every memory that it drafts.
	results, err := retrieve.FreshIn(ctx, root, indexer.Quick, retrieve.NewCandidateQuery(o.category, o.info))
	if err != nil {
		return err
	}
	found := retrieve.Candidate(results)
	answer := candidateAnswer{Verdict: retrieve.Judge(o.category, o.event, found)}
	if found != nil {
		if answer.Candidate, err = readCandidate(root, *found); err != nil {
			return fmt.Errorf("%s: %w", found.Path, err)
		}
	}
	return writeJSON(std.Out, answer)
}

// readCandidate takes from the file what the index does not keep as it stands.
func readCandidate(root memdir.Root, r retrieve.Result) (*candidate, error) {
	data, err := root.ReadFile(r.Path)
	if err != nil {
		return nil, err
	}
	m, err := schemas.Decode(data)
	if err != nil {
		return nil, err
	}
	e := retrieve.NewExcerpt(m, r.Category)
	return &candidate{root.Shown + "/" + r.Path, r.Title, e.Tags, e}, nil
}
