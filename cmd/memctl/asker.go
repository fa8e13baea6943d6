package main

import (
	"fmt"
	"time"

	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/text"
)

// asker turns prompts into queries as a project's settings want them.
type asker struct {
	cfg      schemas.Config
	synonyms text.Synonyms
}

// newAsker reads the project's synonyms, which no index holds: a change counts
// from the next prompt on. Bad lines are passed over; validate names them.
func newAsker(root memdir.Root, cfg schemas.Config, std streams) asker {
	a := asker{cfg: cfg}
	if cfg.Retrieval.MatchStrategy != schemas.Hybrid {
		return a
	}
	data, err := root.ReadSynonyms()
	if err != nil {
		fmt.Fprintf(std.err, "memctl: warning: %s: %s; none are used\n", memdir.SynonymsName, text.Printable(err.Error()))
	}
	a.synonyms, _ = text.ParseSynonyms(string(data))
	return a
}

// query leaves out nothing for want of evidence.
func (a asker) query(prompt string, limit int) retrieve.Query {
	if a.cfg.Retrieval.MatchStrategy == schemas.Hybrid {
		return retrieve.NewHybridQuery(prompt, a.synonyms, limit)
	}
	return retrieve.NewQuery(prompt, a.cfg.Descriptions, limit, time.Now())
}

// prompt is the query of the prompt hook.
func (a asker) prompt(prompt string) retrieve.Query {
	q := a.query(prompt, a.cfg.Retrieval.MaxInject)
	if q.Strategy == schemas.Hybrid {
		q.Floor = a.cfg.Retrieval.Hybrid.MinEvidence
	}
	return q
}
