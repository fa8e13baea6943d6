package clients_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/clients"
	otherclients "memctl/features/clients"
	"memctl/files"
	"memctl/files/systemtest"
	"memctl/hooks"
	"memctl/observe"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the answers to the captured events")

const memory = `{"schema_version":"1.0","category":"decision","id":"kafka","title":"Kafka carries the parcel events","record_status":"active",
	"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","tags":["kafka"],"times_updated":0,
	"content":{"status":"accepted","context":"c","decision":"d","rationale":["r"]}}`

// changes turn a captured event into one that a hook has something to say about.
var changes = strings.NewReplacer(
	`say hi`, `why does kafka carry the events?`, `do it`, `why does kafka carry the events?`, `hello there`, `why does kafka carry the events?`,
	`STOP-STDERR-SAVE-IT`, `Before you stop, save each as a memory, with the tool mcp__memctl__save, else memctl create: kafka`,
	`$PROJECT/a.txt`, `$PROJECT/.claude/memory/decisions/new.json`, `$PROJECT/new.txt`, `$PROJECT/.claude/memory/decisions/new.json`,
	`a.txt\n`, `.claude/memory/decisions/new.json\n`, `cm.txt\n`, `.claude/memory/decisions/new.json\n`,
	`"file_path":"new.txt"`, `"file_path":".claude/memory/decisions/new.json"`,
	`FINAL-1`, `We decided on Kafka because of ordering.\nWe chose it over a queue.`,
)

// replay is a project in which captured events are replayed.
type replay struct {
	t             *testing.T
	client        *clients.Client
	project, home string
}

func newReplay(t *testing.T, client *clients.Client, transcript string) replay {
	t.Helper()
	r := replay{t, client, filepath.Join(systemtest.LeftOpen(t), "project"), t.TempDir()}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		t.Setenv(name, r.home)
	}
	for _, name := range []string{"TMPDIR", "TMP", "XDG_STATE_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	r.write(r.project, ".claude/memory/decisions/kafka.json", memory)
	r.write(r.project, ".claude/memory/memory-config.json", `{"observations":{"enabled":true}}`)
	r.write(r.home, "transcript.jsonl", transcript)
	return r
}

func (r replay) write(dir, name, text string) {
	r.t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// answer has a hook answer an event, and returns its stdout.
func (r replay) answer(hook hooks.Hook, event string) string {
	r.t.Helper()
	var out, errOut bytes.Buffer
	run := hooks.NewRun(hooks.Streams{In: strings.NewReader(event), Out: &out, Err: &errOut}, r.client)
	if systemtest.IsWine() { // which is slow
		hook.Deadline = 30 * time.Second
	}
	run.Do(func() error { return run.Answer(context.Background(), hook, "") })
	return r.hide(out.String())
}

// observed sums up the observations that were recorded.
func (r replay) observed(session string) string {
	root, err := files.At(r.project)
	if err != nil {
		r.t.Fatal(err)
	}
	list, err := observe.Last(root, session)
	if err != nil {
		r.t.Fatal(err)
	}
	text := ""
	for _, o := range list {
		p := o.Payload
		success := "unknown"
		if p.Success != nil {
			success = fmt.Sprint(*p.Success)
		}
		p.Metadata.ToolUseID, p.Metadata.PromptID = "", ""
		metadata, _ := schemas.EncodeJSON(p.Metadata)
		text += fmt.Sprintf("%s success=%s input=%s output=%q error=%q %s\n", p.ToolName, success, p.ToolInput, p.ToolOutput, p.ErrorMessage, metadata)
	}
	return r.hide(text)
}

// inJSON is a folder as a string of JSON has it, without its quotes.
func inJSON(folder string) string {
	quoted, _ := json.Marshal(folder)
	return string(quoted[1 : len(quoted)-1])
}

// hide names the folders of the replay by variables, in each form that they have.
func (r replay) hide(text string) string {
	for folder, name := range map[string]string{r.project: "$PROJECT", r.home: "$HOME"} {
		text = strings.NewReplacer(inJSON(inJSON(folder)), name, inJSON(folder), name, filepath.ToSlash(folder), name, folder, name).Replace(text)
	}
	return text
}

// hookOf returns the hook that is registered for an event, and its name. Events for which memctl has none go to the
// guard, which must let the agent go on.
func hookOf(client *clients.Client, event string) (hook hooks.Hook, name string) {
	i := slices.IndexFunc(hooks.All, func(h hooks.Hook) bool { return client.Event(h.Name) == event })
	if i >= 0 {
		return hooks.All[i], hooks.All[i].Name
	}
	i = slices.IndexFunc(hooks.All, func(h hooks.Hook) bool { return h.Name == clients.BeforeTool })
	return hooks.All[i], "no hook"
}

func captures(t testing.TB, client *clients.Client) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "clients", client.Name, "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no captured events: %v", err)
	}
	return paths
}

func others() []*clients.Client {
	return slices.DeleteFunc(clients.All(), func(c *clients.Client) bool { return c == clients.Claude })
}

// Every event that a client sent is answered as before.
func TestAnswersToCapturedEvents(t *testing.T) {
	for _, client := range others() {
		t.Run(client.Name, func(t *testing.T) {
			dir := filepath.Join("..", "..", "testdata", "clients", client.Name)
			transcript := read(t, filepath.Join(dir, "transcript.jsonl"))
			var got strings.Builder
			for _, path := range captures(t, client) {
				captured := read(t, path)
				var fields struct {
					Name       string `json:"hook_event_name"`
					Session    string `json:"session_id"`
					Transcript string `json:"transcript_path"`
				}
				if err := json.Unmarshal([]byte(captured), &fields); err != nil {
					t.Fatal(err)
				}
				hook, name := hookOf(client, fields.Name)
				fmt.Fprintf(&got, "== %s: %s\n", filepath.Base(path), name)
				for _, variant := range []struct {
					title             string
					event, transcript string
				}{{"", captured, transcript}, {"changed: ", changes.Replace(captured), changes.Replace(transcript)}} {
					r := newReplay(t, client, variant.transcript)
					event := strings.NewReplacer(fields.Transcript, inJSON(filepath.Join(r.home, "transcript.jsonl"))).Replace(variant.event)
					if fields.Transcript == "" {
						event = variant.event
					}
					event = strings.NewReplacer("$PROJECT", inJSON(r.project), "$HOME", inJSON(r.home)).Replace(event)
					if hook.Name == observe.AfterTool {
						r.write(r.project, ".claude/memory/decisions/new.json", "{")
					}
					fmt.Fprintf(&got, "%s%s\n", variant.title, strings.TrimSuffix(r.answer(hook, event), "\n"))
					if variant.title == "" {
						got.WriteString(r.observed(fields.Session))
					}
				}
			}
			golden := filepath.Join(dir, "answers.txt")
			text := masked(got.String())
			if *update {
				if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(read(t, golden), text); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// masked hides the times in the names of files that were set aside.
func masked(answers string) string {
	return regexp.MustCompile(`\.invalid\.[0-9.]+`).ReplaceAllString(answers, ".invalid.TIME")
}

// What is not an event of the client lets the agent go on, in the client's own form.
func TestForeignEventsLetTheAgentGoOn(t *testing.T) {
	foreign := []string{
		"", "null", "[]", `"x"`, "12", "{", "\x00", `{"prompt":5,"tool_name":{},"tool_input":[],"tool_response":7,"tool_result":"x","mcp_context":[],"timestamp":{},"transcript_path":9}`,
		`{"hook_event_name":"Bogus"}`, `{"tool_name":"apply_patch","tool_input":{"command":"*** Add File: "}}`, `{"sessionId":"s","toolName":"create","toolArgs":{}}`,
	}
	for _, client := range clients.All() {
		want := ""
		if client == otherclients.Gemini {
			want = "{}\n"
		}
		r := newReplay(t, client, "")
		for _, hook := range hooks.All {
			for _, event := range foreign {
				if got := r.answer(hook, event); got != want {
					t.Errorf("%s, %s of %q: %s", client.Name, hook.Name, event, got)
				}
			}
			for _, other := range others() {
				for _, path := range captures(t, other) {
					// Without its time, no transcript of a stop is waited for.
					event := strings.ReplaceAll(read(t, path), `"timestamp"`, `"time"`)
					if strings.Contains(event, files.RootPath) {
						continue // a denial is right
					}
					got := r.answer(hook, event)
					if strings.Contains(got, `"block"`) || strings.Contains(got, `"deny"`) || (want != "") != json.Valid([]byte(got)) && got != want {
						t.Errorf("%s, %s of %s: %s", client.Name, hook.Name, path, got)
					}
				}
			}
		}
	}
}

// FuzzDecode finds events that an adapter does not bear.
func FuzzDecode(f *testing.F) {
	for i, client := range clients.All() {
		if client == clients.Claude {
			continue
		}
		for _, path := range captures(f, client) {
			f.Add(uint8(i), []byte(read(f, path)))
		}
	}
	for i := range clients.All() {
		f.Add(uint8(i), []byte(`{"tool_name":"Bash","tool_response":{"llmContent":"Output: x\nExit Code: 3"},"tool_result":{"text_result_for_llm":"\n<shellId: 0 completed with exit code 9>"}}`))
		f.Add(uint8(i), []byte("{\"cwd\":\"\x00\xff\",\"prompt\":\"<hook_context>\"}"))
	}
	f.Fuzz(func(t *testing.T, n uint8, data []byte) {
		client := clients.All()[int(n)%len(clients.All())]
		e, speaker, err := client.Decode(data)
		var object map[string]json.RawMessage
		if json.Unmarshal(data, &object) == nil && err != nil && e.ToolName == "" && e.Name != "UserPromptSubmit" {
			t.Errorf("refused a JSON object: %v", err)
		}
		if e.Input != nil && !json.Valid(e.Input) || e.Output != nil && !json.Valid(e.Output) {
			t.Errorf("input %s, output %s", e.Input, e.Output)
		}
		if answer := speaker.Encode("stop", hooks.Answer{Ask: e.Prompt + "x"}); !json.Valid([]byte(answer)) {
			t.Errorf("%s", answer)
		}
	})
}

// FuzzMessages finds lines of transcripts that an adapter does not bear.
func FuzzMessages(f *testing.F) {
	for i, client := range clients.All() {
		path := filepath.Join("..", "..", "testdata", "clients", client.Name, "transcript.jsonl")
		if client == clients.Claude {
			path = "../../testdata/claude-code/transcript.jsonl"
		}
		for line := range strings.Lines(read(f, path)) {
			f.Add(uint8(i), []byte(line))
		}
	}
	f.Fuzz(func(t *testing.T, n uint8, line []byte) {
		client := clients.All()[int(n)%len(clients.All())]
		for _, m := range client.Messages(line) {
			if m.FromUser && m.FromAssistant || (m.FromUser || m.FromAssistant) && len(m.Text) == 0 {
				t.Errorf("%+v", m)
			}
		}
		client.ExitCode(bytes.NewReader(line), int64(len(line)), "call_0002")
		clients.OfTranscript(bytes.NewReader(line))
	})
}
