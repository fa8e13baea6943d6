package web_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"memctl/clients"
	"memctl/files"
	"memctl/observe"
	"memctl/schemas"
)

// played is a project with a month of records, whose story the start page tells.
type played struct {
	*testing.T
	root files.Root
	now  time.Time // of the last thing that happened
}

// play makes the project. What it remembers is true, and its hooks are registered: the page has nothing to complain of.
func play(t *testing.T) played {
	t.Helper()
	home := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(home, "claude"))
	t.Setenv("XDG_STATE_HOME", filepath.Join(home, "state"))
	t.Setenv("MEMCTL_USER_ROOT", filepath.Join(home, "none"))
	path := filepath.Join(home, "parcelhub", filepath.FromSlash(files.RootPath))
	if _, err := files.Init(path); err != nil {
		t.Fatal(err)
	}
	root, err := files.At(path)
	if err != nil {
		t.Fatal(err)
	}
	p := played{t, root, time.Now().Add(-time.Minute).Truncate(time.Second)}
	if now := time.Now(); now.Hour() < 3 { // the day has to have room for its story
		p.now = now.Add(time.Duration(-4-now.Hour()) * time.Hour).Truncate(time.Second)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(home, "bin")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := errors.Join(os.Mkdir(bin, 0o755), os.Symlink(self, filepath.Join(bin, "memctl"))); err != nil {
		t.Fatal(err)
	}
	settings, err := clients.Claude.HooksFile("memctl")
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range clients.Claude.Hooks("memctl") {
		if err := (observe.LogEntry{Time: p.now, Hook: h.Name(), Outcome: observe.OK,
			Took: time.Millisecond}).Append(root); err != nil {
			t.Fatal(err)
		}
	}
	p.write(filepath.Join(root.Project, ".claude", "settings.json"), string(settings))
	p.remember()
	p.month()
	p.today()
	return p
}

func (p played) write(path, data string) {
	p.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
		p.Fatal(err)
	}
}

// remember makes the memories.
func (p played) remember() {
	memory := func(folder, category, id, title, content string) {
		at := p.now.AddDate(0, 0, -40).UTC().Format(time.RFC3339)
		p.write(p.root.Join(folder+"/"+id+".json"),
			fmt.Sprintf(`{"schema_version":"1.0","category":%q,"id":%q,"title":%q,`+
				`"record_status":"active","created_at":%q,"updated_at":%q,"tags":["parcel"],"related_files":[%q],"content":%s}`, category, id, title, at, at, "internal/"+folder+".go", content))
	}
	for _, folder := range []string{"constraints", "decisions", "preferences"} {
		p.write(filepath.Join(p.root.Project, "internal", folder+".go"), "")
	}
	rule := func(id, title, command, instead string) {
		memory("constraints", "constraint", id, title,
			fmt.Sprintf(`{"kind":"technical","rule":%q,"impact":["CI refuses it."],`+
				`"severity":"high","active":true,"check":{"forbidden_command":%q,"instead":%q}}`, title, command,
				instead))
	}
	rule("use-pnpm", "Packages come by pnpm, never by npm", "npm install", "pnpm add")
	rule("no-force-push", "Nobody pushes with force to main", "git push --force", "git revert")
	rule("goose-only", "Migrations run by make migrate only", "goose up", "make migrate")
	memory("preferences", "preference", "table-tests", "Tests are tables against a real PostgreSQL",
		`{"topic":"tests","value":"Tables","strength":"strong","reason":"They read well."}`)
	decision := func(id, title, context, why string) {
		memory("decisions", "decision", id, title, fmt.Sprintf(
			`{"status":"accepted","context":%q,"decision":%q,"rationale":[%q]}`, context, title, why))
	}
	decision("jwt-rotation", "JWT signing keys rotate every 90 days", "An audit asked how long a stolen key is worth something.",
		"A key that leaks is of use for a quarter at most.")
	decision("cursor-pages", "Lists page by cursor, not by offset", "The tracking list grew to millions of rows.",
		"An offset reads all that it skips, and repeats rows that were added meanwhile.")
	decision("utc-times", "Times are stored in UTC and shown in the depot's zone", "Depots are in three time zones.",
		"Late scans were counted for the wrong day twice.")
	decision("webhook-keys", "Webhooks carry an idempotency key", "A receiver that times out gets the same event again.",
		"It can drop what it has seen.")
}

// record appends a line to the record of injections.
func (p played) record(at time.Time, session, moment, use string, memories ...string) {
	p.Helper()
	for i, m := range memories {
		memories[i] = m + ".json"
	}
	in := observe.Injection{Time: at.UTC(), Session: observe.SessionKey(session), Root: p.root.Key(), Moment: moment,
		Use: use, Memories: memories}
	if err := in.Append(); err != nil {
		p.Fatal(err)
	}
}

// month plays the weeks before: a session on most days.
func (p played) month() {
	for back := 29; back > 0; back-- {
		if back%7 == 3 {
			continue
		}
		at, session := p.now.AddDate(0, 0, -back), fmt.Sprintf("s-%d", back)
		for i := range 1 + back*5%4 {
			p.record(at, session, observe.AtPrompt, "", "decisions/utc-times", "decisions/cursor-pages")
			if i%2 == 0 {
				p.record(at, session, "", observe.Opened, "decisions/utc-times")
			}
		}
		p.record(at, session, observe.AtTool, "", "constraints/use-pnpm")
		if back%5 == 0 {
			p.record(at, session, "", observe.Saved, "decisions/webhook-keys")
		}
	}
}

// today plays two sessions of one day.
func (p played) today() {
	at := func(minutes int) time.Time { return p.now.Add(time.Duration(minutes-170) * time.Minute) }
	p.talk("c0ffee00-0000-4000-8000-000000000001", map[int]string{0: "Add a retry to the webhook sender",
		12: "Make the delay grow with each attempt", 16: "Thanks, now rename the flag", 18: "And the test",
		25: "Put the backoff library into the dashboard, too"}, at)
	first := "c0ffee00-0000-4000-8000-000000000001"
	p.record(at(0), first, observe.AtStart, "", "constraints/use-pnpm", "constraints/no-force-push",
		"decisions/jwt-rotation", "preferences/table-tests")
	p.record(at(0), first, observe.AtPrompt, "", "decisions/webhook-keys", "preferences/table-tests")
	p.record(at(2), first, "", observe.Opened, "decisions/webhook-keys")
	p.record(at(9), first, observe.AtStart, "", "constraints/use-pnpm")
	p.record(at(25), first, observe.AtPrompt, "", "decisions/utc-times")
	p.record(at(27), first, observe.AtTool, "", "constraints/use-pnpm")
	p.record(at(27), first, "", observe.Stopped, "constraints/use-pnpm")
	p.record(at(31), first, observe.AtTool, "", "constraints/use-pnpm")
	p.record(at(40), first, "", observe.Saved, "decisions/retry-delay")
	saved := at(40).UTC().Format(time.RFC3339)
	p.write(p.root.Join("decisions/retry-delay.json"), fmt.Sprintf(`{"schema_version":"1.0","category":"decision",`+
		`"id":"retry-delay","title":"The delay between retries doubles, up to a minute","record_status":"active",`+
		`"created_at":%q,"updated_at":%q,"tags":["parcel"],"content":{"status":"accepted","context":"Webhooks are retried.",`+
		`"decision":"The delay doubles with each attempt, up to a minute, and a little chance is added.",`+
		`"rationale":["A receiver that is down stays down for minutes."]}}`, saved, saved))
	p.ran(first, at, "1 Read internal/webhook/sender.go", "2 Edit internal/webhook/sender.go",
		"3 Bash go test ./internal/webhook !--- FAIL: TestRetry (0.00s)", "4 Edit internal/webhook/sender_test.go",
		"5 Bash go test ./internal/webhook", "13 Edit internal/webhook/backoff.go", "14 Bash go test ./internal/webhook",
		"28 Bash pnpm add exponential-backoff", "32 Bash pnpm build")

	if err := (observe.LogEntry{Time: at(20), Hook: "stop", Outcome: observe.Blocked}).Append(p.root); err != nil {
		p.Fatal(err)
	}

	second := "c0ffee00-0000-4000-8000-000000000002"
	p.talk(second, map[int]string{100: "Rotate the signing keys in staging and bring the branch up to date",
		130: "Is the old key still in the JWKS?", 150: "Write that down"}, at)
	p.record(at(100), second, observe.AtStart, "", "constraints/use-pnpm", "decisions/jwt-rotation")
	p.record(at(100), second, observe.AtPrompt, "", "decisions/jwt-rotation", "decisions/utc-times")
	p.record(at(101), second, "", observe.Opened, "decisions/jwt-rotation")
	p.record(at(110), second, observe.AtTool, "", "constraints/goose-only", "decisions/cursor-pages")
	p.record(at(118), second, observe.AtTool, "", "constraints/no-force-push")
	p.record(at(121), second, "", observe.Broken, "constraints/no-force-push")
	p.record(at(152), second, "", observe.Changed, "decisions/jwt-rotation")
	const stays = "JWT signing keys rotate every 90 days"
	jwt := p.root.Join("decisions/jwt-rotation.json")
	data, err := os.ReadFile(jwt)
	if err != nil {
		p.Fatal(err)
	}
	m, err := schemas.Decode(data)
	if err != nil {
		p.Fatal(err)
	}
	changed := at(152).UTC().Format(time.RFC3339)
	p.write(jwt, strings.NewReplacer(m.UpdatedAt+`","tags`, changed+`","tags`,
		`"decision":"`+stays+`"`, `"decision":"`+stays+`; the old key stays in the JWKS for a day."`,
		`quarter at most."]}}`, `quarter at most."]},"changes":[{"date":"`+changed+`","summary":"Say how long the old key stays",`+
			`"field":"content.decision","old_value":"`+stays+`.","new_value":"`+stays+
			`; the old key stays in the JWKS for a day."}]}`).Replace(string(data)))
}

// answers are those of the agent, by the prompt; others are short.
var answers = map[string]string{
	"Add a retry to the webhook sender": "The sender now tries five times, with half a second in between. " +
		"Each attempt carries the same idempotency key, so that a receiver which saw the first one drops the rest.\n\n" +
		"I have not touched the timeout of ten seconds.",
	"Make the delay grow with each attempt": "We decided to double the delay with each attempt, up to a minute, because " +
		"a receiver that is down stays down for minutes. A little chance is added, so that not all senders come back at once.",
	"Put the backoff library into the dashboard, too": "`npm install` was stopped: packages come by pnpm here. " +
		"I used `pnpm add` instead, and the dashboard builds again.",
	"Rotate the signing keys in staging and bring the branch up to date": "The new key signs since 10:12, and the old one " +
		"stays in the JWKS for a day. The branch is rebased.",
}

// ran writes what tools did in a session: each run "minute tool command-or-file", with "!error" at its end if it failed.
func (p played) ran(session string, at func(int) time.Time, runs ...string) {
	p.Helper()
	var lines strings.Builder
	for i, run := range runs {
		run, failure, failed := strings.Cut(run, " !")
		parts := strings.SplitN(run, " ", 3)
		minute, err := strconv.Atoi(parts[0])
		if err != nil {
			p.Fatal(err)
		}
		field := "filePath"
		if parts[1] == "Bash" {
			field = "command"
		}
		line, err := json.Marshal(map[string]any{"event_id": fmt.Sprintf("%s-%d", session, i),
			"event_type": "tool_observation", "session_id": observe.SessionKey(session),
			"timestamp": at(minute).Add(time.Duration(20+i) * time.Second).UTC().Format("2006-01-02T15:04:05.000Z"),
			"payload": map[string]any{"tool_name": parts[1], "tool_input": map[string]any{}, "tool_output": "",
				"success": !failed, "error_message": failure, "metadata": map[string]any{field: parts[2]}}})
		if err != nil {
			p.Fatal(err)
		}
		fmt.Fprintf(&lines, "%s\n", line)
	}
	p.write(filepath.Join(p.root.Path, "observations", observe.SessionKey(session)+".jsonl"), lines.String())
}

// talk writes the transcript of a session: prompts by their minutes, each with an answer.
func (p played) talk(session string, prompts map[int]string, at func(int) time.Time) {
	p.Helper()
	var lines strings.Builder
	for minute := range 200 {
		for _, role := range []string{"user", "assistant"} {
			text := prompts[minute]
			if text == "" {
				continue
			}
			if role == "assistant" {
				if text = answers[text]; text == "" {
					text = "Done."
				}
			}
			line, err := json.Marshal(map[string]any{"type": role, "sessionId": session, "cwd": p.root.Project,
				"timestamp": at(minute).UTC().Format(time.RFC3339), "message": map[string]any{"role": role,
					"content": text}})
			if err != nil {
				p.Fatal(err)
			}
			fmt.Fprintf(&lines, "%s\n", line)
		}
	}
	p.write(filepath.Join(os.Getenv("CLAUDE_CONFIG_DIR"), "projects", "x", session+".jsonl"), lines.String())
}
