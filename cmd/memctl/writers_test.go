package main

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"memctl/files"
	"memctl/schemas"
)

// Several writers at once.

// draft returns a preference with a history.
func draft(value string, changes ...string) string {
	var entries []string
	for _, summary := range changes {
		entries = append(entries, fmt.Sprintf(`{"date": "2026-01-01T00:00:00Z", "summary": %q}`, summary))
	}
	return fmt.Sprintf(`{"title": "Shared by all", "tags": ["tag"], "content": {"topic": "t", "value": %q, "reason": "r", "strength": "soft"}, "changes": [%s]}`,
		value, strings.Join(entries, ", "))
}

// preference returns a draft without a history.
func preference(title, value string) string {
	return fmt.Sprintf(`{"title": %q, "tags": ["tag"], "content": {"topic": "t", "value": %q, "reason": "r", "strength": "soft"}}`, title, value)
}

// sharedProject is a project with one memory, which all writers change. Its history is
// full.
func sharedProject(t *testing.T) (p project, seeds []string) {
	t.Helper()
	p = project{t, t.TempDir()}
	for i := range 50 {
		seeds = append(seeds, fmt.Sprintf("seed %d", i))
	}
	memctl(t, p.dir, draft("seed", seeds...), "create", "--category", "preference", "--target", "shared", "--input", "-")
	return p, seeds
}

func (p project) memory(path string) (m schemas.Memory, value string) {
	p.t.Helper()
	data, err := os.ReadFile(p.path(path))
	p.check(err)
	m, err = schemas.Decode(data)
	p.check(err)
	return m, m.Content.(*schemas.PreferenceContent).Value
}

// No update is lost, although each draft has only the history of the first version.
func TestNoUpdateIsLost(t *testing.T) {
	t.Parallel()
	writers, updates := soak(8, 16), soak(5, 50)
	p, seeds := sharedProject(t)
	var all sync.WaitGroup
	for writer := range writers {
		all.Go(func() {
			for i := range updates {
				name := fmt.Sprintf("%d of writer %d", i, writer)
				in := draft(name, append(seeds[:len(seeds):len(seeds)], name)...)
				a := start(p.dir, in, "update", "--target", "shared", "--input", "-")()
				for strings.Contains(a.errOut, "LOCK_TIMEOUT") { // on a busy machine; nothing was written
					a = start(p.dir, in, "update", "--target", "shared", "--input", "-")()
				}
				if a.err != nil {
					t.Errorf("update %s: %v: %s", name, a.err, a.errOut)
				}
			}
		})
	}
	all.Wait()
	m, value := p.memory("preferences/shared.json")
	if m.TimesUpdated != writers*updates {
		t.Errorf("times_updated is %d, want %d", m.TimesUpdated, writers*updates)
	}
	// Each update adds two entries, its own and one for the changed value: the last 25
	// updates fill the history, each based on the one before.
	if len(m.Changes) != 50 {
		t.Fatalf("%d entries of history", len(m.Changes))
	}
	for i := 0; i < 50; i += 2 {
		own, made := m.Changes[i], m.Changes[i+1]
		if quoted(own.Summary) != string(made.NewValue) {
			t.Errorf("entry %d says %q, the next one made %s", i, own.Summary, made.NewValue)
		}
		if i > 0 && string(made.OldValue) != string(m.Changes[i-1].NewValue) {
			t.Errorf("entry %d starts from %s, the update before made %s", i+1, made.OldValue, m.Changes[i-1].NewValue)
		}
	}
	if last := m.Changes[49].NewValue; string(last) != quoted(value) {
		t.Errorf("the value is %q, the last entry says %s", value, last)
	}
}

func quoted(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// atOnce runs the same command n times at once and counts successes and refusals.
func (p project) atOnce(n int, stdin, refusal string, args ...string) (done, refused int) {
	p.t.Helper()
	var waits []func() answer
	for range n {
		waits = append(waits, start(p.dir, stdin, args...))
	}
	for _, wait := range waits {
		switch a := wait(); {
		case a.err == nil:
			done++
		case strings.Contains(a.errOut, refusal+"\n"):
			refused++
		default:
			p.t.Errorf("%v: %v: %s", args, a.err, a.errOut)
		}
	}
	return done, refused
}

func TestOneOfTwoRacersWithTheHashWins(t *testing.T) {
	t.Parallel()
	p, seeds := sharedProject(t)
	for round := range 10 {
		data, err := os.ReadFile(p.path("preferences/shared.json"))
		p.check(err)
		sum := md5.Sum(data)
		in := draft(fmt.Sprint("round ", round), append(seeds[:50:50], fmt.Sprint("round ", round))...)
		if done, refused := p.atOnce(2, in, "OCC_CONFLICT", "update", "--target", "shared", "--input", "-", "--hash", hex.EncodeToString(sum[:])); done != 1 || refused != 1 {
			t.Fatalf("round %d: %d won, %d were refused", round, done, refused)
		}
	}
	if m, _ := p.memory("preferences/shared.json"); m.TimesUpdated != 10 {
		t.Errorf("times_updated is %d", m.TimesUpdated)
	}
}

func TestOneOfManyCreatorsWins(t *testing.T) {
	t.Parallel()
	p := project{t, t.TempDir()} // without a root, which each of them tries to make
	if done, refused := p.atOnce(16, draft("mine"), "CREATE_ERROR", "create", "--category", "preference", "--input", "-"); done != 1 || refused != 15 {
		t.Errorf("%d won, %d were refused", done, refused)
	}
	if out, errOut := memctl(t, p.dir, "", "validate"); errOut != "" || !strings.HasPrefix(out, "1 file checked: 0 findings") {
		t.Errorf("%s%s", out, errOut)
	}
}

// A writer does not ignore a lock that is held for too long.
func TestHeldLockIsAnError(t *testing.T) {
	t.Parallel()
	p, seeds := sharedProject(t)
	root, err := files.At(p.dir)
	p.check(err)
	lock, err := root.LockExclusive(context.Background(), "index.db.write.lock", time.Second)
	p.check(err)
	before, err := os.ReadFile(p.path("preferences/shared.json"))
	p.check(err)
	waits := map[string]func() answer{
		"update": start(p.dir, draft("other", append(seeds, "other")...), "update", "--target", "shared", "--input", "-"),
		"create": start(p.dir, preference("New", "new"), "create", "--category", "preference", "--input", "-"),
		"retire": start(p.dir, "", "retire", "--target", "shared"),
	}
	for name, wait := range waits {
		a := wait()
		if fmt.Sprint(a.err) != "exit status 1" || a.out != "" || !strings.Contains(a.errOut, "LOCK_TIMEOUT\npath: ") {
			t.Errorf("%s: %v, stdout %q, stderr %q", name, a.err, a.out, a.errOut)
		}
	}
	after, err := os.ReadFile(p.path("preferences/shared.json"))
	p.check(err)
	if string(after) != string(before) {
		t.Error("the memory was written")
	}
	if _, err := os.Stat(p.path("preferences/new.json")); err == nil {
		t.Error("a memory was created")
	}
	p.check(lock.Unlock())
	memctl(t, p.dir, "", "retire", "--target", "shared")
}
