package retrieve

import (
	"cmp"
	"context"
	"slices"

	"memctl/schemas"
	"memctl/text"
)

// spare is how many more memories than it may give another root is asked for, in case
// others stand in their place.
const spare = 10

// rank returns the memories of all sources that match q, best first: at most q.Limit of the
// first source, and as many as may be left out more of the others.
func (s Sources) rank(ctx context.Context, q Query) ([]Result, error) {
	if q.Empty() || q.Limit < 1 {
		return nil, nil
	}
	weighings, _, err := s.weigh(ctx, q)
	if err != nil {
		return nil, err
	}
	var all []Result
	err = s.each(func(source Source) error {
		q := q
		if !s.first(source.Root) {
			q.Limit = min(q.Limit, cmp.Or(q.UserShare, q.Limit)) + spare
		}
		results, err := rank(ctx, source.DB, q, weighings[source.Root.Path])
		for _, r := range results {
			r.Root = source.Root
			all = append(all, r)
		}
		return err
	})
	if len(s) > 1 {
		slices.SortStableFunc(all, q.compare)
	}
	return all, err
}

// weigh returns what hybrid searches the index of each root for, by the root's path. For
// several sources it returns the frequencies among all of their memories too.
func (s Sources) weigh(ctx context.Context, q Query) (map[string]weighing, Frequencies, error) {
	weighings, all := map[string]weighing{}, Frequencies{Terms: map[string]int{}}
	if q.Strategy != schemas.Hybrid {
		return weighings, all, nil
	}
	if len(s) == 1 {
		w, err := q.weigh(ctx, s[0].DB)
		weighings[s[0].Root.Path] = w
		return weighings, all, err
	}
	terms := slices.Concat(wordsOf(q.Terms), firstTerms(q.Terms.Pairs))
	own := map[string]Frequencies{}
	err := s.each(func(source Source) error {
		f, err := frequenciesOf(ctx, source.DB, terms, q.mostHaving())
		if err == nil { // the scales are exact only with the number that bm25 has
			f.Memories, err = queryRow[int](ctx, source.DB, `SELECT count(*) FROM memories`)
		}
		own[source.Root.Path] = f
		all.add(f)
		return err
	})
	chosen := q.Terms
	if q.selective(all.Memories) {
		chosen = q.rarest(all.Memories, all.Terms)
	}
	for path, f := range own {
		weighings[path] = weighing{terms: having(f, chosen), pages: all.pages(), lone: chosen.Lone(), scales: f.scales(all)}
	}
	return weighings, all, err
}

// having keeps the terms that memories have.
func having(f Frequencies, t text.Terms) text.Terms {
	keep := func(terms []string) []string {
		return slices.DeleteFunc(slices.Clone(terms), func(term string) bool { return f.Terms[term] == 0 })
	}
	return text.Terms{Topics: keep(t.Topics), Common: keep(t.Common), Plain: keep(t.Plain), Pairs: keep(t.Pairs)}
}

// compare orders results of several sources as rank.sql and hybrid.sql do those of one.
func (q Query) compare(a, b Result) int {
	if q.Strategy == schemas.Hybrid {
		return cmp.Or(
			cmp.Compare(b.Rounded, a.Rounded),
			cmp.Compare(b.Confidence, a.Confidence),
			cmp.Compare(b.UpdatedUnix, a.UpdatedUnix),
			cmp.Compare(a.Path, b.Path),
		)
	}
	byTitle := 0
	if !q.IgnoreTitle {
		byTitle = cmp.Compare(text.Lower(a.Title), text.Lower(b.Title))
	}
	return cmp.Or(
		cmp.Compare(b.Score, a.Score),
		cmp.Compare(priority(a.Category), priority(b.Category)),
		cmp.Compare(b.Text+b.Desc, a.Text+a.Desc),
		byTitle,
		cmp.Compare(a.Path, b.Path),
	)
}

// priority is the order of categories in rank.sql.
func priority(c schemas.Category) int {
	if info, ok := c.Info(); ok {
		return info.Priority
	}
	return 10
}

// overridden says for which results another memory stands.
func (s Sources) overridden(ctx context.Context, _ Query, results []Result) (_ []Result, err error) {
	for i := range results {
		if results[i].Overridden, err = s.standsFor(ctx, results[i]); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// choose takes the results of an answer from those of all sources.
func (s Sources) choose(ctx context.Context, q Query, results []Result) (chosen []Result, err error) {
	if len(s) == 1 {
		return results, nil
	}
	shared := 0
	for _, r := range results {
		if len(chosen) == q.Limit {
			break
		}
		if !s.first(r.Root) {
			if q.UserShare > 0 && shared == q.UserShare {
				continue
			}
			if r.Overridden, err = s.standsFor(ctx, r); err != nil {
				return nil, err
			}
			if r.Overridden != "" {
				continue
			}
			shared++
		}
		chosen = append(chosen, r)
	}
	return chosen, nil
}
