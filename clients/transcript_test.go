package clients_test

import (
	"os"
	"strings"
	"testing"

	"memctl/clients"
	"memctl/schemas"
	"memctl/triage"

	"github.com/google/go-cmp/cmp"
)

func readAll(t *testing.T, client *clients.Client, data, lastAnswer string) triage.Transcript {
	t.Helper()
	source := triage.TranscriptFile{In: strings.NewReader(data), Size: int64(len(data)), Messages: client.Messages,
		LastAnswer: lastAnswer}
	got, err := triage.Read(source, triage.Window{Messages: 200}, schemas.DefaultConfig().Privacy.Filter())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func read(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
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
		"a turn": {[]string{prompt, thinking, answer, toolUse, result}, "",
			want{activity{1, 1, 2}, 5, []string{"Use Kafka?", "Yes."}}},
		"parts of one answer are one exchange": {[]string{prompt, answer, toolUse, more}, "",
			want{activity{1, 1, 2}, 4, []string{"Use Kafka?", "Yes.", "Now."}}},
		"lines that neither side said": {[]string{
			`{"type":"user","isMeta":true,"message":{"content":"error"}}`,
			`{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"text","text":"error"}]}}`,
			`{"type":"user","isCompactSummary":true,"message":{"content":"error"}}`,
			`{"type":"user","message":{"content":"<command-name>/error</command-name>"}}`,
			`{"type":"user","message":{"content":"<local-command-stdout>error"}}`,
			`{"type":"system","subtype":"error","content":"error"}`,
			`{"type":"summary","summary":"error"}`,
		}, "", want{activity{}, 7, []string{""}}},
		"bookkeeping is not a message": {[]string{`{"type":"attachment","content":"error"}`,
			`{"type":"file-history-snapshot"}`, prompt}, "", want{activity{0, 0, 1}, 1, []string{"Use Kafka?"}}},
		"the older shape": {[]string{`{"type":"human","content":"Use Kafka?"}`, `{"type":"tool_use","name":"Read"}`,
			`{"type":"tool_result","content":"error"}`, `{"type":"assistant","content":"Yes."}`}, "",
			want{activity{1, 1, 2}, 4, []string{"Use Kafka?", "Yes."}}},
		"no JSON objects": {[]string{"error", "[1]", "null", `"x"`, "", "{broken",
			`{"type":"user","message":{"content":"hal`}, "", want{activity{}, 0, []string{""}}},
		"odd types": {[]string{`{"type":5}`, `{"type":"user","message":7}`,
			`{"type":"user","message":{"content":{"a":1}}}`,
			`{"type":"assistant","message":{"content":[1,null,[],{"type":"text","text":5}]}}`}, "",
			want{activity{0, 0, 2}, 4, []string{"", ""}}},
		"the last member counts": {[]string{`{"type":"human","type":"assistant","content":"x","content":"y"}`}, "",
			want{activity{0, 0, 1}, 1, []string{"y"}}},
		"an answer not written yet": {[]string{prompt}, "Yes.\n",
			want{activity{0, 0, 2}, 2, []string{"Use Kafka?", "Yes."}}},
		"an answer written already": {[]string{prompt, answer}, " Yes. ",
			want{activity{0, 0, 2}, 2, []string{"Use Kafka?", "Yes."}}},
		"its parts together": {[]string{prompt, answer, more}, "Yes.\nNow.",
			want{activity{0, 0, 2}, 3, []string{"Use Kafka?", "Yes.", "Now."}}},
		"the same words again": {[]string{prompt, answer, prompt}, "Yes.",
			want{activity{0, 0, 4}, 4, []string{"Use Kafka?", "Yes.", "Use Kafka?", "Yes."}}},
		"an answer, without a file": {nil, "Yes.", want{activity{0, 0, 1}, 1, []string{"Yes."}}},
		"invalid UTF-8 and carriage": {[]string{"{\"type\":\"human\",\"content\":\"a\xffb\"}\r"}, "",
			want{activity{0, 0, 1}, 1, []string{"a\ufffdb"}}},
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
		got := readAll(t, clients.Claude, `{"type":"assistant","message":{"content":[`+
			strings.Repeat(tool, n)+strings.TrimSuffix(tool, ",")+`]}}`, "")
		if got.ToolUses != want || got.Messages() != 1 {
			t.Errorf("of %d blocks %d were read", n+1, got.ToolUses)
		}
	}
}

func TestClaudeTranscriptHasNoExitCodes(t *testing.T) {
	const line = `{"type":"event_msg","payload":{"type":"item_completed","item":{"type":"CommandExecution","id":"a","exit_code":2}}}`
	if _, known := clients.Claude.ExitCode(strings.NewReader(line), int64(len(line)), "a"); known {
		t.Error("Claude Code's transcript was searched")
	}
}
