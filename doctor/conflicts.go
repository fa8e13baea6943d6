package doctor

import (
	"context"

	"memctl/clients"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// checkMerges checks whether git merges memories by memctl if the project wants that,
// and whether merges left something to decide.
func (e *examination) checkMerges(ctx context.Context, root memdir.Root) {
	const name = "merges"
	if n := openConflicts(root); n > 0 {
		e.warn(name, "memctl validate names them, memctl resolve ID ends each", "%s in conflict after a merge", text.Plural(n, "memory is", "memories are"))
	}
	if !inWorkTree(ctx, root) {
		return
	}
	registered, err := clients.FindGitRegistration(ctx, root)
	switch {
	case err != nil || !registered.Attributes:
	case registered.Driver == "":
		e.warn(name, "memctl install --git", "the project wants memories merged field by field, but this clone merges them line by line")
	default:
		e.ok(name, "git merges memories field by field")
	}
}

// openConflicts counts the memories that a merge left in conflict.
func openConflicts(root memdir.Root) int {
	n := 0
	for _, info := range schemas.Categories {
		folder, err := root.OpenFolder(info.Folder)
		if err != nil || folder == nil {
			continue // checkFolders reports it
		}
		ids, _ := folder.Conflicts()
		folder.Close()
		n += len(ids)
	}
	return n
}
