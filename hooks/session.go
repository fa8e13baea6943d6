package hooks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memctl/db"
	"memctl/indexer"
	"memctl/memdir"
	"memctl/schemas"
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
	var index, broken string
	var memories int
	err = indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		return ix.View(ctx, func(tx *db.Tx) error {
			problems, err := tx.Problems()
			if err != nil {
				return err
			}
			index, broken = indexSentence(ix), brokenSentence(problems)
			counts, err := tx.Counts()
			memories = counts[schemas.Active]
			return err
		})
	})
	if err != nil {
		return Answer{}, err
	}
	// The last sentence may be long and cut.
	sentences := slices.DeleteFunc([]string{index, c.introduce(root, memories), broken}, func(s string) bool { return s == "" })
	if len(sentences) == 0 {
		return Answer{}, nil
	}
	line := "memctl: " + strings.Join(sentences, " ")
	return Answer{Context: text.Ellipsis(text.EscapeXML(text.Printable(line)), maxSessionLine) + "\n"}, nil
}

// indexSentence says what became of the index, "" if nothing did.
func indexSentence(ix *indexer.Index) string {
	switch {
	case ix.InMemory != nil:
		return fmt.Sprintf("the memory index cannot be written (%v); prompts are answered more slowly.", ix.InMemory)
	case ix.Rebuilt != nil && ix.Rebuilt.Files() > 0:
		return fmt.Sprintf("rebuilt its memory index of %s (%s).", text.Plural(ix.Rebuilt.Files(), "file", "files"), ix.Rebuilt.Why())
	}
	return ""
}

// introduce announces, once, memories that others wrote.
func (c *Call) introduce(root memdir.Root, memories int) string {
	if memories == 0 {
		return ""
	}
	unknown, err := root.Introduce()
	if err != nil {
		c.note("warning: cannot remember that this project is known: %s", text.Printable(err.Error()))
	}
	if !unknown {
		return ""
	}
	return fmt.Sprintf("%s came with this project; memctl list shows them.", text.Plural(memories, "memory", "memories"))
}

// brokenSentence names the first file that is not readable as a memory, "" if all are.
func brokenSentence(problems []db.Problem) string {
	if len(problems) == 0 {
		return ""
	}
	first, more := problems[0], ""
	if n := len(problems) - 1; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%s not readable as a memory: %s (%s)%s. Fix it; memctl validate says more.",
		text.Plural(len(problems), "file is", "files are"), first.Path, first.Reason, more)
}
