package retrieve

import (
	"time"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// Asker turns prompts into queries as a project's settings want them: the one place
// to choose between strategies.
type Asker struct {
	Config   schemas.Config
	synonyms text.Synonyms
}

// NewAsker reads the project's synonyms, which no index holds: a change counts
// from the next prompt on. Bad lines are passed over. An Asker that comes with an
// error serves, without synonyms.
func NewAsker(root memdir.Root, cfg schemas.Config) (Asker, error) {
	a := Asker{Config: cfg}
	if cfg.Retrieval.MatchStrategy != schemas.Hybrid {
		return a, nil
	}
	data, err := root.ReadSynonyms()
	a.synonyms, _ = text.ParseSynonyms(string(data))
	return a, err
}

// Query leaves out nothing for want of evidence.
func (a Asker) Query(prompt string, limit int) Query {
	if a.Config.Retrieval.MatchStrategy == schemas.Hybrid {
		return NewHybridQuery(prompt, a.synonyms, limit)
	}
	return NewQuery(prompt, a.Config.Descriptions, limit, time.Now())
}

// Prompt is the query of the prompt hook.
func (a Asker) Prompt(prompt string) Query {
	q := a.Query(prompt, a.Config.Retrieval.MaxInject)
	if q.Strategy == schemas.Hybrid {
		q.Floor = a.Config.Retrieval.Hybrid.MinEvidence
	}
	return q
}
