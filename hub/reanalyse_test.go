package hub

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"memctl/remote"

	"github.com/google/go-cmp/cmp"
)

func TestReanalyse(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	var published []remote.Publication
	for i := range 3 {
		p := publication(1, randomNotes(rand.New(rand.NewPCG(uint64(i), 5)), 6)...)
		p.Repository = fmt.Sprintf("github.com/acme/repository-%d", i)
		mustPublish(t, h, anna, p)
		published = append(published, p)
	}
	before := h.dump(t)
	for _, statement := range []string{
		`UPDATE hub SET analyser_version = 0`,
		`DELETE FROM postings WHERE term_id % 2 = 0`,
		`UPDATE postings SET packed[1] = 0`,
		`UPDATE memories SET positions = ''`,
		`UPDATE terms SET term = term || '-old', memories = 5`,
		`DELETE FROM term_changes WHERE term_id % 3 = 0`,
		`UPDATE corpus SET memories = 7`,
	} {
		h.exec(t, statement)
	}
	wantCode(t, h.Ready(t.Context()), "other_analyser")
	if err := h.owner.Reanalyse(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := h.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(before, h.dump(t)); diff != "" {
		t.Error(diff)
	}
	h.checkSound(t, published...)
	if err := h.Reanalyse(t.Context()); err == nil {
		t.Error("the service analyses again")
	}
}
