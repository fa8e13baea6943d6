package main

import (
	"context"
	"os"
	"path/filepath"

	"memctl/db"
	"memctl/retrieve"
)

// How SQLite's index of all memories may rank: by every word, as "memctl search" does; or as
// in a prompt, which waits, without words that thousands of memories have.
const (
	bySearch = "search"
	byPrompt = "prompt"
)

var rankings = []string{bySearch, byPrompt}

// results is how many memories an answer has.
const results = 5

// reference is SQLite's index of all memories of a company, whose ranking the hub's is
// compared with.
type reference struct {
	index *db.DB
	close func()
}

// openReference opens the index in a file, or makes it.
func openReference(ctx context.Context, file string, c *company) (reference, error) {
	remove := func() {}
	if file == "" {
		folder, err := os.MkdirTemp("", "benchhub")
		if err != nil {
			return reference{}, err
		}
		remove = func() { os.RemoveAll(folder) }
		file = filepath.Join(folder, "index.db")
	}
	if _, err := os.Stat(file); err != nil {
		if err := makeReference(ctx, file, c); err != nil {
			remove()
			return reference{}, err
		}
	}
	index, err := db.Open(ctx, file)
	if err != nil {
		remove()
		return reference{}, err
	}
	return reference{index, func() { index.Close(); remove() }}, nil
}

func makeReference(ctx context.Context, file string, c *company) error {
	index, err := db.Create(ctx, file)
	if err != nil {
		return err
	}
	err = index.Update(ctx, func(tx *db.Tx) error {
		if err := tx.PutConstants(); err != nil {
			return err
		}
		loader := tx.Load()
		for r := range c.sizes {
			for _, m := range c.memories(r) {
				info, _ := m.Category.Info()
				entry := db.Entry{File: db.File{Path: info.Folder + "/" + m.ID + ".json"}, Memory: &m}
				if err := loader.Add(entry); err != nil {
					return err
				}
			}
		}
		return loader.Close()
	})
	if err != nil {
		return err
	}
	return index.Finish(ctx)
}

// answers returns, for each ranking, the paths of the best memories for each prompt.
func (r reference) answers(ctx context.Context, prompts []prompt) (map[string][][]string, error) {
	all := map[string][][]string{}
	for _, p := range prompts {
		// As many as rank together before the floor is applied.
		q := retrieve.NewHybridQuery(p.text, nil, 200)
		found, err := retrieve.Rank(ctx, r.index, q)
		if err != nil {
			return nil, err
		}
		var paths []string
		for _, m := range found {
			if m.Evidence >= floor && len(paths) < results {
				paths = append(paths, m.Path)
			}
		}
		all[bySearch] = append(all[bySearch], paths)
		q.Floor, q.Limit = floor, results
		if found, err = retrieve.Rank(ctx, r.index, q); err != nil {
			return nil, err
		}
		paths = nil
		for _, m := range found {
			paths = append(paths, m.Path)
		}
		all[byPrompt] = append(all[byPrompt], paths)
	}
	return all, nil
}
