package hub

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"slices"
	"strings"
	"time"
	"unique"

	"memctl/features/hub/remote"
	"memctl/schemas"
	"memctl/text"

	"github.com/jackc/pgx/v5"
)

var (
	//go:embed terms.sql
	termsSQL string
	//go:embed search.sql
	searchEnd string

	searchSQL = termsSQL + searchEnd
	// wantedSQL has the terms that candidates are chosen by.
	wantedSQL = termsSQL + `
		SELECT term_id, idf * (weight + words) / ln((pages + 0.5) / 0.5), average
		FROM asked
		CROSS JOIN hub
		ORDER BY 2 DESC, term_id`
	visibleSQL = `
		SELECT array_agg(repo_id), array_agg(revision)
		FROM repositories`
)

const (
	defaultResults = 10
	maxEvidence    = 5
	maxPairs       = 64  // of a prompt; search.sql bounds its words
	maxPhrases     = 128 // pairs among them
	// preferredWeight is the weight of plain words in the evidence for a preference.
	preferredWeight = 0.85
)

// Search returns the active memories that match a query and that the principal may see, the best first.
func (s *Store) Search(ctx context.Context, by Principal, q remote.Query) (remote.Results, error) {
	if q.Limit == 0 {
		q.Limit = defaultResults
	}
	if err := checkQuery(q); err != nil {
		return remote.Results{}, err
	}
	terms := text.TermsOf(q.Query)
	a, err := s.ask(ctx, terms)
	if err != nil {
		return remote.Results{}, err
	}
	preferred := preferredWeight
	if terms.Lone() {
		preferred *= 2
	}
	note := func(found []remote.Hit) entry {
		e := entry{action: searchAction, results: len(found)}
		for _, r := range found {
			e.shown = append(e.shown, r.ID)
		}
		if s.options.AuditQueries {
			e.detail = q.Query
		}
		return e
	}
	// What is not read yet is waited for without a connection, of which there may be no more for the reader.
	began := time.Now()
	for {
		fresh := time.Since(began) < freshWithin
		found, err := answer(ctx, s, by, s.choosing(a, q.Category, fresh), note, searchSQL, a.terms, a.termParts,
			a.phrases, a.phraseParts, preferred, q.MinEvidence, q.Category, q.Limit)
		var unread unreadError
		if !errors.As(err, &unread) {
			return remote.Results{Results: found}, err
		}
		until := began.Add(cmp.Or(s.options.StatementTimeout, maxWait))
		if time.Now().After(until) {
			return remote.Results{}, errLoading
		}
		if fresh {
			until = began.Add(freshWithin)
		}
		if err := s.wait(ctx, unread, until); err != nil {
			return remote.Results{}, busy(ctx, err)
		}
	}
}

// freshWithin is how long a search waits for the postings of publications that came before it. Then it is answered with
// those from before, if there are any.
const freshWithin = 250 * time.Millisecond

// choosing returns what a search does before it weighs: it chooses candidates. If fresh, they are of postings that are
// no older than what the transaction sees. What is missing is an unreadError.
func (s *Store) choosing(a asked, category string, fresh bool) before {
	return func(ctx context.Context, conn *pgx.Conn, b *pgx.Batch) ([]any, error) {
		c := chooser{category: unique.Make(category), most: s.options.candidates}
		var ids []int32
		var revisions []int64
		b.Queue(`SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`)
		b.Queue(visibleSQL).QueryRow(func(row pgx.Row) error { return row.Scan(&ids, &revisions) })
		b.Queue(wantedSQL, a.terms, a.termParts).Query(func(rows pgx.Rows) error {
			var t wanted
			_, err := pgx.ForEachRow(rows, []any{&t.Term, &t.Weight, &c.average}, func() error {
				c.terms = append(c.terms, t)
				return nil
			})
			return err
		})
		if err := conn.SendBatch(ctx, b).Close(); err != nil || s.options.WeighAll {
			return []any{nil}, err
		}
		var unread unreadError
		for i, repo := range ids {
			switch g := s.segments.of(repo); {
			case g == nil || fresh && g.revision < revisions[i]:
				unread = append(unread, repo)
			case unread == nil:
				c.add(g)
			}
		}
		if unread != nil {
			return nil, unread
		}
		return []any{c.chosen()}, nil
	}
}

// planAsked is the custom data of a connection that keepPlans has seen.
const planAsked = "memctl.plan"

// keepPlans has a connection keep the plans of a search, once for all questions. A connection to a pooler keeps none,
// since each transaction may have another server; it tells the number of a process that is not the server's.
func (s *Store) keepPlans(ctx context.Context, conn *pgx.Conn) error {
	known := conn.PgConn().CustomData()
	if known[planAsked] != nil {
		return nil
	}
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		var server uint32
		if _, err := tx.Exec(ctx, act, actArgs(Principal{}, "", s.options.StatementTimeout)...); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, `SELECT pg_backend_pid()`).Scan(&server); err != nil ||
			server != conn.PgConn().PID() {
			return err
		}
		for _, query := range []string{visibleSQL, wantedSQL, searchSQL} {
			if _, err := tx.Prepare(ctx, query, query); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		known[planAsked] = true
	}
	return err
}

func checkQuery(q remote.Query) error {
	switch {
	case strings.TrimSpace(q.Query) == "":
		return badRequest("query", "it is empty")
	case q.Limit < 1 || q.Limit > remote.MaxResults:
		return badRequest("limit", "expected 1 to %d, got %d", remote.MaxResults, q.Limit)
	case !(q.MinEvidence >= 0 && q.MinEvidence <= maxEvidence): // nor is it NaN
		return badRequest("min_evidence", "expected 0 to %d, got %g", maxEvidence, q.MinEvidence)
	}
	if _, known := schemas.Category(q.Category).Info(); q.Category != "" && !known {
		return badRequest("category", "there is no such category")
	}
	return nil
}

// The parts of a prompt in search.sql. The first four are the lists of text.Terms.
const (
	topicPart  = "topic"
	commonPart = "common"
	plainPart  = "plain"
	pairPart   = "pair"
	wordPart   = "word" // of a phrase, searched for only with it
)

// asked are the terms of a prompt as search.sql takes them: as the hub's postings have them.
type asked struct {
	terms, termParts     []string // one word each
	phrases, phraseParts []string // several words each
}

// ask returns the terms of a prompt.
func (s *Store) ask(ctx context.Context, t text.Terms) (asked, error) {
	var words, parts []string
	for _, list := range []struct {
		part  string
		words []string
	}{
		{topicPart, t.Topics}, {commonPart, t.Common}, {plainPart, t.Plain},
		{pairPart, t.Pairs[:min(len(t.Pairs), maxPairs)]},
	} {
		words = append(words, list.words...)
		parts = append(parts, slices.Repeat([]string{list.part}, len(list.words))...)
	}
	stems, err := s.analyser.Words(ctx, words)
	if err != nil {
		return asked{}, err
	}
	a := asked{terms: []string{}, termParts: []string{}, phrases: []string{}, phraseParts: []string{}}
	for i, terms := range stems {
		for j := range terms {
			terms[j] = s.options.analyser.changed(terms[j])
		}
		a.add(parts[i], terms)
	}
	a.addWords()
	return a, nil
}

// add adds a word or phrase of the prompt as its terms.
func (a *asked) add(part string, words []string) {
	switch {
	case len(words) == 0: // no term in it
	case len(words) == 1:
		a.terms, a.termParts = append(a.terms, words[0]), append(a.termParts, part)
	case len(a.phrases) < maxPhrases:
		a.phrases, a.phraseParts = append(a.phrases, strings.Join(words, " ")), append(a.phraseParts, part)
	}
}

// addWords adds the words of phrases none of whose words is searched for, since only
// memories that have a term are candidates.
func (a *asked) addWords() {
	terms := a.terms
	for _, phrase := range a.phrases {
		words := strings.Fields(phrase)
		if slices.ContainsFunc(words, func(word string) bool { return slices.Contains(terms, word) }) {
			continue
		}
		for _, word := range words {
			a.add(wordPart, []string{word})
		}
	}
}
