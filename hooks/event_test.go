package hooks

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"memctl/memdir"

	"github.com/google/go-cmp/cmp"
)

func readEvent(in io.Reader) (Event, error) {
	raw, err := readValue(in)
	if err != nil {
		return Event{}, err
	}
	return decodeEvent(raw)
}

func TestReadEvent(t *testing.T) {
	tests := map[string]struct {
		in   string
		want Event
	}{
		"every field": {
			`{"session_id":"s","cwd":"/p","hook_event_name":"SessionStart","source":"resume","prompt":"hello"}`,
			Event{SessionID: "s", Cwd: "/p", Name: "SessionStart", Source: "resume", Prompt: "hello"},
		},
		"the older field name":             {`{"user_prompt":"hello"}`, Event{Prompt: "hello"}},
		"the newer of both":                {`{"user_prompt":"old","prompt":"new"}`, Event{Prompt: "new"}},
		"an empty newer one":               {`{"user_prompt":"old","prompt":""}`, Event{Prompt: "old"}},
		"unknown fields pass":              {`{"prompt":"p","effort":{"level":3},"x":[1]}`, Event{Prompt: "p"}},
		"values of other types are absent": {`{"prompt":["p"],"cwd":5,"session_id":null,"source":{}}`, Event{}},
		"one odd value spoils no others":   {`{"cwd":{"a":1},"prompt":"p"}`, Event{Prompt: "p"}},
		"a tool and its file":              {`{"tool_name":"Write","tool_input":{"file_path":"/p/f","content":"c"}}`, Event{ToolName: "Write", ToolPath: "/p/f"}},
		"a notebook":                       {`{"tool_name":"NotebookEdit","tool_input":{"notebook_path":"n.ipynb"}}`, Event{ToolName: "NotebookEdit", ToolPath: "n.ipynb"}},
		"a tool without a file":            {`{"tool_name":"Bash","tool_input":{"command":"ls"}}`, Event{ToolName: "Bash"}},
		"a tool's input of another type":   {`{"tool_name":"Write","tool_input":["/p/f"],"cwd":"/p"}`, Event{ToolName: "Write", Cwd: "/p"}},
		"a file of another type":           {`{"tool_name":"Write","tool_input":{"file_path":{"a":1}}}`, Event{ToolName: "Write"}},
		"a tool of another type":           {`{"tool_name":7,"tool_input":{"file_path":"f"}}`, Event{ToolPath: "f"}},
		"a stop": {`{"transcript_path":"/t.jsonl","last_assistant_message":"Done.","stop_hook_active":true}`,
			Event{TranscriptPath: "/t.jsonl", LastAnswer: "Done.", StopHookActive: true}},
		"a stop with odd values": {`{"transcript_path":null,"last_assistant_message":{},"stop_hook_active":"true","cwd":"/p"}`, Event{Cwd: "/p"}},
		"no fields":              {`{}`, Event{}},
		"null says nothing":      {`null`, Event{}},
		"paths that no system opens": {
			`{"cwd":"/` + strings.Repeat("a", memdir.MaxPath) + `","transcript_path":"/` + strings.Repeat("a", memdir.MaxPath) + `","session_id":"s"}`,
			Event{SessionID: "s"},
		},
		"white space around":           {" \n\t{\"prompt\":\"p\"}\n\n", Event{Prompt: "p"}},
		"what follows is not read":     {`{"prompt":"p"} and more`, Event{Prompt: "p"}},
		"an escaped NUL":               {`{"prompt":"a\u0000b"}`, Event{Prompt: "a\x00b"}},
		"lone surrogates are replaced": {`{"prompt":"a\ud800b\udc00"}`, Event{Prompt: "a\ufffdb\ufffd"}},
		"invalid UTF-8 is replaced":    {"{\"prompt\":\"a\xffb\"}", Event{Prompt: "a\ufffdb"}},
		"a surrogate pair":             {`{"prompt":"\ud83d\ude00"}`, Event{Prompt: "😀"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := readEvent(strings.NewReader(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadEventRefuses(t *testing.T) {
	tests := map[string]struct{ in, reason string }{
		"nothing":           {"", "empty"},
		"white space only":  {" \n ", "empty"},
		"half a value":      {`{"prompt":"p`, "unexpected EOF"},
		"not JSON":          {"prompt: p", "invalid character"},
		"a list":            {`[{"prompt":"p"}]`, "expected a JSON object, got a JSON array"},
		"a string":          {`"p"`, "object"},
		"a number":          {`12`, "object"},
		"a truth value":     {`true`, "object"},
		"raw NUL bytes":     {"\x00\x00", "invalid character"},
		"a raw NUL inside":  {"{\"prompt\":\"a\x00b\"}", "invalid character"},
		"nested too deeply": {strings.Repeat("[", 20_000), "depth"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e, err := readEvent(strings.NewReader(tt.in))
			if err == nil {
				t.Fatalf("read %+v", e)
			}
			if !strings.Contains(err.Error(), tt.reason) {
				t.Errorf("the reason %q does not say %q", err, tt.reason)
			}
		})
	}
}

func TestReadEventDoesNotWaitForTheEnd(t *testing.T) {
	in, client := io.Pipe()
	defer client.Close()
	go client.Write([]byte(`{"prompt":"p"}`))
	e, err := readEvent(in)
	if err != nil || e.Prompt != "p" {
		t.Errorf("got %+v, %v", e, err)
	}
}

func TestReadEventPassesOnAReadError(t *testing.T) {
	broken := errors.New("broken pipe")
	in, client := io.Pipe()
	client.CloseWithError(broken)
	if _, err := readEvent(in); !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

// endless reads as the letter x forever.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// Either the size limit or the time limit ends the reading, depending on the machine.
func TestReadEventGivesUpOnAnEndlessEvent(t *testing.T) {
	in := io.MultiReader(strings.NewReader(`{"prompt":"`), endless{})
	if e, err := readEvent(in); err == nil {
		t.Errorf("read a prompt of %d bytes", len(e.Prompt))
	}
}

// captured returns the events in testdata/claude-code, which Claude Code sent.
func captured(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../testdata/claude-code/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no captured events: %v", err)
	}
	events := map[string][]byte{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		events[filepath.Base(path)] = data
	}
	return events
}

func TestReadEventReadsWhatClaudeCodeSends(t *testing.T) {
	for name, data := range captured(t) {
		t.Run(name, func(t *testing.T) {
			e, err := readEvent(strings.NewReader(string(data)))
			if err != nil {
				t.Fatal(err)
			}
			event, _, _ := strings.Cut(strings.TrimSuffix(name, ".json"), "-")
			if e.Name != event || e.SessionID == "" || e.Cwd == "" {
				t.Errorf("a field is missing: %+v", e)
			}
			if writes := e.ToolName == "Write" || e.ToolName == "Edit"; writes && e.ToolPath == "" || strings.HasSuffix(event, "ToolUse") && e.ToolName == "" {
				t.Errorf("the tool or its file is missing: %+v", e)
			}
			if e.TranscriptPath == "" || event == "Stop" && (e.LastAnswer == "" || e.StopHookActive != strings.Contains(name, "active")) {
				t.Errorf("what a stop is about is missing: %+v", e)
			}
			if event == "UserPromptSubmit" && e.Prompt == "" || event == "SessionStart" && e.Source == "" {
				t.Errorf("what the event is about is missing: %+v", e)
			}
		})
	}
}

func FuzzReadEvent(f *testing.F) {
	for _, data := range captured(f) {
		f.Add(data)
	}
	for _, s := range []string{"", "null", "[]", `{"prompt":5}`, `{"tool_name":"Write","tool_input":{"file_path":5}}`, `{"prompt":"\ud800"}`, "{\"cwd\":\"\x00\xff\"}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := readEvent(strings.NewReader(string(data)))
		var object map[string]json.RawMessage
		if json.Unmarshal(data, &object) == nil && err != nil {
			t.Errorf("refused a JSON object: %v", err)
		}
		for _, s := range []string{e.SessionID, e.Cwd, e.Name, e.Source, e.Prompt, e.ToolName, e.ToolPath, e.TranscriptPath, e.LastAnswer} {
			if !utf8.ValidString(s) {
				t.Errorf("invalid UTF-8: %q", s)
			}
		}
	})
}
