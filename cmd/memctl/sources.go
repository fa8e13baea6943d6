package main

import (
	"context"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// findRoots returns the memory roots that a question is asked of, the one whose settings
// count first: the project's, the user's and those of sources.roots, or the one of --scope.
// It warns of those that cannot be used.
func findRoots(c *cli.Context, std streams) ([]memdir.Root, error) {
	project, err := findRoot(c)
	if c.IsSet("scope") || c.IsSet("user") {
		return []memdir.Root{project}, err
	}
	roots, problems, err := retrieve.RootsAt(places(c), project, err)
	warnEach(std, problems)
	return roots, err
}

// findAsker returns the roots that a question is asked of and the Searcher of the first.
func findAsker(c *cli.Context, std streams) ([]memdir.Root, retrieve.Searcher, error) {
	roots, err := findRoots(c, std)
	if err != nil {
		return nil, retrieve.Searcher{}, err
	}
	searcher, err := searcherOf(c, std, roots[0])
	return roots, searcher, err
}

// readSources brings the indexes of roots up to date and returns what read finds in them.
func readSources[T any](ctx context.Context, std streams, roots []memdir.Root, depth indexer.Depth, read func(retrieve.Sources) (T, error)) (T, error) {
	var found T
	skipped, err := retrieve.Use(ctx, roots, depth, func(sources retrieve.Sources) (err error) {
		found, err = read(sources)
		return err
	})
	warnEach(std, skipped)
	return found, err
}

func warnEach(std streams, problems []error) {
	for _, problem := range problems {
		term.Warning(std.Err, "%s", text.Printable(problem.Error()))
	}
}
