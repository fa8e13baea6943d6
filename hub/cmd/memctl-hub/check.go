package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"memctl/cmd/console"
	"memctl/features/hub/remote"
	"memctl/files"
	"memctl/hub"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func checkCommand(std streams) *cli.Command {
	return newCommand(std, "check", runCheck, dsnFlag(), jsonFlag(),
		&cli.BoolFlag{Name: "frequencies", Usage: "count the terms of all memories"},
		&cli.StringFlag{Name: "repository", Usage: "the one DIR is the repository `NAME`, whatever its git remote is"},
	)
}

// checked is the answer of check.
type checked struct {
	Repositories []checkedRepository `json:"repositories"`
	// Frequencies lists the terms that are counted wrong. It is null if they were not
	// checked.
	Frequencies []string `json:"frequencies"`
}

// checkedRepository lists the differences between a repository and the hub.
type checkedRepository struct {
	Repository  string           `json:"repository"`
	Commit      string           `json:"commit"`
	Memories    int              `json:"memories"`
	Differences []hub.Difference `json:"differences"`
}

func runCheck(c *cli.Context, std streams) error {
	if c.String("repository") != "" && c.Args().Len() != 1 {
		return console.Usagef("--repository is the name of one DIR, got %d", c.Args().Len())
	}
	done := checked{Repositories: []checkedRepository{}}
	err := useStore(c, hub.Options{}, func(store *hub.Store) error {
		for _, dir := range c.Args().Slice() {
			r, err := checkRepository(c.Context, store, dir, c.String("repository"))
			if err != nil {
				return fmt.Errorf("%s: %w", text.Printable(dir), err)
			}
			done.Repositories = append(done.Repositories, r)
		}
		if c.Args().Present() && !c.Bool("frequencies") {
			return nil
		}
		found, err := store.CheckFrequencies(c.Context)
		done.Frequencies = append([]string{}, found...)
		return err
	})
	if err != nil {
		return err
	}
	wrong := len(done.Frequencies)
	for _, r := range done.Repositories {
		wrong += len(r.Differences)
	}
	if err := printResult(c, std, done, printChecked); err != nil || wrong == 0 {
		return err
	}
	return console.ErrFindings
}

// checkRepository compares the hub's rows with a clone, as it is in the commit that was
// published.
func checkRepository(ctx context.Context, store *hub.Store, dir, name string) (done checkedRepository, err error) {
	root, err := files.At(dir)
	if err != nil {
		return done, err
	}
	if name == "" {
		if name, err = remote.RepositoryName(ctx, root); err != nil {
			return done, err
		}
	}
	stored, err := store.StoredNamed(ctx, name)
	if err != nil {
		return done, withRepos(err)
	}
	cfg, _, err := root.Config()
	if err != nil {
		return done, err
	}
	p, err := remote.ReadPublication(ctx, root, cfg, stored.Commit)
	if err != nil {
		return done, err
	}
	p.Repository, p.Sequence = name, stored.Sequence
	done = checkedRepository{Repository: name, Commit: stored.Commit, Memories: stored.Memories}
	found, err := store.CheckRepository(ctx, p.Publication)
	done.Differences = append([]hub.Difference{}, found...)
	return done, err
}

// maxShown is how many differences of a kind a person reads.
const maxShown = 20

func printChecked(out io.Writer, r checked) {
	for _, repository := range r.Repositories {
		var differences []string
		for _, d := range repository.Differences {
			differences = append(differences, d.String())
		}
		memories := text.Plural(repository.Memories, "memory", "memories")
		printDifferences(out, fmt.Sprintf("%s at %.12s, %s", repository.Repository, repository.Commit, memories),
			differences)
	}
	if r.Frequencies != nil {
		printDifferences(out, "frequencies", r.Frequencies)
	}
}

func printDifferences(out io.Writer, what string, differences []string) {
	if len(differences) == 0 {
		fmt.Fprintf(out, "%s: all is as it should be\n", text.Printable(what))
		return
	}
	fmt.Fprintf(out, "%s: %s\n", text.Printable(what), text.Plural(len(differences), "difference", "differences"))
	for _, difference := range differences[:min(len(differences), maxShown)] {
		fmt.Fprintf(out, "  %s\n", text.Printable(difference))
	}
	if more := len(differences) - maxShown; more > 0 {
		fmt.Fprintf(out, "  and %d more; --json has all\n", more)
	}
}

func isOtherAnalyser(err error) bool {
	var e *remote.Error
	return errors.As(err, &e) && e.Code == "other_analyser"
}
