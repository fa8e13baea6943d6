package meaning

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"time"

	"memctl/db"
	"memctl/privacy"
	"memctl/retrieve"
	"memctl/text"
)

// question is a text whose vector is compared with those of an index. It is asked of the server
// once, when Start is first called, and answered until the budget is over.
type question struct {
	settings Settings
	text     string
	start    func()
	answers  chan answer
	answered *answer
	deadline time.Time
	old      map[string]*answer // by other models, whose vectors an index still has
}

type answer struct {
	vector []float32
	err    error
}

// maxQuestion and maxText bound what is sent of a text, in code points: models read no more
// than a few hundred words.
const maxQuestion, maxText = 1500, 2000

// Ask implements retrieve.Model.
func (s *Settings) Ask(words string, filter privacy.Options, budget time.Duration) retrieve.Question {
	if budget == 0 {
		budget = s.budget()
	}
	q := &question{settings: *s, answers: make(chan answer, 1), old: map[string]*answer{}, text: words}
	q.start = sync.OnceFunc(func() {
		q.deadline = time.Now().Add(budget)
		if rest := s.resting(time.Now()); rest > 0 {
			q.answers <- answer{err: fmt.Errorf("the server failed %d times in a row and is left alone for %s more",
				mostFailures,
				rest.Round(time.Second))}
			return
		}
		go func() {
			q.text = text.Truncate(public(q.text, filter), maxQuestion)
			vector, err := q.embed(s.Model, s.QueryPrefix)
			q.answers <- answer{vector, err}
		}()
	})
	return q
}

// public takes out of a text what must not leave the machine.
func public(s string, filter privacy.Options) string {
	filter.OnUnclosed = privacy.RedactUnclosed
	s, _ = filter.Filter().Text(s)
	return s
}

func (q *question) embed(model, prefix string) ([]float32, error) {
	ctx, cancel := context.WithDeadline(context.Background(), q.deadline)
	defer cancel()
	vectors, err := q.settings.embed(ctx, model, []string{prefix + q.text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// Start implements retrieve.Question.
func (q *question) Start() { q.start() }

var errLate = errors.New("the server did not answer in time (meaning.budget_ms)")

// wait returns the vector of the question.
func (q *question) wait(ctx context.Context) ([]float32, error) {
	q.Start()
	if q.answered == nil {
		timer := time.NewTimer(time.Until(q.deadline))
		defer timer.Stop()
		q.answered = &answer{err: errLate}
		select {
		case a := <-q.answers:
			q.answered = &a
		case <-timer.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if errors.Is(q.answered.err, context.DeadlineExceeded) {
			q.answered.err = errLate
		}
		if q.settings.resting(time.Now()) == 0 {
			q.settings.note(q.answered.err != nil, time.Now())
		}
	}
	return q.answered.vector, q.answered.err
}

// Err implements retrieve.Question.
func (q *question) Err() error {
	if q.answered == nil {
		return nil
	}
	return q.answered.err
}

// Reranks implements retrieve.Question.
func (q *question) Reranks() bool { return q.settings.rerank != nil }

// Rerank implements retrieve.Question.
func (q *question) Rerank(ctx context.Context, texts []string) []float64 {
	if _, err := q.wait(ctx); err != nil || len(texts) < 2 {
		return nil
	}
	ctx, cancel := context.WithDeadline(ctx, q.deadline)
	defer cancel()
	scores, err := q.settings.rerankTexts(ctx, q.text, texts)
	if err != nil {
		return nil
	}
	return scores
}

// mostNear is how many texts are compared by their whole vectors, the best by their signs.
const mostNear = 100

// Near implements retrieve.Question. It waits for the server until the budget is over.
func (q *question) Near(
	ctx context.Context, d *db.DB, kind, condition string, args ...any,
) ([]retrieve.Neighbour, error) {
	sets, err := d.VectorSets(ctx, kind)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(sets, func(s db.VectorSet) bool { return s.Complete && q.settings.matches(s) })
	if i < 0 { // until the new set is complete, the old one is used
		i = slices.IndexFunc(sets, func(s db.VectorSet) bool { return s.Complete })
	}
	if i < 0 {
		i = slices.IndexFunc(sets, q.settings.matches) // the first one, as far as it is
	}
	if i < 0 {
		return nil, nil
	}
	pages, err := db.Query[page](ctx, d, `
		SELECT page, signs
		FROM vector_pages
		WHERE set_id = ?
		ORDER BY page`, sets[i].ID) // while the server works
	if err != nil {
		return nil, err
	}
	var selected map[int64]bool // by vector_id; nil for all
	if condition != "" {
		ids, err := db.Query[int64](ctx, d, `
			SELECT v.vector_id
			FROM texts t
			JOIN vectors v ON v.text_hash = t.text_hash
			WHERE v.set_id = ? AND `+condition, append([]any{sets[i].ID}, args...)...)
		if err != nil {
			return nil, err
		}
		selected = map[int64]bool{}
		for _, id := range ids {
			selected[id] = true
		}
	}
	vector, err := q.vectorFor(ctx, sets[i])
	if err != nil || len(vector) != sets[i].Dimension || sets[i].Near-sets[i].Far < leastGap {
		return nil, ctx.Err()
	}
	return nearest(ctx, d, sets[i], pages, selected, vector)
}

// page has the signs of vectors, from the first one of the page on.
type page struct {
	Page  int64  `db:"page"`
	Signs []byte `db:"signs"`
}

// matches reports whether a set has the vectors that the settings ask for.
func (s Settings) matches(set db.VectorSet) bool {
	return set.Model == s.Model && set.DocumentPrefix == s.DocumentPrefix
}

// vectorFor returns the vector of the question by the model of a set.
func (q *question) vectorFor(ctx context.Context, set db.VectorSet) ([]float32, error) {
	vector, err := q.wait(ctx)
	if err != nil || q.settings.matches(set) {
		return vector, err
	}
	a := q.old[set.Model]
	if a == nil {
		a = new(answer)
		a.vector, a.err = q.embed(set.Model, set.QueryPrefix)
		q.old[set.Model] = a
	}
	return a.vector, a.err
}

// nearest compares a vector with a set: first the signs of all that are selected, then the whole vectors
// of the most similar ones.
func nearest(
	ctx context.Context, d *db.DB, set db.VectorSet, pages []page, selected map[int64]bool, vector []float32,
) ([]retrieve.Neighbour, error) {
	own, size := set.Signs(pack(vector)), 8*set.SignWords()
	type place struct {
		id       int64
		distance int
	}
	places := make([]place, 0, len(pages)*int(set.PageVectors()))
	counts := make([]int, 64*set.SignWords()+1) // by distance
	for _, p := range pages {
		for i := 0; (i+1)*size <= len(p.Signs); i++ {
			id := p.Page*set.PageVectors() + int64(i)
			if selected != nil && !selected[id] {
				continue
			}
			distance, used := 0, uint64(0)
			for at := 0; at < size; at += 8 {
				word := binary.LittleEndian.Uint64(p.Signs[i*size+at:])
				distance += bits.OnesCount64(word ^ binary.LittleEndian.Uint64(own[at:]))
				used |= word
			}
			if used != 0 {
				places = append(places, place{id, distance})
				counts[distance]++
			}
		}
	}
	most, n := 0, 0
	for ; most < len(counts) && n < mostNear; most++ {
		n += counts[most]
	}
	ids := make([]int64, 0, n)
	for _, p := range places {
		if p.distance < most {
			ids = append(ids, p.id)
		}
	}
	var rows []struct {
		ID     int64  `db:"id"`
		Vector []byte `db:"vector"`
	}
	err := d.Select(ctx, &rows, strings.ReplaceAll(`
		SELECT t.KIND_id AS id, v.vector
		FROM json_each(?) i
		CROSS JOIN vectors v ON v.vector_id = i.value AND v.set_id = ?
		CROSS JOIN texts t ON t.text_hash = v.text_hash
		WHERE t.KIND_id IS NOT NULL`, "KIND", set.Kind), db.JSON(ids), set.ID)
	near, sum := make([]retrieve.Neighbour, 0, len(rows)), 0.0
	for _, row := range rows {
		if len(row.Vector) == len(vector) {
			c := cosine(vector, row.Vector)
			near, sum = append(near, retrieve.Neighbour{ID: row.ID, Cosine: c}), sum+c
		}
	}
	average := (sum + farTexts*set.Far) / (float64(len(near)) + farTexts)
	if n := len(near); n > 0 && len(places) > n {
		// Signs say what the cosine is, but for the bend of the model, which the nearest show.
		average += angles(counts, set.Dimension) - angles(counts[:most], set.Dimension)
	}
	for i := range near {
		near[i].Nearness = (near[i].Cosine - average) / (set.Near - set.Far)
	}
	return near, err
}

// farTexts is how many texts that are far from the question are counted besides: the average
// of a few memories says little.
const farTexts = 4

// angles returns the mean cosine of the vectors that differ in so many signs each, as for
// directions without any order: the share of signs that differ is the angle.
func angles(counts []int, dimension int) float64 {
	n, sum := 0, 0.0
	for distance, count := range counts {
		n += count
		sum += float64(count) * math.Cos(math.Pi*float64(distance)/float64(dimension))
	}
	return sum / float64(max(n, 1))
}
