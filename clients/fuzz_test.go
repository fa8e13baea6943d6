package clients

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"
)

var fuzzed = Entries{
	Hooks:    []Hook{guard, stop},
	Rules:    []string{"Bash(memctl list:*)", "Bash(memctl show:*)"},
	Asks:     []string{"Bash(memctl hub:*)", "Bash(memctl roots add:*)"},
	Approved: true,
	Server:   &Server{Name: ServerName, Command: "memctl", Args: []string{"mcp"}},
}

// FuzzEdit holds adding and removing to what users are promised of any file.
func FuzzEdit(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "{\r\n\t\"a\" : [ ] ,\r\n\t\"hooks\": {}\r\n}\r\n", "\ufeff{\"hooks\": {\"Stop\": [{\"matcher\": \"*\", \"hooks\": [" + entry + ", {}]}]}}",
		`{"hooks":{"Stop":[ ],"PreToolUse":[{"matcher":"Write","hooks":[{"type":"command","command":"memctl hook pre-tool-use"},{"x":1}]}]}}`,
		`{"enabledMcpjsonServers": ["other", "memctl" ,1], "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "memctl hook stop --root 'x y'"}]}]}}`,
		`{"hooks": {"Stop": [{"hooks": [{"type": "command", "Command": "memctl hook stop"}]}]}}`,
		"{\"hooks\":{\"\x91\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"memctl hook 0\"}]}]}}",
		`{"enabledMcpjsonServers":[ ], "enableAllProjectMcpServers": true}`, `{"enabledMcpjsonServers": ["memctl"]}`,
		`{"permissions": {"allow": ["Read", "Bash(memctl list:*)" , 1], "deny": []}, "env": {"A": "1", "A": "2"}}`,
		"{\n\n\n   \"hooks\" :{  \"Stop\"\n:[\n{\"hooks\":[\n]}]\n}}\n\n", "// comment\n{}", `{"mcpServers": {"memctl": {"command": "x/memctl"}, "b": {}}}`, `{"a":1,}`, `{"hooks":{"Nope":[],"Nope":[]}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, before []byte) {
		after, err := inSettings.Add(before, fuzzed)
		if err != nil {
			return
		}
		if again, err := inSettings.Add(after, fuzzed); err != nil || !bytes.Equal(again, after) {
			t.Fatalf("added twice: %q, %v\nonce: %q", again, err, after)
		}
		checkHooks(t, before, after)
		back, err := inSettings.Remove(after, before)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := inSettings.Remove(back, before); err != nil || !bytes.Equal(again, back) {
			t.Fatalf("removed twice: %q, %v\nonce: %q", again, err, back)
		}
		old, err := inSettings.Find(before)
		if err != nil {
			t.Fatal(err)
		}
		if len(old.Hooks) == 0 && old.Server == nil && !bytes.Equal(back, before) {
			t.Fatalf("given   %q\nadded   %q\nremoved %q", before, after, back)
		}
		if !reflect.DeepEqual(others(t, back), others(t, before)) || !reflect.DeepEqual(others(t, after), others(t, before)) {
			t.Fatalf("something else changed\ngiven   %q\nadded   %q\nremoved %q", before, after, back)
		}
	})
}

// checkHooks wants every hook of memctl once, and all others unchanged.
func checkHooks(t *testing.T, before, after []byte) {
	got, err := Hooks(after)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range fuzzed.Hooks {
		n := 0
		for _, h := range got {
			if h.Event == want.Event && h.Name() == want.Name() {
				n++
			}
		}
		if n != 1 {
			t.Fatalf("%s: %d hooks in %q", want.Event, n, after)
		}
	}
	old, _ := Hooks(before)
	isMemctl := func(h Hook) bool { return h.Name() != "" }
	if !slices.EqualFunc(slices.DeleteFunc(old, isMemctl), slices.DeleteFunc(got, isMemctl), func(a, b Hook) bool { return reflect.DeepEqual(a, b) }) {
		t.Fatalf("other hooks changed\nbefore %q\nafter  %q", before, after)
	}
}

// others is everything in the file except hooks, rules and servers.
func others(t *testing.T, settings []byte) map[string]any {
	text := bytes.TrimPrefix(settings, []byte("\ufeff"))
	all := map[string]any{}
	if err := json.Unmarshal(text, &all); err != nil && len(bytes.TrimSpace(text)) > 0 {
		t.Fatalf("no longer JSON: %q", settings)
	}
	delete(all, "hooks")
	delete(all, "mcpServers")
	delete(all, "enabledMcpjsonServers")
	if permissions, ok := all["permissions"].(map[string]any); ok {
		delete(permissions, "allow")
		delete(permissions, "ask")
		if len(permissions) == 0 {
			delete(all, "permissions")
		}
	}
	return all
}
