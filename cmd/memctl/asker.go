package main

import (
	"fmt"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// newAsker warns of a synonyms file that cannot be read. Its bad lines are reported
// by validate.
func newAsker(root memdir.Root, cfg schemas.Config, std streams) retrieve.Asker {
	a, err := retrieve.NewAsker(root, cfg)
	if err != nil {
		fmt.Fprintf(std.Err, "memctl: warning: %s: %s; none are used\n", memdir.SynonymsName, text.Printable(err.Error()))
	}
	return a
}
