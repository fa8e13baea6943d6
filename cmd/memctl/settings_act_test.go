package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"memctl/schemas"
)

// settingCase shows that a setting acts: with value in place of the default, one of the answers to
// the same commands has a text, and the other has not.
type settingCase struct {
	value string
	also  map[string]string // other settings of both projects
	files map[string]string // below the project, besides those of newActing
	runs  []acting
	shows string
}

// acting is a command in the project, of git if it begins so.
type acting struct{ stdin, args string }

func hookRun(name, members string) acting {
	return acting{fmt.Sprintf(`{"session_id": "s", "prompt_id": "p", %s}`, members), "hook " + name}
}

var (
	starts   = hookRun("session-start", `"hook_event_name": "SessionStart", "source": "startup"`)
	asks14   = hookRun("user-prompt-submit", `"prompt": "how long does kafka keep the events of orders?"`)
	deploys  = hookRun("pre-tool-use", `"tool_name": "Bash", "tool_input": {"command": "make deploy"}`)
	prompted = hookRun("user-prompt-submit", `"prompt": "and now?"`)
	deployed = hookRun("post-tool-use", `"tool_name": "Bash", "tool_input": {"command": "make deploy"}, "tool_response": {"stdout": "ok"}`)
	edited   = hookRun("post-tool-use", `"tool_name": "Edit", "tool_input": {"file_path": "ledger.go"}`)
	stops    = hookRun("stop", `"hook_event_name": "Stop", "transcript_path": "t.jsonl"`)
	limits   = acting{"", "gc --limits --dry-run"}
	collects = acting{"", "gc --dry-run"}
	unpaused = map[string]string{"moments.pause": "false"}
	observed = map[string]string{"observations.enabled": "true"}
)

const ledgerRule = `{"title": "One ledger", "tags": ["ledger"], "record_status": "active", "related_files": ["ledger.go"],
	"content": {"rule": "ledger.go is the only writer.", "severity": "high"}}`

func adds(text string) acting { return acting{text, "add decision -"} }

// agentSaves is a session of the MCP server in which the agent saves a memory.
const agentSaves = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"save","arguments":{"text":"Kestrels are counted in May."}}}
`

// actingSession is a session in which the agent is asked for memories.
const actingSession = `{"type":"user","timestamp":"2026-01-05T10:00:00Z","message":{"role":"user","content":"Add an export of the ledger."}}
{"type":"assistant","timestamp":"2026-01-05T10:01:00Z","message":{"id":"m1","content":[{"type":"text","text":"Done."},{"type":"tool_use","id":"t1","name":"Bash","input":{}},{"type":"tool_use","id":"t2","name":"Edit","input":{}},{"type":"tool_use","id":"t3","name":"Read","input":{}},{"type":"tool_use","id":"t4","name":"Grep","input":{}},{"type":"tool_use","id":"t5","name":"Write","input":{}}]}}
{"type":"user","timestamp":"2026-01-05T10:02:00Z","message":{"role":"user","content":"No, never write to the replica, since the nightly job reads it."}}
{"type":"assistant","timestamp":"2026-01-05T10:03:00Z","message":{"id":"m2","content":[{"type":"text","text":"The root cause was a lock."},{"type":"tool_use","id":"t6","name":"Edit","input":{}}]}}
{"type":"user","timestamp":"2026-01-05T10:04:00Z","message":{"role":"user","content":"Always prefer tabs, I like the style of our team, because of blind readers. The key is <private>x</private>."}}
{"type":"assistant","timestamp":"2026-01-05T10:05:00Z","message":{"id":"m3","content":[{"type":"text","text":"Done."},{"type":"tool_use","id":"t7","name":"Edit","input":{}}]}}
`

// settingCases are those of single settings, by key.
var settingCases = map[string]settingCase{
	"auto_commit":               {value: "true", runs: []acting{{"", "git init -q"}, adds("We chose Kafka."), {"", "git log"}}, shows: "Save memory"},
	"max_memories_per_category": {value: "1", runs: []acting{limits}, shows: "max_memories_per_category"},

	"capture.review": {value: "true", runs: []acting{{agentSaves, "mcp"}}, shows: "NOT saved yet"},

	"retrieval.enabled":             {value: "false", runs: []acting{asks14}, shows: "Kafka keeps the events"},
	"retrieval.max_inject":          {value: "1", runs: []acting{asks14}, shows: "Kafka events of orders"},
	"retrieval.user_share":          {value: "0", runs: []acting{asks14}, shows: "answer in two lines"},
	"retrieval.match_strategy":      {value: "title_tags", runs: []acting{asks14}, shows: "#tags:zebra"},
	"retrieval.disclosure":          {value: "smart", runs: []acting{asks14}, shows: "fourteen"},
	"retrieval.announce":            {value: "false", also: unpaused, runs: []acting{{"", "reindex"}, deploys}, shows: "systemMessage"},
	"retrieval.record":              {value: "false", runs: []acting{asks14, {"", "stats --memories"}}, shows: "1 prompt"},
	"retrieval.max_tokens":          {value: "0", also: unpaused, runs: []acting{{"", "reindex"}, deploys}, shows: "by hand"},
	"retrieval.start_tokens":        {value: "0", runs: []acting{starts}, shows: "Kafka keeps the events"},
	"retrieval.once_a_session":      {value: "false", runs: []acting{asks14, asks14}, shows: "the session already has"},
	"retrieval.repeat_loaded":       {value: "true", files: map[string]string{"CLAUDE.md": "- Zebra of preference\n"}, runs: []acting{starts}, shows: "Zebra of preference"},
	"retrieval.hybrid.min_strength": {value: "1", runs: []acting{asks14}, shows: "Kafka keeps the events"},

	"moments.tools":     {value: "false", also: unpaused, runs: []acting{{"", "reindex"}, deploys}, shows: "Deploys go through the pipeline"},
	"moments.subagents": {value: "false", runs: []acting{hookRun("subagent-start", `"agent_type": "Explore"`)}, shows: "Deploys go"},
	"moments.ask":       {value: "true", also: unpaused, runs: []acting{{"", "reindex"}, deploys}, shows: "config confirm moments.ask"},
	"moments.pause":     {value: "false", runs: []acting{{"", "reindex"}, deploys}, shows: "stops this call once"},
	"moments.again": {value: "1", runs: []acting{{"", "reindex"}, deploys, prompted, deploys},
		shows: "memory-context"},
	"moments.end": {value: "false", files: map[string]string{".claude/memory/constraints/ledger.json": ledgerRule},
		runs: []acting{{"", "reindex"}, edited, stops}, shows: "compare your change"},

	"triage.enabled":                    {value: "false", runs: []acting{stops}, shows: "Before you stop"},
	"triage.strategy":                   {value: "keywords", runs: []acting{stops}, shows: "since turn 1"},
	"triage.hint":                       {value: "false", runs: []acting{starts}, shows: "As soon as something comes up"},
	"triage.thresholds.session_summary": {value: "1", runs: []acting{stops}, shows: "as session_summary"},

	"delete.grace_period_days": {value: "90", runs: []acting{collects}, shows: "decisions/retired.json"},
	"delete.archive_retired":   {value: "false", runs: []acting{collects}, shows: "would have deleted"},

	"privacy.formats": {value: `["bracket"]`, runs: []acting{adds("We chose <private>Oracle</private> in May."), {"", "list"}}, shows: "Oracle"},
	"privacy.marker":  {value: "[REDACTED]", runs: []acting{adds("We chose <private>Oracle</private> in May."), {"", "list"}}, shows: "[PRIVATE]"},
	"privacy.preserveLineCount": {value: "true", runs: []acting{adds("We chose it.\nThat is <private>x\ny\nz</private> why."), {"", "export jsonl"}},
		shows: `"why."`},
	"privacy.onUnclosed":      {value: "redact", runs: []acting{adds("We chose <private>Oracle."), {"", "list"}}, shows: "Oracle"},
	"privacy.excludePatterns": {value: `["Ora[a-z]+"]`, runs: []acting{adds("We chose Oracle."), {"", "list"}}, shows: "Oracle"},

	"observations.enabled":        {value: "true", runs: []acting{deployed, {"", "observations"}}, shows: "make deploy"},
	"observations.excluded_tools": {value: `["Bash"]`, also: observed, runs: []acting{deployed, {"", "observations"}}, shows: "make deploy"},
	"observations.retention_days": {value: "0", runs: []acting{collects}, shows: "old-session"},

	"git.history":       {value: "true", runs: []acting{{"", "retire kafka --reason done"}, {"", "export jsonl"}}, shows: `"summary":`},
	"catalogue.enabled": {value: "false", runs: []acting{starts, {"", "list --all"}}, shows: "~/p/.claude/memory/decisions/kafka.json"},
	"review.announce":   {value: "false", runs: []acting{{"", "review"}, starts}, shows: "the last review found"},
}

const observation = `{"event_id":"00000000-0000-4000-8000-000000000001","event_type":"tool_observation",` +
	`"session_id":"old-session","timestamp":"2026-01-05T10:00:00Z","tool_name":"Bash"}` + "\n"

// casesOfCategory are those of the settings of a category, by the end of the key.
func casesOfCategory(c schemas.CategoryInfo) map[string]settingCase {
	hints := map[schemas.Category]string{
		schemas.Decision: "a choice between", schemas.Constraint: "a limit of", schemas.Runbook: "the cause of a failure",
		schemas.TechDebt: "work that is put off", schemas.SessionSummary: "the state of long work",
	}
	captures := settingCase{value: "false", runs: []acting{starts}, shows: hints[c.Category]}
	if c.Category == schemas.Preference { // its line is the constraint's too
		captures.runs, captures.shows = []acting{stops}, "Always prefer tabs"
	}
	return map[string]settingCase{
		"enabled":        {value: "false", runs: []acting{starts}, shows: "Zebra of " + string(c.Category)},
		"description":    {value: "Only for zebras", runs: []acting{starts}, shows: "- " + string(c.Category) + ": Only for zebras"},
		"auto_capture":   captures,
		"retention_days": {value: "30", runs: []acting{limits}, shows: c.Folder + "/old.json: not touched"},
		"max_retained":   {value: "1", runs: []acting{limits}, shows: c.Folder + "/old.json: more than 1"},
	}
}

// Each setting changes an answer in a fresh project, or its description and config set say when it does.
func TestEverySettingActs(t *testing.T) {
	cases := maps.Clone(settingCases)
	large := map[string]string{".claude/memory/observations/large-session.jsonl": strings.Repeat(observation, 8000)}
	cases["observations.max_mb"] = settingCase{value: "1", files: large, runs: []acting{collects}, shows: "large-session"}
	for _, info := range schemas.Categories {
		for name, c := range casesOfCategory(info) {
			cases["categories."+string(info.Category)+"."+name] = c
		}
	}
	fresh, _ := schemas.DecodeConfig(schemas.InitialConfig)
	h := newHome(t)
	h.write("p/.claude/memory/memory-config.json", string(schemas.InitialConfig))
	defaults := map[string]func() string{} // by the commands, of which many settings share some
	for _, s := range schemas.Settings() {
		c, has := cases[s.Key]
		delete(cases, s.Key)
		switch reason := s.NoEffect(fresh, false); {
		case len(s.Values()) == 1: // it cannot be changed
		case reason != "" && !has:
			saysNoEffect(t, h, s, reason)
		case !has:
			t.Errorf("%s: no case shows that it acts", s.Key)
		default:
			same := fmt.Sprint(c.runs, c.files, c.also)
			if defaults[same] == nil {
				defaults[same] = sync.OnceValue(func() string { return c.answers(t, "") })
			}
			t.Run(s.Key, func(t *testing.T) {
				t.Parallel()
				without, with := defaults[same](), c.answers(t, s.Key)
				if strings.Contains(without, c.shows) == strings.Contains(with, c.shows) {
					t.Errorf("%s %s: %q is in both or in none of\n%s\n--\n%s", s.Key, c.value, c.shows, without, with)
				}
			})
		}
	}
	for key := range cases {
		t.Errorf("%s is no setting, or one without effect", key)
	}
}

// Each request that the configuration command gives as an example has an effect in a fresh project.
func TestExampleRequestsAct(t *testing.T) {
	doc, err := os.ReadFile("../../commands/memory-config.md")
	if err != nil {
		t.Fatal(err)
	}
	fresh, _ := schemas.DecodeConfig(schemas.InitialConfig)
	keys := regexp.MustCompile(`\| .*memctl config set (\S+) `).FindAllStringSubmatch(string(doc), -1)
	for _, found := range keys {
		s, err := settingNamed(found[1])
		if reason := s.NoEffect(fresh, false); err != nil || reason != "" {
			t.Errorf("%s: %v, %s", found[1], err, reason)
		}
	}
	if len(keys) < 8 {
		t.Errorf("%d requests", len(keys))
	}
}

func saysNoEffect(t *testing.T, h home, s schemas.Setting, reason string) {
	if s.Condition() == "" || !strings.HasSuffix(s.Description(), s.Condition()) {
		t.Errorf("%q does not say when it takes effect", s.Description())
	}
	value := strings.Trim(string(s.In(schemas.DefaultConfig()).Value), `"`)
	out, err := h.command("p", "", "config", "set", s.Key, value).CombinedOutput()
	if want := "memctl: " + s.Key + " has no effect here: " + reason + "\n"; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("config set says %s, %v", out, err)
	}
}

// answers runs the commands in a new project, with the setting of a key if it is not "".
func (c settingCase) answers(t *testing.T, key string) string {
	h := newActing(t, c.files)
	data := slices.Clone(schemas.InitialConfig)
	for _, s := range schemas.Settings() {
		typed := c.also[s.Key]
		if s.Key == key {
			typed = c.value
		}
		if typed == "" {
			continue
		}
		value, err := s.Parse(typed)
		if err == nil {
			data, err = s.Set(data, value)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	h.write("p/.claude/memory/memory-config.json", string(data))
	var answers strings.Builder
	for _, run := range c.runs {
		cmd := h.command("p", run.stdin, strings.Fields(run.args)...)
		if cmd.Args[1] == "git" {
			cmd = exec.Command("git", cmd.Args[2:]...)
			cmd.Dir, cmd.Env = filepath.Join(h.dir, "p"), h.env
		}
		out, _ := cmd.CombinedOutput() // the status of review says that it found something
		answers.Write(out)
	}
	return answers.String()
}

// newActing makes a project with two memories of each category, some about Kafka and deploys, a
// retired one, old observations and a session; the user has a memory too.
func newActing(t *testing.T, files map[string]string) home {
	h := newHome(t)
	h.write(".gitconfig", "[user]\nname = A\nemail = a@acme.example\n")
	ago := func(days int) string { return time.Now().AddDate(0, 0, -days).UTC().Format(time.RFC3339) }
	put := func(name, title string, days int, more string) {
		h.write("p/.claude/memory/"+name, fmt.Sprintf(`{"title": %q, "tags": ["zebra"], "updated_at": %q%s}`, title, ago(days), more))
	}
	for _, info := range schemas.Categories {
		put(info.Folder+"/new.json", "Zebra of "+string(info.Category), 1, "")
		put(info.Folder+"/old.json", "Old one, "+string(info.Category), 60, `, "related_files": ["gone/file.go"]`)
	}
	decision := `, "content": {"status": "accepted", "context": "c", "decision": %q, "rationale": ["r"]}`
	put("decisions/kafka.json", "Kafka keeps the events of orders", 1, fmt.Sprintf(decision, "Kafka keeps the events of orders for fourteen days."))
	put("decisions/topics.json", "Kafka events of orders have one topic", 1, fmt.Sprintf(decision, "One topic. Orders of a day are in one partition."))
	put("decisions/retired.json", "Retired", 60, `, "record_status": "retired", "retired_reason": "r", "retired_at": "`+ago(50)+`"`)
	put("constraints/deploys.json", "Deploys go through the pipeline", 1, `, "content": {"kind": "policy", "severity": "high",
		"active": true, "rule": "Never run `+"`make deploy`"+` by hand.", "impact": ["i"]}`)
	h.write(".claude/memory/preferences/short.json",
		`{"title": "Kafka events of orders: answer in two lines", "tags": ["kafka", "orders"], "updated_at": "2026-01-05T10:00:00Z"}`)
	h.write("p/t.jsonl", actingSession)
	h.write("p/.claude/memory/observations/old-session.jsonl", observation)
	for name, text := range files {
		h.write("p/"+name, text)
	}
	for name, hours := range map[string]int{"old-session": 50 * 24, "large-session": 2} {
		at := time.Now().Add(-time.Duration(hours) * time.Hour)
		err := os.Chtimes(filepath.Join(h.dir, "p/.claude/memory/observations", name+".jsonl"), at, at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if err := markSeen(filepath.Join(h.dir, "state/memctl"), filepath.Join(h.dir, "p/.claude/memory")); err != nil {
		t.Fatal(err)
	}
	return h
}
