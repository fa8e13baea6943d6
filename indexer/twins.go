package indexer

import (
	"path"

	"memctl/db"
	"memctl/memdir"
)

// Twins names the indexed files that some system takes for another one. All of them are
// in the index.
func Twins(tx *db.Tx) ([]db.Problem, error) {
	paths, err := tx.Paths()
	if err != nil {
		return nil, err
	}
	var problems []db.Problem
	for _, twins := range memdir.Twins(paths) {
		for i, at := range twins {
			other := path.Base(twins[(i+1)%len(twins)])
			reason := "macOS and Windows take it and " + other + " for the same file"
			problems = append(problems, db.Problem{Path: at, Reason: reason})
		}
	}
	return problems, nil
}
