package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The picture in README.md is drawn from a recorded screen. What the screen shows of a
// prompt's memories is what the hook still says; the client cut it at the screen's width.
func TestRecordedPromptIsTrue(t *testing.T) {
	screen, err := os.ReadFile("testdata/screen/session.txt")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`PostToolUse:Bash says: (memctl: the agent opened .*)`).FindSubmatch(screen)
	if shown == nil || !strings.Contains(string(screen), "❯ "+kafkaPrompt+"\n") {
		t.Fatalf("the recording has no such prompt:\n%s", screen)
	}
	p := newProject(t)
	memctl(t, p.dir, "", "init")
	for _, name := range []string{"constraints/kafka-message-size.json", "runbooks/kafka-consumer-lag.json"} {
		data, err := os.ReadFile(filepath.Join("../../testdata/stores/parcel", name))
		p.check(err)
		p.check(os.WriteFile(p.path(name), data, 0o600))
	}
	event, err := json.Marshal(map[string]string{"hook_event_name": "UserPromptSubmit", "cwd": p.dir, "session_id": "s", "prompt": kafkaPrompt})
	p.check(err)
	list, _ := memctl(t, p.dir, string(event), "hook", "user-prompt-submit")
	if !strings.Contains(list, "- constraint kafka-m: ") {
		t.Errorf("the prompt lists %s", list)
	}
	t.Setenv("CLAUDECODE", "1")
	memctl(t, p.dir, "", "show", "kafka-m")
	out, _ := memctl(t, p.dir, `{"hook_event_name": "PostToolUse", "session_id": "s", "tool_name": "Bash", "tool_input": {"command": "memctl show kafka-m"}, "tool_response": {}}`,
		"hook", "post-tool-use")
	var answer struct{ SystemMessage string }
	p.check(json.Unmarshal([]byte(out), &answer))
	if !strings.HasPrefix(answer.SystemMessage, string(shown[1])) {
		t.Errorf("the hook says %q, the recording shows %q", answer.SystemMessage, shown[1])
	}
}
