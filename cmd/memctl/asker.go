package main

import (
	"fmt"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// newAsker warns of synonyms that cannot be read; bad lines are for validate.
func newAsker(root memdir.Root, cfg schemas.Config, std streams) retrieve.Asker {
	a, err := retrieve.NewAsker(root, cfg)
	if err != nil {
		fmt.Fprintf(std.Err, "memctl: warning: %s: %s; none are used\n", memdir.SynonymsName, text.Printable(err.Error()))
	}
	return a
}
