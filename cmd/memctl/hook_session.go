package main

import (
	"context"
	"fmt"

	"memctl/answers"
	"memctl/db"
	"memctl/indexer"
	"memctl/text"
)

// hookSessionStart looks at every file, so that the prompts of the session need
// not. It speaks only when something needs the user: one line of context.
func hookSessionStart(ctx context.Context, c *answers.Call) error {
	root, err := c.Root()
	if err != nil {
		return err
	}
	if _, err := loadConfig(root, c.Std); err != nil {
		return err
	}
	var line string
	err = indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		return ix.View(ctx, func(tx *db.Tx) error {
			problems, err := tx.Problems()
			line = sessionLine(ix, problems)
			return err
		})
	})
	if err == nil && line != "" {
		_, err = fmt.Fprintln(c.Std.Out, text.Ellipsis(text.EscapeXML(text.Printable(line)), 500))
	}
	return err
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
	first := problems[0]
	return line + fmt.Sprintf(` %s not readable as a memory: %s (%s)%s. Mend it; memctl validate says more.`,
		text.Plural(len(problems), "file is", "files are"), first.Path, first.Reason, more(len(problems)-1))
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}
