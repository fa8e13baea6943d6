package hub

import (
	"testing"

	"memctl/hub/hubtest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
)

func TestMergeFrequencies(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT keys"), note("kafka", "Kafka keys")))
	mustPublish(t, h, anna, publication(2, note("jwt", "JWT keys"), note("kafka", "Kafka events")))
	before := h.dump(t)
	const merged = `SELECT format('%s %s', term, memories) FROM terms WHERE memories <> 0 AND term IN ('jwt', 'kei', 'event') ORDER BY 1`
	if got := rows[string](t, h, merged); len(got) > 0 {
		t.Errorf("merged at once: %q", got)
	}
	for range 2 {
		if err := h.MergeFrequencies(t.Context()); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"event 1", "jwt 1", "kei 1"}, rows[string](t, h, merged)); diff != "" {
			t.Error(diff)
		}
		if got := rows[int](t, h, `SELECT count(*) FROM term_changes UNION ALL SELECT count(*) FROM corpus_changes`); got[0]+got[1] > 0 {
			t.Errorf("%v changes are left", got)
		}
	}
	if diff := cmp.Diff(before, h.dump(t)); diff != "" {
		t.Error(diff)
	}
}

// One hub merges; the others do not wait for it.
func TestMergeFrequenciesWhileAnotherHubDoes(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT keys")))
	count := `SELECT count(*) FROM term_changes`
	before := rows[int](t, h, count)
	err := h.owner.asOwner(t.Context(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), `SELECT pg_advisory_xact_lock($1)`, mergeLock); err != nil {
			return err
		}
		return h.MergeFrequencies(t.Context())
	})
	if after := rows[int](t, h, count); err != nil || !cmp.Equal(before, after) {
		t.Errorf("%d changes, then %d: %v", before, after, err)
	}
}

func TestWrongFrequencies(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	published := publication(1, note("jwt", "JWT keys"), note("kafka", "Kafka"))
	for name, tt := range map[string]struct {
		damage string
		want   []string
	}{
		"nothing":           {`SELECT 1`, nil},
		"a frequency":       {`UPDATE terms SET memories = 7 WHERE term = 'jwt'`, []string{"term jwt: 7 memories counted, 1 in postings"}},
		"a lost change":     {`INSERT INTO term_changes SELECT term_id, -1 FROM terms WHERE term = 'kei'`, []string{"term kei: 0 memories counted, 1 in postings"}},
		"a lost row":        {`DELETE FROM postings WHERE term_id = (SELECT term_id FROM terms WHERE term = 'kei')`, []string{"term kei: 1 memories counted, 0 in postings"}},
		"the corpus":        {`UPDATE corpus SET memories = 5`, []string{"corpus: 5 memories counted, 2 found"}},
		"the corpus' terms": {`INSERT INTO corpus_changes VALUES (0, 1)`, []string{"corpus: 13 terms counted, 12 in postings"}},
	} {
		t.Run(name, func(t *testing.T) {
			if err := h.owner.Forget(t.Context(), payments); err != nil {
				wantCode(t, err, "not_found")
			}
			h.exec(t, `TRUNCATE terms, term_changes, postings, corpus_changes`)
			h.exec(t, `UPDATE corpus SET memories = 0, terms = 0`)
			mustPublish(t, h, anna, published)
			if err := h.MergeFrequencies(t.Context()); err != nil {
				t.Fatal(err)
			}
			h.exec(t, tt.damage)
			if diff := cmp.Diff(tt.want, hubtest.WrongFrequencies(t, h.dsn)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
