package mcpserver

import (
	"context"
	"path/filepath"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
)

// foundRow is a row of a search of all projects.
type foundRow struct {
	// Project is the name of the project's folder. Its path is not for agents.
	Project string `json:"project"`
	retrieve.Row
}

type searchAllOutput struct {
	Rows []foundRow `json:"rows"`
}

// searchAll searches the active memories of all projects by full text, if the user lets
// agents do so.
func searchAll(
	ctx context.Context, st *store.Store, root memdir.Root, cfg schemas.Config, words string, f retrieve.Filter,
) (any, error) {
	if err := store.CheckAgent(); err != nil {
		return nil, err
	}
	cfg.Retrieval.MatchStrategy = schemas.Hybrid
	q := st.SearcherWith(root, cfg).Query(words, f.Limit)
	q.Categories = f.Categories
	found, err := store.Catalogue{Own: root}.Search(ctx, q)
	out := searchAllOutput{Rows: make([]foundRow, len(found))}
	for i, e := range found {
		out.Rows[i] = foundRow{filepath.Base(e.Project), retrieve.Row{
			ID: e.ID, Type: e.Type, Category: string(e.Category), Summary: e.Summary,
			Relevance: e.Relevance, Timestamp: e.UpdatedAt, Tokens: e.Tokens,
		}}
	}
	return out, err
}
