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

// twoVersions is a hub with three repositories, as this version, which published them, and as the next one.
func twoVersions(t *testing.T) (h, next testHub) {
	t.Helper()
	owner, service := hubtest.Database(t, Migrate)
	h = openHub(t, owner, service, analyser{})
	h.grant(t, "everyone", "%", true)
	for i := range 3 {
		mustPublish(t, h, anna, keysAndEvents(i))
	}
	return h, openHub(t, owner, service, byThree)
}

func keysAndEvents(i int) remote.Publication {
	p := publication(1, note("jwt", fmt.Sprint("JWT rotating ", i)), note("kafka", fmt.Sprint("Kafka events ", i)))
	p.Repository = repositoryOf(i)
	return p
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

// analyse is what migrate does. It returns how many repositories it found.
func (h testHub) analyse(t *testing.T) int {
	t.Helper()
	names, err := h.owner.Unanalysed(t.Context())
	if err == nil {
		err = h.owner.Analyse(t.Context(), names)
	}
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// revisions returns those of the repositories, by name.
func (h testHub) revisions(t *testing.T) []int64 {
	t.Helper()
	return rows[int64](t, h, `SELECT revision FROM repositories ORDER BY name`)
}

func TestAnalyse(t *testing.T) {
	h, next := twoVersions(t)
	before, revisions := h.dump(t), h.revisions(t)
	if err := next.Ready(t.Context()); err != nil {
		t.Errorf("the next version is not ready: %v", err)
	}
	all := []string{"repository-0:decisions/jwt", "repository-1:decisions/jwt", "repository-2:decisions/jwt"}
	if diff := cmp.Diff(all, next.answers(t, "jwt")); diff != "" { // a word that both versions have
		t.Error(diff)
	}

	// It is killed in the second repository: the first one is done, the others are as they were.
	ctx, kill := context.WithCancel(t.Context())
	dying, terms := byThree, 0
	dying.change = func(term string) string {
		if terms++; terms == 30 {
			kill()
		}
		return byThree.change(term)
	}
	killed := open(t, next.owner.pool.Config().ConnString(), Options{analyser: dying})
	names, err := killed.Unanalysed(t.Context())
	if err != nil || len(names) != 3 {
		t.Fatalf("%q, %v", names, err)
	}
	if err := killed.Analyse(ctx, names); !errors.Is(err, context.Canceled) {
		t.Fatalf("the killed build: %v", err)
	}
	if got := rows[int](t, h, `SELECT analysed_by FROM repositories ORDER BY name`); !slices.Equal(got, []int{byThree.version, AnalyserVersion, AnalyserVersion}) {
		t.Errorf("the killed build: %d", got)
	}
	if diff := cmp.Diff(all[:1], next.answers(t, "rotunda")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"repository-1:decisions/jwt", "repository-2:decisions/jwt"}, h.answers(t, "rotating")); diff != "" {
		t.Error(diff)
	}
	next.checkSound(t, keysAndEvents(0))
	h.checkSound(t, keysAndEvents(1), keysAndEvents(2))

	if n := next.analyse(t); n != 2 {
		t.Errorf("%d repositories were left", n)
	}
	if diff := cmp.Diff(all, next.answers(t, "rotunda")); diff != "" {
		t.Error(diff)
	}
	for i, now := range h.revisions(t) {
		if slices.Contains(revisions, now) {
			t.Errorf("repository %d has the revision %d again", i, now)
		}
	}
	owner, service := hubtest.Database(t, Migrate)
	alone := openHub(t, owner, service, byThree)
	alone.grant(t, "everyone", "%", true)
	for i := range 3 {
		mustPublish(t, alone, anna, keysAndEvents(i))
	}
	if diff := cmp.Diff(alone.dump(t), next.dump(t)); diff != "" {
		t.Errorf("not what the version alone has: %s", diff)
	}
	const words = `SELECT term FROM terms ORDER BY term`
	if diff := cmp.Diff(rows[string](t, alone, words), rows[string](t, next, words)); diff != "" {
		t.Errorf("the terms of the version before stay: %s", diff)
	}
	// Back to the version before.
	h.analyse(t)
	if diff := cmp.Diff(before, h.dump(t)); diff != "" {
		t.Error(diff)
	}
	if n := h.analyse(t); n != 0 {
		t.Errorf("%d repositories again", n)
	}
}

// A publication makes all terms of a repository, also those of unchanged memories.
func TestPublishAsAnotherVersion(t *testing.T) {
	h, next := twoVersions(t)
	for i, by := range []testHub{next, h, next} {
		p := publication(int64(2*i+2), note("jwt", "JWT rotating 0"), note("new", fmt.Sprint("Kafka version", i)))
		p.Repository = repositoryOf(0)
		before := by.revisions(t)
		done := mustPublish(t, by, anna, p)
		if done.Unchanged != 1 {
			t.Errorf("%d: %+v", i, done)
		}
		by.checkSound(t, p)
		after := by.revisions(t)
		if after[0] == before[0] || !slices.Equal(after[1:], before[1:]) {
			t.Errorf("%d: revisions %d, then %d", i, before, after)
		}
		p.Sequence++
		p.Memories = p.Memories[:0:0]
		for _, m := range []remote.File{note("jwt", "JWT rotating 0"), note("new", fmt.Sprint("Kafka version", i))} {
			m.Memory = nil
			p.Memories = append(p.Memories, m)
		}
		mustPublish(t, by, anna, p)
		if again := by.revisions(t); !slices.Equal(again, after) {
			t.Errorf("%d: revisions %d, and %d though nothing changed", i, after, again)
		}
	}
	next.checkSound(t)
	if n := next.analyse(t); n != 2 {
		t.Errorf("%d repositories were of the version before", n)
	}
	before := next.revisions(t)
	if err := next.owner.Forget(t.Context(), repositoryOf(0)); err != nil {
		t.Fatal(err)
	}
	mustPublish(t, next, anna, keysAndEvents(0))
	if after := next.revisions(t); slices.Contains(before, after[0]) {
		t.Errorf("a forgotten repository has the revision %d again", after[0])
	}
	next.checkSound(t, keysAndEvents(0))
}

// A publication that comes between reading a repository and writing its terms is not lost.
func TestAnalyseARepositoryThatChanges(t *testing.T) {
	h, next := twoVersions(t)
	p := publication(2, note("new", "Kafka meanwhile"))
	p.Repository = repositoryOf(0)
	published := false
	overtaken := byThree
	overtaken.change = func(term string) string {
		if !published {
			published = true
			mustPublish(t, h, anna, p)
		}
		return byThree.change(term)
	}
	openHub(t, next.owner.pool.Config().ConnString(), next.dsn, overtaken).analyse(t)
	if n := next.analyse(t); n != 0 {
		t.Errorf("%d repositories are left", n)
	}
	next.checkSound(t, p, keysAndEvents(1), keysAndEvents(2))
}

// A repository is larger than a batch.
func TestAnalyseInBatches(t *testing.T) {
	h, next := twoVersions(t)
	large := strings.Repeat(strings.Repeat("long", 200)+" ", 1000)
	var files []remote.File
	for i := range batchBytes/len(large) + 3 {
		files = append(files, noteWith(fmt.Sprintf("large-%d", i), fmt.Sprintf("Large number%d", i), nil, said(large)))
	}
	p := publication(2, files...)
	p.Repository = repositoryOf(0)
	mustPublish(t, h, anna, p)
	next.analyse(t)
	next.checkSound(t, p)
}

func TestAnalyseWhilePublishing(t *testing.T) {
	h, next := twoVersions(t)
	var last [3]remote.Publication
	var wg sync.WaitGroup
	for i := range last {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 9))
			for sequence := range int64(6) {
				last[i] = publication(sequence+2, randomNotes(random, 6)...)
				last[i].Repository = repositoryOf(i)
				by := h
				if sequence%3 == 2 {
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
			names, err := v.owner.Unanalysed(t.Context())
			if err = errors.Join(err, v.owner.Analyse(t.Context(), names)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, v := range []testHub{h, next} {
		v.analyse(t)
		v.checkSound(t, last[:]...)
	}
}
