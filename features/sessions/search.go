package sessions

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed"
	"maps"
	"slices"
	"strings"
	"unicode"

	"memctl/db"
	"memctl/privacy"
	"memctl/retrieve"
	"memctl/text"
)

//go:embed search.sql
var searchSQL string

//go:embed lines.sql
var linesSQL string

const (
	// pool is how many passages have their lines compared.
	pool = 60
	// maxHits is how many hits of its words a search weighs, the rarest words first. Together they
	// take less time than it takes to list the transcripts.
	maxHits = 8_000
	// maxTerms is how many pairs of words are searched for.
	maxTerms = 64
	// maxLines is how many lines of one side of a passage are compared, and leastLine how many bytes one has.
	maxLines, leastLine = 200, 12
)

// Match is a session that a search found, with its best passage.
type Match struct {
	Session
	Turn  int     `json:"turn"`
	Score float64 `json:"score"` // compare it within one search only
	Line  string  `json:"line"`  // the best one of the passage
	db.Passage
	// Points of the best passage and of the best line, of which the score is made.
	Points     float64 `json:"passage_points"`
	LinePoints float64 `json:"line_points"`
	// Cosine is that of the passage and the question by the user's model, 0 if they are not near.
	Cosine float64 `json:"cosine,omitempty"`
}

// part is a part of what is searched for.
type part struct {
	Name   string   `json:"part"`
	Weight float64  `json:"weight"`
	Terms  []string `json:"terms"`
}

// pooled is a passage of the pool.
type pooled struct {
	ID         int64   `db:"passage_id"`
	Transcript int64   `db:"transcript_id"`
	Points     float64 `db:"points"`
	db.Passage
	Cosine float64 `db:"cosine"`
}

// ranked is a session as lines.sql ranks it.
type ranked struct {
	Transcript int64   `db:"transcript_id"`
	Turn       int     `db:"turn"`
	Points     float64 `db:"passage_points"`
	LinePoints float64 `db:"line_points"`
	Score      float64 `db:"score"`
	Line       string  `db:"line"`
}

// Explanation says how a search ranked the sessions that it found.
type Explanation struct {
	Parts    []part  `json:"parts"`
	Sessions []Match `json:"sessions"`
	// Meaning says why the user's model had no part in it, "" if it had or there is none.
	Meaning string `json:"meaning,omitempty"`
}

// MakeVectors makes the vectors of turns that have none, the newest first, until ctx ends. Progress may be
// nil.
func (l *Library) MakeVectors(ctx context.Context, progress Progress) (done int, err error) {
	if l.model == nil {
		return 0, nil
	}
	return l.model.MakeVectors(ctx, retrieve.VectorWork{
		Root: l.state, DB: l.db, Progress: progress,
		Privacy: func(string) privacy.Options { return l.user.Privacy },
	})
}

// near asks which passages of the scope are near words in meaning: a list of [passage, nearness, cosine]. Problem says
// why the model did not answer.
func (l *Library) near(ctx context.Context, words string) (near [][3]any, problem, err error) {
	near = [][3]any{}
	if l.model == nil {
		return near, nil, nil
	}
	q := l.model.Ask(words, l.user.Privacy, retrieve.SearchTime)
	q.Start()
	short, cancel := context.WithTimeout(ctx, retrieve.VectorTime)
	defer cancel()
	_, _ = l.MakeVectors(short, nil) // what has no vector is found by its words
	condition, args := l.condition()
	neighbours, err := q.Near(ctx, l.db, db.PassageVectors,
		`t.passage_id >> 16 IN (SELECT transcript_id FROM transcripts WHERE `+condition+`)`, args...)
	for _, n := range neighbours {
		near = append(near, [3]any{n.ID, n.Nearness, n.Cosine})
	}
	return near, q.Err(), err
}

// Search returns at most limit sessions of the scope that have some of the words, or are near them in
// meaning, the best first.
func (l *Library) Search(ctx context.Context, words string, limit int) ([]Match, error) {
	e, err := l.Explain(ctx, words, limit)
	return e.Sessions, err
}

// Explain searches and says why.
func (l *Library) Explain(ctx context.Context, words string, limit int) (e Explanation, err error) {
	if e.Parts, err = l.parts(ctx, words); err != nil {
		return e, err
	}
	near, problem, err := l.near(ctx, words)
	if err != nil {
		return e, err
	}
	if problem != nil {
		e.Meaning = problem.Error()
	}
	queries := [][3]any{}
	for _, p := range e.Parts {
		queries = append(queries, [3]any{p.Name, db.MatchAny(p.Terms), p.Weight})
	}
	var projects any
	if l.projects != nil {
		projects = db.JSON(l.projects)
	}
	var passages []pooled
	err = l.db.Select(ctx, &passages, searchSQL, sql.Named("queries", db.JSON(queries)),
		sql.Named("projects", projects),
		sql.Named("near", db.JSON(near)), sql.Named("pool", max(pool, 3*limit)))
	if err != nil || len(passages) == 0 {
		return e, err
	}
	var lines []db.SessionLine
	list := make([][4]any, len(passages))
	for i, p := range passages {
		list[i] = [4]any{p.ID, p.Transcript, p.Turn, p.Points}
		lines = append(append(lines, linesOf(p.ID, "person", p.Prompt)...), linesOf(p.ID, "agent", p.Answer)...)
	}
	var best []ranked
	err = l.db.SelectWithLines(ctx, lines, &best, linesSQL, sql.Named("queries", db.JSON(queries)),
		sql.Named("pool", db.JSON(list)), sql.Named("limit", limit))
	if err != nil {
		return e, err
	}
	rows, err := l.rows(ctx, best)
	for _, b := range best {
		at := slices.IndexFunc(passages, func(p pooled) bool {
			return p.Transcript == b.Transcript && p.Turn == b.Turn
		})
		e.Sessions = append(e.Sessions, Match{Session: rows[b.Transcript], Turn: b.Turn, Score: b.Score, Line: b.Line,
			Passage: passages[at].Passage, Points: b.Points, LinePoints: b.LinePoints,
			Cosine: passages[at].Cosine})
	}
	return e, err
}

// rows returns the sessions that were ranked.
func (l *Library) rows(ctx context.Context, list []ranked) (map[int64]Session, error) {
	ids := make([]int64, len(list))
	for i, r := range list {
		ids[i] = r.Transcript
	}
	transcripts, err := l.db.Transcripts(ctx, `transcript_id IN (SELECT value FROM json_each(?))`, db.JSON(ids))
	byID := map[int64]Session{}
	for _, t := range transcripts {
		byID[t.ID] = sessionOf(t)
	}
	return byID, err
}

// linesOf divides what one side said into the lines that are compared.
func linesOf(passage int64, side, message string) (list []db.SessionLine) {
	for line := range strings.SplitSeq(message, "\n") {
		if line = strings.TrimSpace(line); len(line) >= leastLine && len(list) < maxLines {
			list = append(list, db.SessionLine{Passage: passage, Side: side, Text: line})
		}
	}
	return list
}

// parts takes words apart as hybrid does with a prompt. Words that very many passages have are left
// out where there are rarer ones.
func (l *Library) parts(ctx context.Context, words string) (list []part, err error) {
	terms := text.TermsOf(words)
	if terms.Empty() { // "do it": a prompt is found by what it says, however little that is
		terms.Plain = strings.FieldsFunc(words, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		terms.Plain = terms.Plain[:min(len(terms.Plain), maxTerms)]
	}
	pairs := terms.Pairs[:min(len(terms.Pairs), maxTerms)]
	// A pair of words is as rare as its words; one of characters is a word of the full text.
	joined := slices.DeleteFunc(slices.Clone(pairs), func(pair string) bool { return strings.Contains(pair, " ") })
	counts, err := l.db.CountPassages(ctx, slices.Concat(terms.Topics, terms.Common, terms.Plain, joined), maxHits+1)
	if err != nil {
		return nil, err
	}
	rarest := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[a]-counts[b], cmp.Compare(a, b))
	})
	sum, kept := 0, map[string]bool{}
	for _, term := range rarest {
		if n := counts[term]; n > 0 && (sum == 0 || sum+n <= maxHits) {
			sum, kept[term] = sum+n, true
		}
	}
	for _, p := range []part{{"topic", 1, terms.Topics}, {"common", 1, terms.Common}, {"plain", 0.6, terms.Plain}} {
		p.Terms = slices.DeleteFunc(slices.Clone(p.Terms), func(term string) bool { return !kept[term] })
		list = append(list, p)
	}
	pairs = slices.DeleteFunc(slices.Clone(pairs), func(pair string) bool {
		if !strings.Contains(pair, " ") {
			return !kept[pair]
		}
		return slices.ContainsFunc(strings.Fields(pair), func(word string) bool {
			return counts[word] > 0 && !kept[word]
		})
	})
	list = append(list, part{"pair", 0.4, pairs})
	return slices.DeleteFunc(list, func(p part) bool { return len(p.Terms) == 0 }), nil
}
