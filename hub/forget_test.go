package hub

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What is forgotten leaves nothing behind, not even words.
func TestForget(t *testing.T) {
	h, fresh := newHub(t), newHub(t)
	kept := publication(1, note("jwt", "JWT keys"))
	kept.Repository = "github.com/acme/other"
	for _, hub := range []testHub{h, fresh} {
		hub.grant(t, "everyone", "%", true)
		mustPublish(t, hub, anna, kept)
	}
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT tokens"), note("hanbit", "Hanbit")))
	// A word that was taken out stays among the terms until then.
	mustPublish(t, h, anna, publication(2, note("jwt", "JWT tokens")))
	if left := rows[string](t, h, `SELECT term FROM terms WHERE term = 'hanbit'`); len(left) != 1 {
		t.Errorf("terms: %q", left)
	}
	if err := h.owner.Forget(t.Context(), payments); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fresh.dump(t), h.dump(t)); diff != "" {
		t.Error(diff)
	}
	const terms = `SELECT term FROM terms ORDER BY term`
	if diff := cmp.Diff(rows[string](t, fresh, terms), rows[string](t, h, terms)); diff != "" {
		t.Error(diff)
	}
	wantCode(t, h.owner.Forget(t.Context(), payments), "not_found")
	if err := h.Forget(t.Context(), kept.Repository); err == nil {
		t.Error("the service forgets a repository")
	}
	again := publication(1, note("jwt", "JWT again"))
	mustPublish(t, h, anna, again)
	h.checkSound(t, kept, again)
}
