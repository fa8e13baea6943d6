package meaning

import (
	"context"
	"fmt"
	"time"

	"memctl/db"
)

// pairs are sentences that say the same in other words. A sentence and the second one of the
// next pair are far from each other. The cosines of both kinds differ from model to model by
// much, so they are the scale on which the nearness of two texts is measured.
var pairs = [10][2]string{
	{"Restart the server after a crash", "Bring the service back up when it dies"},
	{"Passwords are stored as salted hashes", "We never keep a user's secret in plain text"},
	{"The invoice is sent by e-mail every month", "Bills go out to customers' mailboxes monthly"},
	{"Delete old log files after thirty days", "Remove outdated logging output once a month has passed"},
	{"Use tabs and not spaces for indentation", "Indent code with the tab character"},
	{"Pictures load slowly on mobile phones", "Images take too long to appear on small devices"},
	{"The database is backed up every night", "A copy of all tables is taken daily while people sleep"},
	{"Write a test before you fix a bug", "A regression check comes first, the repair of the defect second"},
	{"Customers in France pay value-added tax", "French buyers are charged VAT"},
	{"Merge requests need two approvals", "A pull request is accepted once two reviewers agree"},
}

// trial is the result of testing a model on the pairs.
type trial struct {
	Dimension int
	Took      time.Duration // of one sentence, after the model was loaded
	Near, Far float64       // the mean cosine of each kind
	Correct   int           // pairs that are nearer than the far one of the same sentence
	probe     []byte        // the vector of the first sentence
}

// try asks the server for the vectors of the pairs.
func (s Settings) try(ctx context.Context) (t trial, err error) {
	texts := make([]string, 0, 2*len(pairs))
	for _, p := range pairs {
		texts = append(texts, s.QueryPrefix+p[0], s.DocumentPrefix+p[1])
	}
	vectors, err := s.embed(ctx, s.Model, texts)
	if err != nil {
		return t, err
	}
	began := time.Now()
	again, err := s.embed(ctx, s.Model, texts[:1])
	if err != nil {
		return t, err
	}
	t.Took, t.Dimension, t.probe = time.Since(began), len(again[0]), pack(again[0])
	if t.Dimension != len(vectors[0]) {
		return t, fmt.Errorf("%s: the dimension is %d, then %d", s.endpoint.Host, len(vectors[0]), t.Dimension)
	}
	for i := range pairs {
		near := cosine(vectors[2*i], pack(vectors[2*i+1]))
		far := cosine(vectors[2*i], pack(vectors[(2*i+3)%len(vectors)]))
		t.Near += near / float64(len(pairs))
		t.Far += far / float64(len(pairs))
		if near > far {
			t.Correct++
		}
	}
	return t, nil
}

func (t trial) String() string {
	return fmt.Sprintf("dimension %d, a sentence in %d ms; %d of %d near pairs are nearer than far ones (%.2f and "+
		"%.2f on average)",
		t.Dimension, t.Took.Milliseconds(), t.Correct, len(pairs), t.Near, t.Far)
}

// sameProbe is the least cosine of two vectors of one sentence by one model.
const sameProbe = 0.98

// unchanged reports whether the server still has the model that made a set, and not another one
// by the same name.
func (s Settings) unchanged(ctx context.Context, set db.VectorSet) (bool, error) {
	vectors, err := s.embed(ctx, s.Model, []string{s.QueryPrefix + pairs[0][0]})
	return err == nil && len(vectors[0]) == set.Dimension && cosine(vectors[0], set.Probe) > sameProbe, err
}

// leastGap is how much nearer the near pairs are than the far ones, on average, of a model that
// tells them apart.
const leastGap = 0.05

// tells reports whether the model can be used.
func (t trial) tells() bool { return t.Near-t.Far >= leastGap && t.Correct > len(pairs)*3/4 }
