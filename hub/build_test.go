package hub

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"memctl/features/hub/remote"
	"memctl/hub/hubtest"

	"github.com/google/go-cmp/cmp"
)

// byThree is the version after this one: it tells terms by their first three letters.
var byThree = analyser{AnalyserVersion + 1, func(term string) string { return term[:min(3, len(term))] }}

// upgraded is a hub whose operator has run migrate of the next version, as this version and as that one.
func upgraded(t *testing.T) (h, next testHub) {
	t.Helper()
	owner, service := hubtest.Database(t, Migrate)
	h = openHub(t, owner, service, analyser{})
	h.grant(t, "everyone", "%", true)
	for i := range 3 {
		p := publication(1, note("jwt", fmt.Sprint("JWT rotating ", i)), note("kafka", fmt.Sprint("Kafka events ", i)))
		p.Repository = repositoryOf(i)
		mustPublish(t, h, anna, p)
	}
	if err := migrate(t.Context(), owner, byThree.version); err != nil {
		t.Fatal(err)
	}
	return h, openHub(t, owner, service, byThree)
}

func repositoryOf(i int) string { return fmt.Sprintf("github.com/acme/repository-%d", i) }

// answers returns what a hub answers to a question.
func (h testHub) answers(t *testing.T, question string) (ids []string) {
	t.Helper()
	found, err := h.Search(t.Context(), anna, remote.Query{Query: question})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found.Results {
		ids = append(ids, strings.TrimPrefix(r.ID, "github.com/acme/"))
	}
	slices.Sort(ids)
	return ids
}

func (h testHub) keepTerms(t *testing.T) {
	t.Helper()
	if err := h.KeepTerms(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAnalyseBesideTheVersionBefore(t *testing.T) {
	h, next := upgraded(t)
	refused := func(when string) {
		t.Helper()
		_, asked := next.Search(t.Context(), anna, remote.Query{Query: "kafka"})
		_, published := next.Publish(t.Context(), anna, publication(1, note("jwt", "JWT")))
		for _, err := range []error{next.Ready(t.Context()), asked, published} {
			if e := new(remote.Error); !errors.As(err, &e) || e.Code != "other_analyser" {
				t.Errorf("%s: the next version answers: %v", when, err)
			}
		}
		if diff := cmp.Diff([]string{"repository-0:decisions/kafka", "repository-1:decisions/kafka", "repository-2:decisions/kafka"}, h.answers(t, "events")); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
		if got := h.answers(t, "rotunda"); got != nil {
			t.Errorf("%s: this version finds %q", when, got)
		}
	}
	refused("before the build")

	// It is killed in the second repository.
	ctx, kill := context.WithCancel(t.Context())
	dying, terms := byThree, 0
	dying.change = func(term string) string {
		if terms++; terms == 30 {
			kill()
		}
		return byThree.change(term)
	}
	killed := open(t, next.owner.pool.Config().ConnString(), Options{analyser: dying})
	if err := killed.Analyse(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("the killed build: %v", err)
	}
	if n := rows[int](t, next, `SELECT count(*) FROM positions`)[0]; n == 0 || n >= 6 {
		t.Errorf("the killed build has split %d memories", n)
	}
	refused("after the build was killed")

	last := publication(2, note("jwt", "JWT rotating again"), note("s3", "S3 buckets"))
	last.Repository = repositoryOf(0)
	mustPublish(t, h, anna, last)
	if diff := cmp.Diff([]string{"repository-0:decisions/s3"}, h.answers(t, "buckets")); diff != "" {
		t.Error(diff)
	}
	next.keepTerms(t) // the service goes on with it
	if err := next.Ready(t.Context()); err != nil {
		t.Error(err)
	}
	all := []string{"repository-0:decisions/jwt", "repository-1:decisions/jwt", "repository-2:decisions/jwt"}
	if diff := cmp.Diff(all, next.answers(t, "rotunda")); diff != "" {
		t.Error(diff)
	}
	if got := h.answers(t, "rotunda"); got != nil {
		t.Errorf("this version finds %q", got)
	}
	next.checkSound(t, last)
	h.checkSound(t, last)

	fresh, service := hubtest.Database(t, Migrate)
	if err := migrate(t.Context(), fresh, byThree.version); err != nil {
		t.Fatal(err)
	}
	alone := openHub(t, fresh, service, byThree)
	alone.grant(t, "everyone", "%", true)
	for i, p := range []remote.Publication{last, publication(1), publication(1)} {
		p.Repository = repositoryOf(i)
		if i > 0 {
			p.Memories = []remote.File{note("jwt", fmt.Sprint("JWT rotating ", i)), note("kafka", fmt.Sprint("Kafka events ", i))}
		}
		mustPublish(t, alone, anna, p)
	}
	if diff := cmp.Diff(alone.dump(t), next.dump(t)); diff != "" {
		t.Errorf("not what the version alone has: %s", diff)
	}
}

// While hubs of two versions run, each finds what the other published.
func TestTwoVersionsAtOnce(t *testing.T) {
	h, next := upgraded(t)
	next.keepTerms(t)
	for i, by := range []testHub{next, h, h, next} {
		p := publication(int64(i+2), note("jwt", fmt.Sprintf("JWT version%d", i)), note(fmt.Sprint("new", i), "Kafka events"))
		p.Repository = repositoryOf(0)
		mustPublish(t, by, anna, p)
		if i == 2 {
			continue // the last one comes before either hub has seen this one
		}
		for name, v := range map[string]testHub{"this version": h, "the next version": next} {
			if got := v.answers(t, "kafka"); slices.Contains(got, "repository-0:decisions/kafka") || slices.Contains(got, fmt.Sprintf("repository-0:decisions/new%d", i-1)) {
				t.Errorf("%d: %s finds what is gone: %q", i, name, got)
			}
			v.keepTerms(t)
			want := []string{fmt.Sprintf("repository-0:decisions/new%d", i), "repository-1:decisions/kafka", "repository-2:decisions/kafka"}
			if diff := cmp.Diff(want, v.answers(t, "kafka")); diff != "" {
				t.Errorf("%d: %s: %s", i, name, diff)
			}
			v.checkSound(t, p)
		}
	}
	if err := h.owner.Forget(t.Context(), repositoryOf(0)); err != nil {
		t.Fatal(err)
	}
	for _, v := range []testHub{h, next} {
		v.checkSound(t)
		if n := rows[int](t, v, `SELECT count(*) FROM positions`)[0]; n != 4 {
			t.Errorf("%d memories have positions after one of three repositories was forgotten", n)
		}
	}
}

func TestAnalyseWhilePublishing(t *testing.T) {
	h, next := upgraded(t)
	var last [3]remote.Publication
	var wg sync.WaitGroup
	for i := range last {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 9))
			for sequence := range int64(6) {
				last[i] = publication(sequence+2, randomNotes(random, 6)...)
				last[i].Repository = repositoryOf(i)
				by := h
				if sequence%3 == 2 && next.Ready(t.Context()) == nil {
					by = next
				}
				if _, err := by.Publish(t.Context(), anna, last[i]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, v := range []testHub{next, h, next} {
		wg.Go(func() {
			if err := v.KeepTerms(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, v := range []testHub{h, next} {
		v.keepTerms(t)
		v.checkSound(t, last[:]...)
	}
}

// Terms that no hub uses go, and nothing of them stays.
func TestUnusedTermsGo(t *testing.T) {
	h, next := upgraded(t)
	schemas := `SELECT nspname::text FROM pg_namespace WHERE nspname LIKE '%terms%' ORDER BY 1`
	both := []string{h.schema(), next.schema()}
	want := func(when string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, rows[string](t, h, schemas)); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	used := func(v testHub, ago string) {
		t.Helper()
		h.exec(t, `UPDATE analysers SET used_at = now() - $2::interval WHERE version = $1`, v.options.analyser.version, ago)
	}
	used(next, "6 days")
	h.keepTerms(t)
	want("an upgrade is to come", both...)
	used(h, "50 minutes")
	next.keepTerms(t)
	want("the old version ran lately", both...)
	used(h, "70 minutes")
	next.keepTerms(t)
	want("the old version is gone", next.schema())
	wantCode(t, h.Ready(t.Context()), "other_analyser")
	if got := next.answers(t, "rotunda"); len(got) != 3 {
		t.Errorf("the new version finds %q", got)
	}

	// Back to the old version.
	if err := migrate(t.Context(), h.owner.pool.Config().ConnString(), AnalyserVersion); err != nil {
		t.Fatal(err)
	}
	if err := h.owner.Analyse(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := h.answers(t, "events"); len(got) != 3 {
		t.Errorf("the old version finds %q", got)
	}
	used(next, "8 days")
	h.keepTerms(t)
	want("back to the old version", h.schema())
}

// A role that row security hides the memories from does not try for ever.
func TestAnalyseWhatIsHidden(t *testing.T) {
	h, next := upgraded(t)
	h.exec(t, `DROP POLICY published ON repositories`)
	if err := next.owner.Analyse(t.Context()); err == nil || !strings.Contains(err.Error(), repositoryOf(0)) {
		t.Errorf("got %v", err)
	}
}
