package clients_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"memctl/clients"
	"memctl/schemas"
	"memctl/triage"

	"github.com/google/go-cmp/cmp"
)

func readAll(t *testing.T, client *clients.Client, data, lastAnswer string) triage.Transcript {
	t.Helper()
	source := triage.Source{In: strings.NewReader(data), Size: int64(len(data)), Messages: client.Messages, LastAnswer: lastAnswer}
	got, err := triage.Read(source, triage.Window{Messages: 200}, schemas.DefaultConfig().Privacy.Filter())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// The clients wrote these transcripts; the counts were made by hand. What the clients and
// their hooks put among the words of the user is left out.
func TestCapturedTranscripts(t *testing.T) {
	tests := map[*clients.Client]struct {
		file, last string
		activity   triage.Activity
		text       string
	}{
		clients.Claude: {"claude-code/transcript.jsonl", "Third turn done.", triage.Activity{ToolUses: 9, DistinctTools: 5, Exchanges: 9},
			"Please write a note. We use SQLite.\nI will write the note.\nTwo at once.\nWe decided to use SQLite for the index.\n" +
				"Noted, and the tests pass.\nAnd a second thing.\nSecond turn done.\nAnd a third.\nThird turn done."},
		clients.Codex: {"clients/codex/transcript.jsonl", "(saved)", triage.Activity{ToolUses: 2, DistinctTools: 2, Exchanges: 3},
			"the goose migration died with a lock timeout, is it safe to run it again?\nWe decided on SQLite because there is one writer.\nWe chose it over a server.\n(saved)"},
		clients.Gemini: {"clients/gemini/transcript.jsonl", "(saved)", triage.Activity{ToolUses: 2, DistinctTools: 2, Exchanges: 3},
			"the goose migration died with a lock timeout, is it safe to run it again?\nWe decided on SQLite because there is one writer.\nWe chose it over a server.\n(saved)"},
		clients.OpenCode: {"clients/opencode/transcript.jsonl", "", triage.Activity{ToolUses: 3, DistinctTools: 2, Exchanges: 3}, "\"do it\"\nFINAL-1\nIDLE-SAVE-IT"},
		clients.Qwen:     {"clients/qwen/transcript.jsonl", "FINAL-4", triage.Activity{ToolUses: 6, DistinctTools: 3, Exchanges: 5}, "do it\nFINAL-1\nFINAL-2\nFINAL-3\nFINAL-4"},
		clients.Copilot:  {"clients/copilot/transcript.jsonl", "", triage.Activity{ToolUses: 3, DistinctTools: 3, Exchanges: 2}, "say hi\nFINAL-1"},
	}
	for client, tt := range tests {
		data := read(t, filepath.Join("../testdata", tt.file))
		got := readAll(t, client, data, tt.last)
		if text := strings.Join(got.Lines(), "\n"); text != tt.text || got.Activity != tt.activity {
			t.Errorf("%s: %+v, %q", client.Name, got.Activity, text)
		}
		if wrote := clients.OfTranscript(strings.NewReader(data)); wrote != client && client != clients.OpenCode {
			t.Errorf("the transcript of %s was taken for one of %s", client.Name, wrote.Name)
		}
	}
}

func TestClaudeTranscript(t *testing.T) {
	type activity triage.Activity
	type want struct {
		Activity activity
		Messages int
		Lines    []string
	}
	const (
		prompt   = `{"type":"user","message":{"role":"user","content":"Use Kafka?"}}`
		thinking = `{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"error"}]}}`
		answer   = `{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"Yes."}]}}`
		more     = `{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"Now."}]}}`
		toolUse  = `{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","name":"Bash","input":{"command":"error"}}]}}`
		result   = `{"type":"user","message":{"content":[{"type":"tool_result","content":"error"}]},"toolUseResult":{"stdout":"error"}}`
	)
	tests := map[string]struct {
		lines []string
		last  string
		want  want
	}{
		"a turn":                               {[]string{prompt, thinking, answer, toolUse, result}, "", want{activity{1, 1, 2}, 5, []string{"Use Kafka?", "Yes."}}},
		"parts of one answer are one exchange": {[]string{prompt, answer, toolUse, more}, "", want{activity{1, 1, 2}, 4, []string{"Use Kafka?", "Yes.", "Now."}}},
		"lines that neither side said": {[]string{
			`{"type":"user","isMeta":true,"message":{"content":"error"}}`,
			`{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"text","text":"error"}]}}`,
			`{"type":"user","isCompactSummary":true,"message":{"content":"error"}}`,
			`{"type":"user","message":{"content":"<command-name>/error</command-name>"}}`,
			`{"type":"user","message":{"content":"<local-command-stdout>error"}}`,
			`{"type":"system","subtype":"error","content":"error"}`,
			`{"type":"summary","summary":"error"}`,
		}, "", want{activity{}, 7, []string{""}}},
		"bookkeeping is not a message": {[]string{`{"type":"attachment","content":"error"}`, `{"type":"file-history-snapshot"}`, prompt}, "", want{activity{0, 0, 1}, 1, []string{"Use Kafka?"}}},
		"the older shape": {[]string{`{"type":"human","content":"Use Kafka?"}`, `{"type":"tool_use","name":"Read"}`, `{"type":"tool_result","content":"error"}`, `{"type":"assistant","content":"Yes."}`}, "",
			want{activity{1, 1, 2}, 4, []string{"Use Kafka?", "Yes."}}},
		"no JSON objects":            {[]string{"error", "[1]", "null", `"x"`, "", "{broken", `{"type":"user","message":{"content":"hal`}, "", want{activity{}, 0, []string{""}}},
		"odd types":                  {[]string{`{"type":5}`, `{"type":"user","message":7}`, `{"type":"user","message":{"content":{"a":1}}}`, `{"type":"assistant","message":{"content":[1,null,[],{"type":"text","text":5}]}}`}, "", want{activity{0, 0, 2}, 4, []string{"", ""}}},
		"the last member counts":     {[]string{`{"type":"human","type":"assistant","content":"x","content":"y"}`}, "", want{activity{0, 0, 1}, 1, []string{"y"}}},
		"an answer not written yet":  {[]string{prompt}, "Yes.\n", want{activity{0, 0, 2}, 2, []string{"Use Kafka?", "Yes."}}},
		"an answer written already":  {[]string{prompt, answer}, " Yes. ", want{activity{0, 0, 2}, 2, []string{"Use Kafka?", "Yes."}}},
		"its parts together":         {[]string{prompt, answer, more}, "Yes.\nNow.", want{activity{0, 0, 2}, 3, []string{"Use Kafka?", "Yes.", "Now."}}},
		"the same words again":       {[]string{prompt, answer, prompt}, "Yes.", want{activity{0, 0, 4}, 4, []string{"Use Kafka?", "Yes.", "Use Kafka?", "Yes."}}},
		"an answer, without a file":  {nil, "Yes.", want{activity{0, 0, 1}, 1, []string{"Yes."}}},
		"invalid UTF-8 and carriage": {[]string{"{\"type\":\"human\",\"content\":\"a\xffb\"}\r"}, "", want{activity{0, 0, 1}, 1, []string{"a\ufffdb"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := readAll(t, clients.Claude, strings.Join(tt.lines, "\n"), tt.last)
			if diff := cmp.Diff(tt.want, want{activity(got.Activity), got.Messages(), got.Lines()}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Only so many blocks of a message are read.
func TestBlocksAreLimited(t *testing.T) {
	const most = 1000
	tool := `{"type":"tool_use","name":"Bash"},`
	for n, want := range map[int]int{most - 1: most, most: most, 2 * most: most} {
		got := readAll(t, clients.Claude, `{"type":"assistant","message":{"content":[`+strings.Repeat(tool, n)+strings.TrimSuffix(tool, ",")+`]}}`, "")
		if got.ToolUses != want || got.Messages() != 1 {
			t.Errorf("of %d blocks %d were read", n+1, got.ToolUses)
		}
	}
}

func TestExitCode(t *testing.T) {
	const failed = `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"a","exit_code":2}}}`
	const done = `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"b","exit_code":0}}}`
	const running = `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"c"}}}`
	rollout := strings.Join([]string{`{"half`, failed, done, `{"type":"response_item","payload":{"type":"function_call","call_id":"d"}}`, running, ""}, "\n")
	for id, want := range map[string]string{"a": "2 true", "b": "0 true", "c": "0 false", "d": "0 false", "e": "0 false", "": "0 false"} {
		code, known := clients.Codex.ExitCode(strings.NewReader(rollout), int64(len(rollout)), id)
		if got := fmt.Sprint(code, known); got != want {
			t.Errorf("%q: %s, want %s", id, got, want)
		}
	}
	if _, known := clients.Claude.ExitCode(strings.NewReader(rollout), int64(len(rollout)), "a"); known {
		t.Error("Claude Code's transcript was searched")
	}
}
