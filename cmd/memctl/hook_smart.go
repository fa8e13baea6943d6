package main

import (
	"context"
	"fmt"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
)

// injectSmart prints what a prompt receives with retrieval.disclosure "smart".
func injectSmart(ctx context.Context, root memdir.Root, q retrieve.Query, std streams) error {
	block := ""
	err := indexer.Use(ctx, root, indexer.Quick, func(ix *indexer.Index) error {
		results, err := retrieve.Fresh(ctx, root, ix, q)
		if err != nil || len(results) == 0 {
			return err
		}
		block, err = retrieve.Source{DB: ix.DB, Root: root}.SmartBlock(ctx, q, results)
		return err
	})
	if err != nil {
		return err
	}
	if block == "" {
		return errNoMatch
	}
	_, err = fmt.Fprint(std.Out, block)
	return err
}
