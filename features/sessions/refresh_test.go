package sessions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// vocabulary is what made sessions are about.
var vocabulary = strings.Fields(`kafka queue postgres index migration retry webhook billing invoice cache redis eviction token login
	session cookie header timeout deadline worker thread pool socket proxy gateway tracing metric alert dashboard release branch merge
	commit rebase lint format parser lexer grammar schema column table view trigger backup restore snapshot replica shard region bucket
	upload download image video thumbnail font locale plural currency tax refund coupon basket checkout shipping label parcel courier
	depot route driver truck pallet barcode scanner printer receipt ledger audit policy consent retention export import digest sitemap`)

// writeSessions writes n sessions of ten turns in the project, and returns a prompt of each: no other has its words in
// that order.
func (h home) writeSessions(n int) (prompts []string) {
	for i := range n {
		var lines []string
		for turn := range 10 {
			at := i*31 + turn*7
			word := func(k int) string { return vocabulary[(at*(k+3)+k*k)%len(vocabulary)] }
			lines = append(lines, fmt.Sprintf("Should the %s of the %s keep its %s when %s fails? Case C%dT%d.", word(0), word(1), word(2), word(3), i, turn))
		}
		h.write(fmt.Sprintf(".claude/projects/p%d/s%05d.jsonl", i%20, i), claudeLines(fmt.Sprintf("s%05d", i), h.project, lines...))
		prompts = append(prompts, lines[i%10])
	}
	return prompts
}

// size is how many sessions are made: 10,000 at full size.
func size() int {
	if os.Getenv("MEMCTL_SOAK") != "" {
		return 10_000
	}
	return 150
}

// search returns the ids of the sessions that some words find, and the turns.
func search(t *testing.T, l *Library, words string) (places []string) {
	t.Helper()
	list, err := l.Search(t.Context(), words, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		places = append(places, fmt.Sprintf("%s/%d", f.Session.ID, f.Turn))
	}
	return places
}

// Of many sessions each is found by its own words, and so is what became of some of them.
func TestManySessions(t *testing.T) {
	h := newHome(t)
	n := size()
	prompts := h.writeSessions(n)
	began := time.Now()
	l := h.own()
	took := time.Since(began)
	t.Logf("%d turns in %s: %.0f a minute", 10*n, took.Round(time.Millisecond), float64(10*n)/took.Minutes())
	for i := 0; i < n; i += max(1, n/50) {
		if list := search(t, l, prompts[i]); len(list) == 0 || list[0] != fmt.Sprintf("s%05d/%d", i, i%10+1) {
			t.Errorf("%q finds %q", prompts[i], list)
		}
	}

	path := func(i int) string {
		return filepath.Join(h.path, ".claude", "projects", fmt.Sprintf("p%d", i%20), fmt.Sprintf("s%05d.jsonl", i))
	}
	appended, err := os.ReadFile(path(1))
	if err != nil {
		t.Fatal(err)
	}
	h.write(rel(t, h, path(1)), string(appended)+claudeLines("s00001", h.project, "An aardvark was appended."))
	lines := strings.SplitAfter(string(appended), "\n")
	h.write(rel(t, h, path(2)), strings.ReplaceAll(strings.Join(lines[:4], ""), "C1T", "C2T"))
	if err := os.Remove(path(3)); err != nil {
		t.Fatal(err)
	}
	long := fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","content":%q}]}}`+"\n", strings.Repeat("x", 20<<20))
	h.write(rel(t, h, path(4)), long+long+claudeLines("s00004", h.project, "A buffalo stands after long lines."))
	h.write(".claude/projects/p0/later.jsonl", strings.Repeat(`{"v":7,"said":{"by":"user","words":"A caribou."}}`+"\n", 20))
	h.write(".copilot/session-state/x/events.jsonl", `{"type":"session.start","data":{"sessionId":"later2","version":4,"context":{"cwd":"$PROJECT"}}}`+"\n"+
		`{"type":"user.message","timestamp":"2027-01-01T00:00:00Z","data":{"content":"A dolphin, as before."}}`+"\n")

	l = h.own()
	for words, want := range map[string]string{"aardvark": "[s00001/11]", "buffalo": "[s00004/1]", "dolphin": "[later2/1]", "caribou": "[]"} {
		if list := fmt.Sprint(search(t, l, words)); list != want {
			t.Errorf("%s finds %s, want %s", words, list, want)
		}
	}
	for _, missing := range []string{"C2T5", "C3T1", "C4T1"} {
		if list := search(t, l, missing); len(list) != 0 {
			t.Errorf("%s finds %q", missing, list)
		}
	}
	if list := search(t, l, "C2T1"); fmt.Sprint(list) != "[s00002/2]" {
		t.Errorf("the turns before the cut are %q", list)
	}
	list, err := l.List(t.Context(), time.Time{}, Everything)
	problems := map[string]string{}
	for _, s := range list {
		problems[s.ID] = s.Problem
	}
	if err != nil || len(list) != n || problems["s00004"] != "2 lines of more than 1 MiB, the first of them line 1, passed by" ||
		problems["later2"] != "a later format of Copilot CLI: version 4, and this memctl knows 1" {
		t.Errorf("%d sessions, want %d (%v): %v", len(list), n, err, problems["s00004"]+problems["later2"])
	}
	all, err := h.open(Scope{All: true}).List(t.Context(), time.Time{}, Everything)
	named := false
	for _, s := range all {
		named = named || strings.HasSuffix(s.Path, "later.jsonl") && s.Problem == "no line is one that memctl knows: perhaps a later format of Claude Code"
	}
	if err != nil || !named {
		t.Errorf("the transcript of a later format is not named (%v)", err)
	}
}

func rel(t *testing.T, h home, path string) string {
	t.Helper()
	name, err := filepath.Rel(h.path, path)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.ToSlash(name)
}

// What an interrupted search has read stays, and the next one goes on from there.
func TestInterrupted(t *testing.T) {
	h := newHome(t)
	h.writeSessions(100)
	ctx, cancel := context.WithCancel(t.Context())
	read := 0
	_, err := Open(ctx, Scope{Folder: h.project}, func(done, total int) {
		if read = done; done > 0 {
			cancel()
		}
	})
	if err == nil && read < 100 {
		t.Fatal("the search was not interrupted")
	}
	l, err := open(t.Context(), Scope{Folder: h.project})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	list, err := l.List(t.Context(), time.Time{}, Everything)
	if err != nil || len(list) < read || read == 0 {
		t.Errorf("%d sessions were kept of %d (%v)", len(list), read, err)
	}
	if list, err = h.own().List(t.Context(), time.Time{}, Everything); err != nil || len(list) != 100 {
		t.Errorf("then %d sessions (%v)", len(list), err)
	}
}

// Where there is no time to read, what was read before is there.
func TestOpenForIsBounded(t *testing.T) {
	h := newHome(t)
	h.writeSessions(3)
	h.own()
	h.write(".claude/projects/p0/new.jsonl", claudeLines("new", h.project, "What is new?"))
	l, err := OpenFor(t.Context(), Scope{Folder: h.project}, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if list, err := l.List(t.Context(), time.Time{}, Everything); err != nil || len(list) != 3 || !errors.Is(l.Stale, ErrReading) {
		t.Errorf("%d sessions, %v (%v)", len(list), l.Stale, err)
	}
	if l, err = OpenFor(t.Context(), Scope{Folder: h.project}, time.Minute); err != nil || l.Stale != nil {
		t.Fatal(l.Stale, err)
	}
	defer l.Close()
	if list, err := l.List(t.Context(), time.Time{}, Everything); err != nil || len(list) != 4 {
		t.Errorf("then %d sessions (%v)", len(list), err)
	}
}

// Note stops at its deadline and keeps what it has read.
func TestNoteIsBounded(t *testing.T) {
	h := newHome(t)
	if err := Note(t.Context(), Scope{Folder: h.project}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(h.path, ".local", "state", "memctl", databaseName)); err == nil {
		t.Error("there is a database without transcripts")
	}
	h.writeSessions(20)
	for noted := false; !noted; { // a busy machine takes more than one turn
		err := Note(t.Context(), Scope{Folder: h.project})
		if noted = err == nil; !noted && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
	}
	l, err := open(t.Context(), Scope{Folder: h.project})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if list, err := l.List(t.Context(), time.Time{}, Everything); err != nil || len(list) != 20 {
		t.Errorf("%d sessions (%v)", len(list), err)
	}
}

// What the user does not want is not in the database, and comes back when that changes.
func TestSettings(t *testing.T) {
	h := newHome(t)
	path := h.write(".claude/projects/p/a.jsonl", claudeLines("a", "$PROJECT", "About the zebra, key CODE-1234."))
	configure := func(settings string) { h.write(".claude/memory/memory-config.json", settings) }
	expect := func(when string, want int) {
		t.Helper()
		if list := search(t, h.own(), "zebra"); len(list) != want {
			t.Errorf("%s: %q", when, list)
		}
	}
	configure(`{}`)
	expect("at first", 1)
	configure(`{"sessions": {"exclude": ["~/work"]}}`)
	expect("excluded", 0)
	configure(`{"sessions": {"keep": true}, "privacy": {"excludePatterns": ["CODE-\\d+"]}}`)
	expect("wanted again", 1)
	if list, err := h.own().Search(t.Context(), "zebra", 1); err != nil || strings.Contains(list[0].Prompt, "CODE") {
		t.Errorf("the new pattern leaves %q (%v)", list[0].Prompt, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	expect("deleted by the client, and kept", 1)
	configure(`{}`)
	h.write(".claude/projects/p/b.jsonl", claudeLines("b", "$PROJECT", "Another one."))
	expect("deleted by the client", 0)
	configure(`{"sessions": {"enabled": false}}`)
	if _, err := Open(t.Context(), Scope{Folder: h.project}, nil); err == nil {
		t.Error("it reads sessions though they are switched off")
	}
}

// The sessions of every worktree are the project's, and those of a repository in it are not.
func TestProjects(t *testing.T) {
	h := newHome(t)
	h.write("work/proj/.git/HEAD", "ref: refs/heads/main\n")
	h.write("work/proj/.git/worktrees/fix/gitdir", filepath.ToSlash(filepath.Join(h.path, "work", "fix", ".git"))+"\n")
	h.write("work/fix/.git", "gitdir: $PROJECT/.git/worktrees/fix\n")
	h.mkdir(filepath.Join(h.project, "vendored", ".git"))
	h.mkdir(filepath.Join(h.project, "cmd"))
	for session, folder := range map[string]string{"main": "$PROJECT", "below": "$PROJECT/cmd", "worktree": "$PROJECT/../fix",
		"inner": "$PROJECT/vendored", "other": "$PROJECT/../elsewhere", "above": "$PROJECT/.."} {
		h.write(".claude/projects/x/"+session+".jsonl", claudeLines(session, folder, "The zebra of "+session+"."))
	}
	l := h.open(Scope{Folder: filepath.Join(h.path, "work", "fix")})
	list, err := l.List(t.Context(), time.Time{}, Everything)
	found := map[string]bool{}
	for _, s := range list {
		found[s.ID] = true
	}
	if err != nil || len(found) != 3 || !found["main"] || !found["below"] || !found["worktree"] {
		t.Errorf("the sessions of the project are %v (%v)", found, err)
	}
	if list := search(t, l, "zebra"); len(list) != 3 {
		t.Errorf("a search finds %q", list)
	}
	if _, err := l.Conversation(t.Context(), "other", 0, 0); err == nil {
		t.Error("another project's session is shown")
	}
	// Once all were read, they are in the database, and still not the project's.
	if list := search(t, h.open(Scope{All: true}), "zebra"); len(list) != 6 {
		t.Errorf("all are %q", list)
	}
	if list := search(t, h.own(), "zebra"); len(list) != 3 {
		t.Errorf("then a search of the project finds %q", list)
	}
}

// Links in the folders of clients are not followed.
func TestLinksAreNotFollowed(t *testing.T) {
	h := newHome(t)
	h.write("evil.jsonl", claudeLines("evil", "$PROJECT", "A zebra."))
	h.write("evil/a.jsonl", claudeLines("evil", "$PROJECT", "A zebra."))
	h.mkdir(filepath.Join(h.path, ".claude", "projects", "p"))
	if os.Symlink(filepath.Join(h.path, "evil.jsonl"), filepath.Join(h.path, ".claude", "projects", "p", "a.jsonl")) != nil ||
		os.Symlink(filepath.Join(h.path, "evil"), filepath.Join(h.path, ".claude", "projects", "q")) != nil {
		t.Skip("no links")
	}
	if list := search(t, h.own(), "zebra"); len(list) != 0 {
		t.Errorf("found %q", list)
	}
}

// OpenCode keeps its sessions in a database. This one is its own (testdata/clients/opencode): every prompt of it is
// found by its own words, and what is said then.
func TestOpenCode(t *testing.T) {
	h := newHome(t)
	h.mkdir(filepath.Join(h.path, ".local", "share", "opencode"))
	d, err := sql.Open("sqlite", filepath.Join(h.path, ".local", "share", "opencode", "opencode.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	put := func(statement string, args ...any) {
		t.Helper()
		if _, err := d.Exec(statement, args...); err != nil {
			t.Fatal(err)
		}
	}
	dump, err := os.ReadFile(filepath.Join("..", "..", "testdata", "clients", "opencode", "database.sql"))
	if err != nil {
		t.Fatal(err)
	}
	put(strings.ReplaceAll(string(dump), "/home/dev/project", filepath.ToSlash(h.project)))

	var id string
	if err := d.QueryRow(`SELECT id FROM session WHERE parent_id IS NULL`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	prompts, err := d.Query(`
		SELECT p.data ->> 'text'
		FROM part p
		JOIN message m ON m.id = p.message_id
		WHERE m.session_id = ? AND m.data ->> 'role' = 'user'
		ORDER BY p.id`, id)
	if err != nil {
		t.Fatal(err)
	}
	l, turns := h.own(), 0
	for prompts.Next() {
		var prompt string
		if err := prompts.Scan(&prompt); err != nil {
			t.Fatal(err)
		}
		turns++
		if list := search(t, l, prompt); len(list) != 1 || list[0] != fmt.Sprintf("%s/%d", id, turns) {
			t.Errorf("%q finds %q", prompt, list)
		}
	}
	if prompts.Err() != nil || turns != 3 {
		t.Errorf("there are %d prompts (%v)", turns, prompts.Err())
	}
	list, err := l.List(t.Context(), time.Time{}, 10)
	if err != nil || len(list) != 1 || list[0].Turns != turns || fmt.Sprint(list[0].Files) != "[queue.md a.txt]" ||
		list[0].Client != "opencode" || list[0].Problem != "" || list[0].Started != "2026-11-23T08:02:38.987Z" {
		t.Errorf("the list is %+v (%v)", list, err)
	}

	putMessage := func(n int, role, data string) {
		t.Helper()
		put(`INSERT INTO message VALUES (?, ?, ?, ?, ?)`, fmt.Sprintf("msg_3%03d", n), id, n, n,
			fmt.Sprintf(`{"role":%q,"time":{"created":1795302489275}}`, role))
		put(`INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)`, fmt.Sprintf("prt_3%03d", n), fmt.Sprintf("msg_3%03d", n), id, n, n, data)
		put(`UPDATE session SET time_updated = ? WHERE id = ?`, n, id)
	}
	putMessage(1, "user", `{"type":"text","text":"And where does the walrus swim?"}`)
	putMessage(2, "user", `{"type":"text","text":"A lion that the client added.","synthetic":true}`)
	putMessage(3, "assistant", `{"type":"text","text":"In the grassland."}`)
	fourth := fmt.Sprintf("[%s/4]", id)
	l = h.own()
	for words, want := range map[string]string{"walrus": fourth, "grassland": fourth, "lion": "[]", "subagent": "[" + id + "/2]"} {
		if list := fmt.Sprint(search(t, l, words)); list != want {
			t.Errorf("%s finds %s, want %s", words, list, want)
		}
	}
}

// A damaged database is made again, and another program's stays.
func TestDamagedDatabase(t *testing.T) {
	h := newHome(t)
	h.write(".claude/projects/p/a.jsonl", claudeLines("a", "$PROJECT", "About the zebra."))
	path := filepath.Join(h.path, ".local", "state", "memctl", databaseName)
	for name, content := range map[string]string{"no database": "x", "nothing": "", "a half": "half"} {
		l := h.own()
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		data := []byte(content)
		if content == "half" {
			complete, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			data = complete[:len(complete)/2]
		}
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		l = h.own()
		if list := search(t, l, "zebra"); len(list) != 1 {
			t.Errorf("%s: found %q", name, list)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("its mode is %v (%v)", info.Mode(), err)
	}
}
