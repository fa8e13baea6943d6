package hub

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"memctl/features/hub/remote"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

var anna = Principal{Person: "anna"}

const payments = "github.com/acme/payments"

// note returns the file of a decision.
func note(id, title string, tags ...string) remote.File { return noteWith(id, title, tags, nil) }

// noteWith is note with further fields, or other ones.
func noteWith(id, title string, tags []string, fields map[string]any) remote.File {
	if len(tags) == 0 {
		tags = []string{"untagged"}
	}
	doc := map[string]any{
		"schema_version": "1.0", "category": "decision", "id": id, "title": title, "record_status": "active",
		"created_at": "2026-03-01T12:00:00Z", "updated_at": "2026-03-02T12:00:00Z", "tags": tags,
		"content": map[string]any{
			"status": "accepted", "decision": title, "context": "", "rationale": []string{"r"}, "alternatives": []any{}, "consequences": []any{},
		},
	}
	maps.Copy(doc, fields)
	memory, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	return remote.File{Path: "decisions/" + id + ".json", Memory: memory, Digest: fmt.Sprintf("%x", sha256.Sum256(memory))}
}

// said is a field of noteWith: content with a longer text.
func said(context string) map[string]any {
	return map[string]any{"content": map[string]any{
		"status": "accepted", "decision": "d", "context": context, "rationale": []string{"r"}, "alternatives": []any{}, "consequences": []any{},
	}}
}

// publication is one of payments.
func publication(sequence int64, files ...remote.File) remote.Publication {
	return remote.Publication{Repository: payments, Commit: commitOf(sequence), Sequence: sequence, Memories: files}
}

func commitOf(n int64) string { return fmt.Sprintf("%040x", n) }

func mustPublish(t *testing.T, h testHub, by Principal, p remote.Publication) remote.Published {
	t.Helper()
	done, err := h.Publish(t.Context(), by, p)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func wantCode(t *testing.T, err error, code string) *remote.Error {
	t.Helper()
	var e *remote.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want %s", err, code)
	}
	if e.Code != code {
		t.Errorf("got %s: %v, want %s", e.Code, e, code)
	}
	return e
}

func TestPublish(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "github.com/acme/%", true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT keys rotate weekly"), note("kafka", "Kafka keeps events for 14 days"), note("redis", "Redis holds sessions")))
	last := publication(2, note("jwt", "JWT keys rotate weekly"), note("kafka", "Kafka keeps events for 7 days"), note("s3", "S3 holds invoices"))
	done := mustPublish(t, h, anna, last)
	if diff := cmp.Diff(remote.Published{Repository: payments, Added: 1, Changed: 1, Removed: 1, Unchanged: 1}, done); diff != "" {
		t.Error(diff)
	}
	got := rows[string](t, h, `
		SELECT format('%s %s %s %s', t.term, m.path, (x >> 13) & 31, x & 255)
		FROM postings p
		JOIN terms t USING (term_id)
		CROSS JOIN unnest(p.packed) x
		JOIN memories m ON m.memory_id = x >> 32
		WHERE t.term IN ('kei', 'keep', 'redi', '14', 'hold', 'rotat')
		ORDER BY 1`)
	want := []string{"hold decisions/s3.json 1 1", "keep decisions/kafka.json 1 1", "kei decisions/jwt.json 1 1", "rotat decisions/jwt.json 1 1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	h.checkSound(t, last)
}

// A publication writes the rows that it changes, and no others.
// A digest stands for a memory that the hub has as it was sent to a program of this version, and for nothing else.
func TestPublishByDigest(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "%", true)
	jwt, kafka := note("jwt", "JWT keys rotate"), note("kafka", "Kafka keeps events")
	secret := noteWith("secret", "A key", nil, said("key is AKIAQ3EGRZ7NPLXT4WMB and more"))
	digests := func(sequence int64, files ...remote.File) remote.Publication {
		return named(publication(sequence, files...))
	}
	want := func(p remote.Publication, want remote.Published) {
		t.Helper()
		want.Repository = payments
		if diff := cmp.Diff(want, mustPublish(t, h, anna, p)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	want(digests(1, jwt, kafka), remote.Published{Missing: []string{jwt.Path, kafka.Path}})
	want(publication(1, jwt, kafka, secret), remote.Published{Added: 3})
	before := h.dump(t)
	want(digests(2, jwt, note("kafka", "Kafka keeps nothing"), secret), remote.Published{Missing: []string{kafka.Path, secret.Path}})
	if diff := cmp.Diff(before, h.dump(t)); diff != "" {
		t.Errorf("an incomplete publication changed (-before +after):\n%s", diff)
	}
	mixed := digests(2, jwt, kafka)
	mixed.Memories = append(mixed.Memories, note("redis", "Redis holds sessions"))
	want(mixed, remote.Published{Added: 1, Removed: 1, Unchanged: 2})
	h.checkSound(t, publication(2, jwt, kafka, note("redis", "Redis holds sessions")))

	h.options.Version = "another"
	want(digests(3, jwt), remote.Published{Missing: []string{jwt.Path}})
	want(publication(3, jwt), remote.Published{Removed: 2, Unchanged: 1})
	want(digests(4, jwt), remote.Published{Unchanged: 1})
}

// named returns a publication of digests alone.
func named(p remote.Publication) remote.Publication {
	p.Memories = slices.Clone(p.Memories)
	for i := range p.Memories {
		p.Memories[i].Memory = nil
	}
	return p
}

// Parts add memories. What is gone goes at the end, which sets commit and sequence, too; until then the repository is
// incomplete.
func TestPublishInParts(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	part := func(p remote.Publication) {
		t.Helper()
		if _, err := h.PublishPart(t.Context(), anna, p); err != nil {
			t.Fatal(err)
		}
	}
	stored := func(commit, sequence int64, memories int, incomplete bool) {
		t.Helper()
		list, err := ListRepositories.Do(h.owner, t.Context(), struct{}{})
		if err != nil || len(list) != 1 {
			t.Fatalf("%v %v", list, err)
		}
		if s := list[0]; s.Commit != commitOf(commit) || s.Sequence != sequence || s.Memories != memories || s.Incomplete != incomplete || s.PublishedBy != "anna" {
			t.Errorf("%+v", s)
		}
	}
	jwt, kafka, s3 := note("jwt", "JWT keys rotate"), note("kafka", "Kafka keeps events"), note("s3", "S3 holds invoices")
	first := publication(3, jwt, kafka)
	part(publication(3, jwt))
	stored(3, 0, 1, true)
	part(publication(3, kafka))
	stored(3, 0, 2, true)
	if done := mustPublish(t, h, anna, named(first)); done.Unchanged != 2 || done.Removed+done.Added > 0 {
		t.Errorf("%+v", done)
	}
	stored(3, 3, 2, false)
	h.checkSound(t, first)

	next := publication(4, note("jwt", "JWT keys never rotate"), s3)
	part(publication(4, next.Memories[0]))
	part(publication(4, s3))
	stored(3, 3, 3, true)
	for _, late := range []remote.Publication{publication(2, kafka), {Repository: payments, Commit: commitOf(9), Sequence: 3, Memories: first.Memories}} {
		_, err := h.PublishPart(t.Context(), anna, late)
		wantCode(t, err, "stale_sequence")
	}
	_, err := h.PublishPart(t.Context(), Principal{}, publication(4, s3))
	wantCode(t, err, "forbidden")
	if done := mustPublish(t, h, anna, named(next)); done.Removed != 1 || done.Unchanged != 2 {
		t.Errorf("%+v", done)
	}
	stored(4, 4, 2, false)
	h.checkSound(t, next)
	before := h.dump(t)
	part(named(publication(5, next.Memories...))) // which changes nothing
	stored(4, 4, 2, true)
	if diff := cmp.Diff(before, h.dump(t)); diff != "" {
		t.Error(diff)
	}
}

// The tree of a commit stands for all memories, as long as each was sent to a program of this version with a digest.
func TestPublishByTree(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	at := func(sequence int64, tree string, files ...remote.File) remote.Publication {
		p := publication(sequence, files...)
		p.Tree = tree
		return p
	}
	want := func(known bool, p remote.Publication) {
		t.Helper()
		done, err := h.PublishTree(t.Context(), anna, p)
		if err != nil || done.Unknown == known {
			t.Errorf("%+v, %v", done, err)
		}
	}
	jwt, kafka := note("jwt", "JWT keys rotate"), note("kafka", "Kafka keeps events")
	want(false, at(1, "one"))
	want(false, at(1, ""))
	if n := rows[int](t, h, `SELECT count(*) FROM repositories`)[0]; n > 0 {
		t.Error("a tree alone makes a repository")
	}
	mustPublish(t, h, anna, at(1, "one", jwt, kafka))
	want(false, at(2, "two"))
	want(true, at(2, "one"))
	h.checkSound(t, publication(2, jwt, kafka))
	_, err := h.PublishTree(t.Context(), anna, at(1, "one"))
	wantCode(t, err, "stale_sequence")
	_, err = h.PublishTree(t.Context(), Principal{}, at(2, "one"))
	wantCode(t, err, "forbidden")

	if _, err := h.PublishPart(t.Context(), anna, at(3, "", note("jwt", "JWT keys never rotate"))); err != nil {
		t.Fatal(err)
	}
	want(false, at(3, "one"))
	mustPublish(t, h, anna, at(3, "one", jwt, kafka))
	want(true, at(3, "one"))
	mustPublish(t, h, anna, at(4, "", jwt))
	want(false, at(5, "one"))
	undigested := kafka
	undigested.Digest = ""
	secret := noteWith("secret", "A key", nil, said("key is AKIAQ3EGRZ7NPLXT4WMB and more"))
	for _, file := range []remote.File{undigested, secret} {
		mustPublish(t, h, anna, at(5, "one", jwt, file))
		want(false, at(5, "one"))
	}
	mustPublish(t, h, anna, at(6, "one", jwt))
	h.options.Version = "another"
	want(false, at(7, "one"))
}

// A publication that removes many memories takes several transactions.
func TestManyMemoriesGo(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	p := publication(1)
	for i := range 2*removedAtOnce + 2 {
		p.Memories = append(p.Memories, note(fmt.Sprintf("m%d", i), "A memory"))
	}
	mustPublish(t, h, anna, p)
	last := publication(2, p.Memories[0], note("new", "A new one"))
	if done := mustPublish(t, h, anna, last); done.Removed != 2*removedAtOnce+1 || done.Added != 1 || done.Unchanged != 1 {
		t.Errorf("%+v", done)
	}
	h.checkSound(t, last)
}

func TestPublishLeavesTheRestAlone(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	first := publication(1, note("jwt", "JWT keys rotate"), note("kafka", "Kafka keeps events"))
	mustPublish(t, h, anna, first)
	written := func() map[string]string { // the transaction that wrote a row
		list := map[string]string{}
		for _, row := range rows[string](t, h, `
			SELECT t.term || ' ' || p.xmin FROM postings p JOIN terms t USING (term_id)
			UNION ALL
			SELECT path || ' ' || xmin FROM memories`) {
			name, xmin, _ := strings.Cut(row, " ")
			list[name] = xmin
		}
		return list
	}
	for name, tt := range map[string]struct {
		title   string
		changed []string
	}{
		"nothing":         {"Kafka keeps events", nil},
		"another order":   {"Kafka events keeps", []string{"decisions/kafka.json"}},
		"a word for some": {"Kafka keeps logs", []string{"decisions/kafka.json", "event", "log"}},
	} {
		t.Run(name, func(t *testing.T) {
			mustPublish(t, h, anna, first)
			before := written()
			mustPublish(t, h, anna, publication(1, note("jwt", "JWT keys rotate"), note("kafka", tt.title)))
			after := written()
			var changed []string
			for name := range before {
				if before[name] != after[name] {
					changed = append(changed, name)
				}
			}
			for name := range after {
				if before[name] == "" {
					changed = append(changed, name)
				}
			}
			slices.Sort(changed)
			if diff := cmp.Diff(tt.changed, changed); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhoMayPublish(t *testing.T) {
	h := newHub(t)
	h.grant(t, "user:anna", "github.com/acme/%", true)
	h.grant(t, "user:ben", "github.com/acme/%", false)
	h.grant(t, "group:ops", payments, true)
	h.grant(t, "user:eve", "github.com/evil/%", true)
	for name, tt := range map[string]struct {
		by  Principal
		may bool
	}{
		"a grant to publish":         {anna, true},
		"a grant to read":            {Principal{Person: "ben"}, false},
		"a group's grant":            {Principal{Person: "ben", Groups: []string{"ops"}}, true},
		"a group without a person":   {Principal{Groups: []string{"ops"}}, false},
		"a grant of another pattern": {Principal{Person: "eve"}, false},
		"no grant":                   {Principal{Person: "mallory"}, false},
		"no principal":               {Principal{}, false},
		"SQL":                        {Principal{Person: `anna"}'; DROP TABLE grants; --`}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := h.owner.Forget(t.Context(), payments); err != nil {
				wantCode(t, err, "not_found")
			}
			for _, exists := range []bool{false, true} {
				_, err := h.Publish(t.Context(), tt.by, publication(1, note("jwt", "JWT")))
				if tt.may {
					if err != nil {
						t.Errorf("refused, exists: %v: %v", exists, err)
					}
					continue
				}
				if e := wantCode(t, err, "forbidden"); e.Message != "no grant allows you to publish "+payments {
					t.Errorf("%q says more than that", e.Message)
				}
				mustPublish(t, h, anna, publication(5, note("jwt", "JWT")))
			}
		})
	}
}

func TestSequence(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	other := publication(5, note("jwt", "Other"))
	other.Commit = commitOf(99)
	first := publication(5, note("jwt", "First"))
	mustPublish(t, h, anna, first)
	for name, tt := range map[string]struct {
		p     remote.Publication
		stale bool
	}{
		"a lower one":              {publication(4, note("jwt", "Old")), true},
		"the same, another commit": {other, true},
		"the same, repeated":       {first, false},
	} {
		_, err := h.Publish(t.Context(), anna, tt.p)
		if tt.stale {
			wantCode(t, err, "stale_sequence")
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		h.checkSound(t, first)
	}
	next := publication(6, note("jwt", "Next"))
	mustPublish(t, h, anna, next)
	h.checkSound(t, next)
}

// One publication with a great sequence does not keep later ones out, and the operator can let a lower one in.
func TestSequenceIsBounded(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	at := func(sequence int64) remote.Publication {
		p := publication(1, note("jwt", "JWT keys"))
		p.Sequence, p.Commit = sequence, fmt.Sprintf("%040x", sequence)
		return p
	}
	refused := func(sequence int64) {
		t.Helper()
		_, err := h.Publish(t.Context(), anna, at(sequence))
		wantCode(t, err, "bad_request")
	}
	refused(math.MaxInt64)
	mustPublish(t, h, anna, at(7))
	refused(math.MaxInt64)
	refused(time.Now().Unix())
	refused(7 + maxSkip + 1)
	mustPublish(t, h, anna, at(7+maxSkip))
	_, err := h.Publish(t.Context(), anna, at(8))
	wantCode(t, err, "stale_sequence")
	if err := h.owner.Restart(t.Context(), payments); err != nil {
		t.Fatal(err)
	}
	mustPublish(t, h, anna, at(8))
	if err := h.owner.Restart(t.Context(), payments); err != nil {
		t.Fatal(err)
	}
	mustPublish(t, h, anna, at(time.Now().Unix()-60)) // in seconds from now on
	mustPublish(t, h, anna, at(time.Now().Unix()))
	refused(math.MaxInt64)
	wantCode(t, h.owner.Restart(t.Context(), "github.com/acme/none"), "not_found")
	if err := h.Restart(t.Context(), payments); err == nil {
		t.Error("the service restarts a sequence")
	}
}

func TestRefusedPublications(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	raw := func(path, memory string) remote.File { return remote.File{Path: path, Memory: json.RawMessage(memory)} }
	at := func(path string) remote.File { return raw(path, string(note("jwt", "JWT").Memory)) }
	broken := string(note("jwt", "JWT \xff").Memory)
	broken = strings.ReplaceAll(broken, `\ufffd`, "\xff")
	for name, tt := range map[string]struct {
		p     remote.Publication
		code  string
		path  string
		field string
	}{
		"no repository":       {remote.Publication{Commit: commitOf(1), Sequence: 1}, "bad_request", "", "repository"},
		"SQL as a repository": {remote.Publication{Repository: "x'; DROP TABLE memories; --/a", Commit: commitOf(1), Sequence: 1}, "bad_request", "", "repository"},
		"no commit":           {remote.Publication{Repository: payments, Sequence: 1}, "bad_request", "", "commit"},
		"no sequence":         {remote.Publication{Repository: payments, Commit: commitOf(1)}, "bad_request", "", "sequence"},
		"too many memories":   {publication(1, tooMany()...), "too_large", "", ""},
		"a path above":        {publication(1, at("../decisions/jwt.json")), "invalid_memory", "../decisions/jwt.json", ""},
		"a path below":        {publication(1, at("decisions/a/jwt.json")), "invalid_memory", "decisions/a/jwt.json", ""},
		"another folder":      {publication(1, at("observations/jwt.json")), "invalid_memory", "observations/jwt.json", ""},
		"another file":        {publication(1, at("decisions/jwt.txt")), "invalid_memory", "decisions/jwt.txt", ""},
		"a NUL in the path":   {publication(1, at("decisions/jwt\x00.json")), "invalid_memory", "decisions/jwt.json", ""},
		"another name":        {publication(1, at("decisions/kafka.json")), "invalid_memory", "decisions/kafka.json", "id"},
		"another category":    {publication(1, at("runbooks/jwt.json")), "invalid_memory", "runbooks/jwt.json", "category"},
		"the same path twice": {publication(1, note("jwt", "JWT"), note("jwt", "JWT")), "invalid_memory", "decisions/jwt.json", ""},
		"no title":            {publication(1, noteWith("jwt", "", nil, map[string]any{"title": 5})), "invalid_memory", "decisions/jwt.json", "title"},
		"no object":           {publication(1, raw("decisions/jwt.json", "[]")), "invalid_memory", "decisions/jwt.json", ""},
		"nothing":             {publication(1, raw("decisions/jwt.json", "")), "invalid_memory", "decisions/jwt.json", ""},
		"a NUL":               {publication(1, note("jwt", "J\x00WT")), "invalid_memory", "decisions/jwt.json", "content"},
		"a NUL deep within":   {publication(1, noteWith("jwt", "JWT", nil, said("a\x00b"))), "invalid_memory", "decisions/jwt.json", "content"},
		"invalid UTF-8":       {publication(1, raw("decisions/jwt.json", broken)), "invalid_memory", "decisions/jwt.json", "content"},
		"a large one":         {publication(1, noteWith("jwt", "JWT", nil, said(strings.Repeat("x", schemas.MaxFileBytes)))), "invalid_memory", "decisions/jwt.json", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := h.Publish(t.Context(), anna, tt.p)
			if e := wantCode(t, err, tt.code); e.Path != tt.path || e.Field != tt.field || e.Message == "" {
				t.Errorf("got path %q, field %q, %q; want %q, %q", e.Path, e.Field, e.Message, tt.path, tt.field)
			}
		})
	}
	if n := rows[int](t, h, `SELECT count(*) FROM repositories`)[0]; n > 0 {
		t.Errorf("%d repositories are there", n)
	}
}

// A publication that would fill the memory with different words is refused before it is written.
func TestTooManyDifferentWords(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT rotates")))
	few := open(t, h.dsn, Options{mostWords: 20})
	words := strings.Builder{}
	for i := range 20 {
		fmt.Fprintf(&words, "word%d ", i)
	}
	many := publication(2, note("jwt", "JWT rotates"), noteWith("many", "Many", nil, said(words.String())))
	_, err := few.Publish(t.Context(), anna, many)
	wantCode(t, err, "too_large")
	if got := rows[string](t, h, `SELECT path FROM memories`); !slices.Equal(got, []string{"decisions/jwt.json"}) {
		t.Errorf("the hub has %q", got)
	}
	mustPublish(t, h, anna, many)
}

// Whatever a valid memory says, it is stored and found as it is.
func TestUnusualMemories(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	var long strings.Builder
	for r := range rune(9_000) {
		long.WriteRune('一' + r%20_000)
		if r%7 == 0 {
			long.WriteByte(' ')
		}
	}
	p := publication(1,
		note("sql", `'); DROP TABLE memories; -- \ '' \' $$ :1 'a':3A`, `a'b`, `c\d`, "{x,y}", `"q"`),
		note("empty", ""),
		note("no-nul", `a\u0000b \\u0000`),
		note("signs", "…—!?"),
		note("joined", "👨‍👩‍👧 a\u202eb\u200bc"),
		note("korean", "마이그레이션을 느려졌다"),
		noteWith("chinese", "长", nil, said(long.String())),
		noteWith("key", "A key", nil, said(strings.Repeat("ab1", 30_000))),
		noteWith("often", "Often", nil, said(strings.Repeat("often ", 10_000))),
		noteWith("wide", "Wide", []string{strings.Repeat("a b ", 30), strings.Repeat("c d ", 30)}, map[string]any{"created_at": "2026-03-01T12:00:00." + strings.Repeat("1", 500) + "Z", "confidence": 0.1}),
		noteWith("archived", "Archived", nil, map[string]any{"record_status": "archived"}),
		noteWith("retired", "Retired", nil, map[string]any{"record_status": "retired"}),
	)
	if done := mustPublish(t, h, anna, p); done.Added != 11 {
		t.Errorf("%+v", done)
	}
	h.checkSound(t, p)
	if got := rows[string](t, h, `SELECT title FROM memories WHERE path = 'decisions/joined.json'`)[0]; got != "👨‍👩‍👧 abc" {
		t.Errorf("the title is shown as %q", got)
	}
}

func TestRetiredMemoriesGo(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	mustPublish(t, h, anna, publication(1, note("jwt", "JWT")))
	retired := publication(2, noteWith("jwt", "JWT", nil, map[string]any{"record_status": "retired", "retired_at": "2026-03-03T12:00:00Z"}))
	if done := mustPublish(t, h, anna, retired); done.Removed != 1 {
		t.Errorf("%+v", done)
	}
	h.checkSound(t, retired)
}

// What is private is in no table, no matter who published it.
func TestPublishFiltersAgain(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	secret := "AKIA" + "QYLPMN5HFIQR7XYA"
	p := publication(1, noteWith("jwt", "JWT", []string{"a", secret}, said("before <private>Hanbit</private> after "+secret)))
	mustPublish(t, h, anna, p)
	h.checkSound(t, p)
	for _, table := range []string{"memories", "terms"} {
		for _, word := range []string{"hanbit", strings.ToLower(secret)} {
			if n := rows[int](t, h, `SELECT count(*) FROM `+table+` x WHERE strpos(lower(x::text), $1) > 0`, word)[0]; n > 0 {
				t.Errorf("%s has %s", table, word)
			}
		}
	}
}

// Publishers of eight repositories with the same words, while a job folds frequencies.
func TestEightPublishersAtOnce(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	const rounds = 4
	var last [8]remote.Publication
	var wg sync.WaitGroup
	for i := range last {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for round := range int64(rounds) {
				p := publication(round+1, randomNotes(random, 12)...)
				p.Repository = fmt.Sprintf("github.com/acme/repository-%d", i)
				if _, err := h.Publish(t.Context(), anna, p); err != nil {
					t.Error(err)
				}
				last[i] = p
				if err := h.MergeFrequencies(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	h.checkSound(t, last[:]...)
}

// Publishers that add the same words do not wait for each other in a circle.
func TestTermsAddedAtOnce(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	words := make([]string, 3000)
	for i := range words {
		words[i] = fmt.Sprint("word", i)
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := h.addTerms(t.Context(), anna, payments, words); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := rows[int](t, h, `SELECT count(*) FROM terms`)[0]; got != len(words) {
		t.Errorf("%d terms", got)
	}
}

// Of publications of one repository at once, the highest sequence stands in the end.
func TestOneRepositoryPublishedAtOnce(t *testing.T) {
	h := newHub(t)
	h.grant(t, "everyone", "%", true)
	random := rand.New(rand.NewPCG(1, 2))
	list := make([]remote.Publication, 8)
	for i := range list {
		list[i] = publication(int64(i+1), randomNotes(random, 5)...)
	}
	var wg sync.WaitGroup
	for _, p := range list {
		wg.Go(func() {
			if _, err := h.Publish(t.Context(), anna, p); err != nil {
				wantCode(t, err, "stale_sequence")
			}
		})
	}
	wg.Wait()
	h.checkSound(t, list[len(list)-1])
}

// randomNotes returns notes of few words, some of them the same from call to call.
func randomNotes(random *rand.Rand, n int) []remote.File {
	var files []remote.File
	for i := range n {
		if random.IntN(4) == 0 {
			continue
		}
		words := make([]string, 1+random.IntN(6))
		for j := range words {
			words[j] = fmt.Sprintf("word%d", random.IntN(30))
		}
		status := []string{"active", "active", "archived", "retired"}[random.IntN(4)]
		files = append(files, noteWith(fmt.Sprintf("note-%d", i), words[0], words[:1], map[string]any{
			"record_status": status, "content": said(strings.Join(words, " "))["content"],
		}))
	}
	return files
}

// Whatever was published before, the rows are those of the last publication.
func TestTheLastPublicationIsAllThereIs(t *testing.T) {
	h, fresh := newHub(t), newHub(t)
	h.grant(t, "everyone", "%", true)
	fresh.grant(t, "everyone", "%", true)
	random := rand.New(rand.NewPCG(3, 4))
	last := map[string]remote.Publication{}
	for sequence := range int64(40) {
		p := publication(sequence+1, randomNotes(random, random.IntN(8))...)
		p.Repository = fmt.Sprintf("github.com/acme/repository-%d", random.IntN(3))
		random.Shuffle(len(p.Memories), func(i, j int) { p.Memories[i], p.Memories[j] = p.Memories[j], p.Memories[i] })
		mustPublish(t, h, anna, p)
		last[p.Repository] = p
		if random.IntN(5) == 0 {
			if err := h.MergeFrequencies(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(last)) {
		mustPublish(t, fresh, anna, last[name])
	}
	if diff := cmp.Diff(fresh.dump(t), h.dump(t)); diff != "" {
		t.Error(diff)
	}
	h.checkSound(t, slices.Collect(maps.Values(last))...)
}
