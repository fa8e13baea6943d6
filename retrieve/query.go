package retrieve

import (
	"database/sql"
	"math"
	"slices"
	"strings"
	"time"

	"memctl/db"
	"memctl/schemas"
	"memctl/text"
)

const (
	// RecentDays is the age in days below which title_tags gives a memory its
	// recency point.
	RecentDays = 31
	// maxTokens is how many tokens of a prompt title_tags reads.
	maxTokens = 2000
	// maxDescription is how many code points of a category's description take
	// part in title_tags.
	maxDescription = 500
)

// Query is a prompt, taken apart for one strategy, and the limits of the answer.
type Query struct {
	Strategy string // schemas.TitleTags or schemas.Hybrid

	// For title_tags.
	Tokens      []string            // of the prompt, distinct
	Described   map[string][]string // by category, tokens of its description that begin with a prompt token
	Now         time.Time           // zero: recency does not count
	IgnoreTitle bool                // equal results are ordered by path, not by title

	// For hybrid.
	Terms  text.Terms // of the prompt, with synonyms
	Prompt text.Terms // the same without synonyms
	Last   string     // the last word, which may be unfinished
	// MaxTokens is the number of tokens that Block spends on lines and sentences; with 0 there are no sentences.
	MaxTokens int
	// Chance times the logarithm of the number of memories times that of the prompt's words is the
	// least Result.Strength of a result; 0 for any.
	Chance  float64
	Ungated bool // return results that are too weak too
	// SeveralWords raises the floor above the strength that a single word gives.
	SeveralWords bool
	Files        []string // that the prompt names
	// Meaning finds texts that are near in meaning too; nil if the user has no model.
	Meaning Question

	// UserShare is how many results may come from other roots than the first; 0 for any
	// number.
	UserShare int
	// Off are categories of which hybrid finds nothing.
	Off []schemas.Category
	// Current gives a decision's successor in its place, what is for this folder first, and nothing of other folders
	// of the project. A search is by score alone: the best may be for another folder.
	Current bool
	// Cwd is the working directory of the question; "" if it does not matter.
	Cwd   string
	place any // of Cwd, for one source

	Filter // without a limit there are no results
}

// NewQuery asks for active memories by the strategy title_tags.
func NewQuery(prompt string, descriptions []schemas.Description, limit int, now time.Time) Query {
	tokens := text.Tokens(prompt)
	q := Query{
		Strategy:  schemas.TitleTags,
		Tokens:    tokens[:min(len(tokens), maxTokens)],
		Described: map[string][]string{},
		Filter:    Filter{Statuses: []schemas.Status{schemas.Active}, Limit: limit},
		Now:       now,
	}
	for _, d := range descriptions {
		if tokens := q.begun(text.Tokens(text.Truncate(d.Text, maxDescription))); len(tokens) > 0 {
			q.Described[d.Category] = tokens
		}
	}
	return q
}

// begun keeps the tokens that begin with a prompt token. The others score nothing,
// and most prompts match no description at all.
func (q Query) begun(tokens []string) []string {
	return slices.DeleteFunc(tokens, func(token string) bool {
		return !slices.ContainsFunc(q.Tokens, func(word string) bool { return strings.HasPrefix(token, word) })
	})
}

// NewHybridQuery asks for active memories by the strategy hybrid.
func NewHybridQuery(prompt string, synonyms text.Synonyms, limit int) Query {
	terms, files := text.PromptTerms(prompt)
	return Query{
		Strategy: schemas.Hybrid,
		Terms:    terms.AddSynonyms(prompt, synonyms),
		Prompt:   terms,
		Last:     lastWord(prompt),
		Files:    files,
		Filter:   Filter{Statuses: []schemas.Status{schemas.Active}, Limit: limit},
	}
}

// Empty reports whether the prompt has nothing to search for.
func (q Query) Empty() bool { return len(q.Tokens) == 0 && q.Terms.Empty() }

// words returns the tokens that observations are searched for.
func (q Query) words() []string {
	if q.Strategy == schemas.Hybrid {
		return text.Tokens(strings.Join(slices.Concat(q.Terms.Topics, q.Terms.Common), " "))
	}
	return q.Tokens
}

// everyMemory is more memories than a store has.
const everyMemory = math.MaxInt32

// Filter selects memories.
type Filter struct {
	Statuses   []schemas.Status   // empty: every status, also one that memctl does not know
	Categories []schemas.Category // empty: every category
	Tag        string             // "": any
	Since      time.Time          // zero: memories of any age, else those updated then or later
	Limit      int                // how many at most
	AsOf       time.Time          // of Searcher.Rows: zero for now, else what held at that time
}

// Selects reports whether f selects a memory.
func (f Filter) Selects(e Entry) bool {
	tagged := func(tag string) bool { return text.Lower(tag) == f.Tag }
	return (len(f.Statuses) == 0 || slices.Contains(f.Statuses, e.Status)) &&
		(len(f.Categories) == 0 || slices.Contains(f.Categories, e.Category)) &&
		(f.Tag == "" || slices.ContainsFunc(e.Tags, tagged)) &&
		timeOf(e.UpdatedAt).Unix() >= f.Since.Unix()
}

func (f Filter) onlyActive() bool { return len(f.Statuses) == 1 && f.Statuses[0] == schemas.Active }

// unfiltered reports whether f selects active memories of any category, tag and age.
func (f Filter) unfiltered() bool {
	return f.onlyActive() && len(f.Categories) == 0 && f.Tag == "" && f.Since.IsZero()
}

// filtered is the condition of a Filter.
const filtered = `
			(:statuses IS NULL OR record_status IN (SELECT value FROM json_each(:statuses)))
			AND (:categories IS NULL OR category IN (SELECT value FROM json_each(:categories)))
			AND (:tag IS NULL OR EXISTS (SELECT 1 FROM tags g WHERE g.memory_id = m.memory_id AND g.tag = :tag))
			AND (:since IS NULL OR updated_unix >= :since)`

// args returns the parameters of filtered. No statuses, categories, tag and age are NULL.
func (f Filter) args() []any {
	var tag, since any
	if f.Tag != "" {
		tag = f.Tag
	}
	if !f.Since.IsZero() {
		since = f.Since.Unix()
	}
	return []any{
		sql.Named("statuses", listed(f.Statuses)),
		sql.Named("categories", listed(f.Categories)),
		sql.Named("tag", tag),
		sql.Named("since", since),
		sql.Named("limit", f.Limit),
	}
}

// listed returns a list as a parameter, NULL for an empty one.
func listed[T any](list []T) any {
	if len(list) == 0 {
		return nil
	}
	return db.JSON(list)
}
