package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"memctl/cmd/command"
	"memctl/text"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestToolsAreFewAndCheap(t *testing.T) {
	t.Parallel()
	list, err := connect(t, parcelProject(t).dir).ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	if cost := text.Cost(string(raw)); len(list.Tools) > 5 || cost > 900 {
		t.Errorf("%d tools cost %d tokens, want at most 5 and 900: %s", len(list.Tools), cost, raw)
	}
}

// An agent asks why code is so, with a path of the project, wherever the server was started.
func TestWhyOverTheServer(t *testing.T) {
	t.Parallel()
	p := parcelProject(t)
	p.check(os.MkdirAll(filepath.Join(p.dir, "cmd", "event-writer"), 0o755))
	p.check(os.WriteFile(filepath.Join(p.dir, "cmd", "event-writer", "main.go"), []byte("package main\n"), 0o644))
	var d struct {
		File     string
		Memories []struct{ ID string }
		Notes    []string
	}
	connect(t, p.dir).call("why", map[string]any{"place": "cmd/event-writer/main.go:1"}, &d)
	if d.File != "cmd/event-writer/main.go" || len(d.Memories) != 2 || d.Memories[1].ID != "kafka-consumer-lag" {
		t.Errorf("%+v", d)
	}
	if len(d.Notes) == 0 || d.Notes[0] != "no commits: there is no git repository here" {
		t.Errorf("notes %q", d.Notes)
	}
}

func TestSearchTimelineGet(t *testing.T) {
	t.Parallel()
	session := connect(t, parcelProject(t).dir)
	rows := session.search(map[string]any{"query": "idempotency webhooks"})
	if len(rows) == 0 || rows[0].ID != "webhook-idempotency-keys" || rows[0].Relevance != 1 || rows[0].Type != "memory" {
		t.Fatalf("search found %+v", rows)
	}
	for _, r := range rows {
		if utf8.RuneCountInString(r.Summary) > 100 || r.Summary == "" || r.Tokens == 0 || r.Timestamp == "" || r.Category == "" {
			t.Errorf("a row lacks something: %+v", r)
		}
	}
	var timelines struct {
		Timelines []struct {
			ID     string
			Events []struct {
				ID, Event, Preview string
				Target             bool
			}
		}
	}
	session.call("timeline", map[string]any{"ids": []string{rows[0].ID}, "window": 2}, &timelines)
	if events := timelines.Timelines[0].Events; len(events) != 5 || !events[2].Target || events[2].ID != rows[0].ID {
		t.Errorf("the timeline is %+v", events)
	}
	var got struct {
		Details []struct {
			ID         string
			Hash       string
			TokenCount int
			Stored     map[string]any
			Relations  []struct{ Kind, ID string }
		}
	}
	session.call("get", map[string]any{"ids": []string{"webhook-idem"}}, &got) // the beginning of an id
	if d := got.Details[0]; d.ID != rows[0].ID || d.Stored["id"] != d.ID || d.TokenCount != rows[0].Tokens || len(d.Hash) != 32 || len(d.Relations) == 0 {
		t.Errorf("get said %+v", d)
	}
}

func TestBadRequestsAreAnsweredWithoutAPath(t *testing.T) {
	t.Parallel()
	p := parcelProject(t)
	dir := p.dir
	p.check(os.CopyFS(p.path("observations"), os.DirFS("../../testdata/stores/observations")))
	session := connect(t, dir)
	for _, test := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"get", map[string]any{"ids": []string{"no-such-memory"}}, `nothing has the id "no-such-memory"`},
		{"get", map[string]any{"ids": []string{"kafka"}}, "ambiguous; give one of kafka-consumer-lag, kafka-message-size"},
		{"get", map[string]any{"ids": []string{"../../../etc/passwd"}}, "expected an id, not a path"},
		{"get", map[string]any{"ids": []string{`..\secret`}}, "expected an id, not a path"},
		{"get", map[string]any{"ids": []string{filepath.Join(dir, "x.json")}}, "expected an id, not a path"},
		{"get", map[string]any{"ids": []string{"kafka-message-size.json"}}, "expected an id, not a path"},
		{"get", map[string]any{"ids": []string{""}}, "the id is empty"},
		{"get", map[string]any{"ids": []string{}}, "ids: expected 1 to 10, got 0"},
		{"get", map[string]any{"ids": []string{"half-written-merge"}}, "nothing has the id"},
		{"timeline", map[string]any{"ids": []string{"kafka-m"}, "window": 1_000_000_000}, "window: expected 0 to 50"},
		{"timeline", map[string]any{"ids": []string{"/etc/passwd"}}, "expected an id, not a path"},
		{"search", map[string]any{"query": "kafka", "limit": 1_000_000_000}, "limit: expected 1 to 50, got 1000000000"},
		{"search", map[string]any{"query": "kafka", "limit": -1}, "limit: expected 1 to 50"},
		{"search", map[string]any{"query": "kafka", "category": "idea"}, "category: expected one of decision"},
		{"search", map[string]any{"query": 5}, "want"},
		{"search", map[string]any{"words": "kafka"}, "unexpected additional properties"},
		{"save", map[string]any{"memory": map[string]any{"title": "x"}}, "category: expected one of"},
		{"save", map[string]any{"memory": map[string]any{"category": "constraint", "title": "Grapefruit"}}, "VALIDATION_ERROR"},
		{"save", map[string]any{"memory": map[string]any{}, "id": "../../x"}, "expected an id, not a path"},
		{"save", map[string]any{"memory": map[string]any{}, "id": "kafka-m"}, "full id, kafka-message-size"},
		{"save", map[string]any{"memory": map[string]any{}, "id": "00000000-0000-4000-8000-000000000006"}, "is an observation, and observations do not change"},
		{"save", map[string]any{"memory": map[string]any{"category": "constraint", "title": 5}}, "VALIDATION_ERROR"},
	} {
		result := session.try(test.tool, test.args)
		if !result.IsError || !strings.Contains(said(result), test.want) {
			t.Errorf("%s %v was answered %q, want an error with %q", test.tool, test.args, said(result), test.want)
		}
		if strings.Contains(said(result), ".claude") {
			t.Errorf("%s %v named a path: %q", test.tool, test.args, said(result))
		}
	}
	if rows := session.search(map[string]any{"query": "the of and"}); len(rows) != 0 {
		t.Errorf("no words found %v", rows)
	}
}

var grapefruit = map[string]any{
	"category": "constraint",
	"title":    "Grapefruit pallets need a phytosanitary label",
	"tags":     []string{"grapefruit", "labels"},
	"content":  map[string]any{"kind": "policy", "rule": "No pallet leaves without one.", "impact": []string{"It is sent back."}, "severity": "high", "active": true},
}

type mcpSaved struct {
	Status, ID, Category string
	Guessed              bool
	Similar              *struct{ ID, Text, Hint string }
}

func TestSaveCreatesAsksAndUpdates(t *testing.T) {
	t.Parallel()
	dir := parcelProject(t).dir
	session := connect(t, dir)
	var out mcpSaved
	session.call("save", map[string]any{"memory": grapefruit}, &out)
	if out.Status != "created" || out.ID != "grapefruit-pallets-need-a-phytosanitary-label" {
		t.Fatalf("save said %+v", out)
	}
	file := filepath.Join(dir, ".claude", "memory", "constraints", out.ID+".json")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if rows := session.search(map[string]any{"query": "grapefruit"}); len(rows) != 1 || rows[0].ID != out.ID {
		t.Fatalf("what was saved is not found: %v", rows)
	}
	id := out.ID
	again := session.try("save", map[string]any{"memory": grapefruit})
	if after, _ := os.ReadFile(file); !again.IsError || string(after) != string(before) ||
		!strings.Contains(said(again), id) || !strings.Contains(said(again), "No pallet leaves without one.") {
		t.Fatalf("the same again was answered %s", said(again))
	}

	var got struct {
		Details []struct {
			Hash   string
			Stored map[string]any
		}
	}
	session.call("get", map[string]any{"ids": []string{id}}, &got)
	stored := got.Details[0].Stored
	stored["content"].(map[string]any)["severity"] = "low"
	stored["changes"] = []any{map[string]any{"date": "2026-01-02T03:04:05Z", "summary": "the label is optional now"}}
	change := map[string]any{"memory": stored, "id": id, "hash": got.Details[0].Hash}
	session.call("save", change, &out)
	if after, _ := os.ReadFile(file); out.Status != "updated" || !strings.Contains(string(after), `"severity": "low"`) {
		t.Fatalf("the change was answered %+v", out)
	}
	stored["changes"] = append(stored["changes"].([]any), map[string]any{"date": "2026-01-02T03:04:06Z", "summary": "again"})
	if result := session.try("save", change); !result.IsError || !strings.Contains(said(result), "OCC_CONFLICT") {
		t.Errorf("a change of an old reading was answered %q", said(result))
	}
}

func TestResourcesComeInPages(t *testing.T) {
	t.Parallel()
	session := connect(t, grownProject(t, 120).dir)
	if n := countResources(t, session); n != 120 {
		t.Errorf("%d resources of 120", n)
	}
}

func TestMemoriesAreResources(t *testing.T) {
	t.Parallel()
	dir := parcelProject(t).dir
	session := connect(t, dir)
	uris := map[string]bool{}
	for resource, err := range session.Resources(context.Background(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		uris[resource.URI] = true
	}
	const uri = "memctl://memory/kafka-message-size"
	if len(uris) != 39 || !uris[uri] { // the active ones
		t.Errorf("%d resources: %v", len(uris), uris)
	}
	read, err := session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		t.Fatal(err)
	}
	want, _ := os.ReadFile(filepath.Join(dir, ".claude", "memory", "constraints", "kafka-message-size.json"))
	if got := read.Contents[0].Text; got != string(want) {
		t.Errorf("the resource is %q", got)
	}
	for _, uri := range []string{"memctl://memory/nothing", "memctl://memory/..%2F..%2Fsecret", "memctl://memory/", "file:///etc/passwd"} {
		failure := new(jsonrpc.Error)
		if read, err := session.ReadResource(context.Background(), &mcp.ReadResourceParams{URI: uri}); !errors.As(err, &failure) || failure.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("%s is %v, %v", uri, read, err)
		}
	}
	if _, err := session.ListResources(context.Background(), &mcp.ListResourcesParams{Cursor: "../x"}); err == nil {
		t.Error("any cursor will do")
	}
}

// What an agent saves from a work list remembers its place, and settles the item.
func TestSaveFromAWorkList(t *testing.T) {
	t.Parallel()
	p := parcelProject(t)
	p.check(os.WriteFile(filepath.Join(p.dir, "AGENTS.md"), []byte("# Fruit\n\nNever ship grapefruit loose.\n"), 0o644))
	if out, code := p.inProcess("import", filepath.Join(p.dir, "AGENTS.md")); code != 0 {
		t.Fatal(out)
	}
	session := connect(t, p.dir)
	var out mcpSaved
	session.call("save", map[string]any{"category": "constraint", "text": "Never ship grapefruit loose.", "from": 1}, &out)
	data, err := os.ReadFile(filepath.Join(p.dir, ".claude", "memory", "constraints", out.ID+".json"))
	if err != nil || !strings.Contains(string(data), "Made of AGENTS.md:3") {
		t.Errorf("%v: the memory is %s", err, data)
	}
	if list, _ := p.inProcess("import", "--list"); !strings.Contains(list, "saved") || !strings.Contains(list, out.ID) {
		t.Errorf("the work list is %s", list)
	}
	for _, args := range []map[string]any{
		{"category": "constraint", "text": "Never ship pears loose.", "from": 99},
		{"text": "Never ship pears loose.", "from": 1, "id": out.ID},
	} {
		if result := session.try("save", args); !result.IsError {
			t.Errorf("save %v was answered %q", args, said(result))
		}
	}
}

// inProcess runs a command within the test process.
func (p project) inProcess(args ...string) (out string, code int) {
	p.t.Helper()
	var buf bytes.Buffer
	code = run(append([]string{"memctl", "--root", p.dir}, args...), command.Streams{In: strings.NewReader(""), Out: &buf, Err: &buf}.With(features()))
	if code != 0 && args[0] != "validate" {
		p.t.Errorf("memctl %v: %s", args, buf.String())
	}
	return buf.String(), code
}
