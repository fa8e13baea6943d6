package hooks

import (
	"context"
	"fmt"

	"memctl/db"
	"memctl/indexer"
	"memctl/text"
)

// maxSessionLine bounds the line about a session's start, in code points.
const maxSessionLine = 500

// startSession compares every file with the index, so that the prompts of the session
// need not. It speaks only if something needs the user.
func startSession(ctx context.Context, c *Call) (Answer, error) {
	root, err := c.Root()
	if err != nil {
		return Answer{}, err
	}
	if _, err := c.config(root); err != nil { // for its warnings
		return Answer{}, err
	}
	line := ""
	err = indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		return ix.View(ctx, func(tx *db.Tx) error {
			problems, err := tx.Problems()
			line = sessionLine(ix, problems)
			return err
		})
	})
	if err != nil || line == "" {
		return Answer{}, err
	}
	return Answer{Context: text.Ellipsis(text.EscapeXML(text.Printable(line)), maxSessionLine) + "\n"}, nil
}

func sessionLine(ix *indexer.Index, problems []db.Problem) string {
	line := ""
	switch {
	case ix.InMemory != nil:
		line = fmt.Sprintf("memctl: the memory index cannot be written (%v); prompts are answered more slowly.", ix.InMemory)
	case ix.Rebuilt != nil && ix.Rebuilt.Files() > 0:
		line = fmt.Sprintf("memctl: rebuilt its memory index of %s (%s).", text.Plural(ix.Rebuilt.Files(), "file", "files"), ix.Rebuilt.Why())
	}
	if len(problems) == 0 {
		return line
	}
	if line == "" {
		line = "memctl:"
	}
	first, more := problems[0], ""
	if n := len(problems) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return line + fmt.Sprintf(` %s not readable as a memory: %s (%s)%s. Fix it; memctl validate says more.`,
		text.Plural(len(problems), "file is", "files are"), first.Path, first.Reason, more)
}
