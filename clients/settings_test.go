package clients

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	inSettings SettingsForm
	stop       = Hook{Event: "Stop", Command: Claude.shellLine("memctl", "stop"), Timeout: 30, StatusMessage: "Looking"}
	guard      = Hook{Event: "PreToolUse", Matcher: "Write|Edit", Command: Claude.shellLine("memctl", "pre-tool-use"), Timeout: 5, StatusMessage: "Guarding"}
	// entry is stop as it stands in a file of one line.
	entry = `{"type": "command", "command": "exec 2>/dev/null; memctl hook stop; exit 0", "timeout": 30, "statusMessage": "Looking"}`
	group = `{"hooks": [` + entry + `]}`
)

func TestAddKeepsToTheFilesLayout(t *testing.T) {
	tests := map[string]struct{ before, after string }{
		"no file": {"", `{
  "hooks": {
    "Stop": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "exec 2>/dev/null; memctl hook stop; exit 0",
            "timeout": 30,
            "statusMessage": "Looking"
          }
        ]
      }
    ]
  },
  "permissions": {
    "allow": [
      "Bash(memctl list:*)",
      "Bash(memctl show:*)"
    ]
  }
}
`},
		"tabs, a line for each, no final newline": {
			"{\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"Read\"\n\t\t]\n\t}\n}",
			"{\n\t\"permissions\": {\n\t\t\"allow\": [\n\t\t\t\"Read\",\n\t\t\t\"Bash(memctl list:*)\",\n\t\t\t\"Bash(memctl show:*)\"\n\t\t]\n\t},\n" +
				"\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\"command\": \"exec 2>/dev/null; memctl hook stop; exit 0\",\n" +
				"\t\t\t\t\t\t\"timeout\": 30,\n\t\t\t\t\t\t\"statusMessage\": \"Looking\"\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}",
		},
		"one line": {
			`{"model":"opus"}`,
			`{"model":"opus", "hooks": {"Stop": [` + group + `]}, "permissions": {"allow": ["Bash(memctl list:*)", "Bash(memctl show:*)"]}}`,
		},
		"a list on one line among others": {
			"\ufeff{\r\n  \"permissions\": {\"allow\": [\"Read\"]},\r\n  \"hooks\": {\"Stop\": [{\"hooks\": [" + entry + "]}]}\r\n}\r\n",
			"\ufeff{\r\n  \"permissions\": {\"allow\": [\"Read\", \"Bash(memctl list:*)\", \"Bash(memctl show:*)\"]},\r\n  \"hooks\": {\"Stop\": [{\"hooks\": [" + entry + "]}]}\r\n}\r\n",
		},
		"rules that others allow already": {
			`{"permissions":{"allow":["Bash(memctl *)"]},"hooks":{"Stop":[{"hooks":[` + entry + `]}]}}`,
			`{"permissions":{"allow":["Bash(memctl *)"]},"hooks":{"Stop":[{"hooks":[` + entry + `]}]}}`,
		},
		"a rule for every command": {
			`{"permissions":{"allow":["Bash(*)"]},"hooks":{"Stop":[{"hooks":[` + entry + `]}]}}`,
			`{"permissions":{"allow":["Bash(*)"]},"hooks":{"Stop":[{"hooks":[` + entry + `]}]}}`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := Entries{Hooks: []Hook{stop}, Rules: []string{"Bash(memctl list:*)", "Bash(memctl show:*)"}}
			if diff := cmp.Diff(tt.after, string(mustAdd(t, []byte(tt.before), e))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAddBringsAnOlderInstallUpToDate(t *testing.T) {
	other := `{"type":"command","command":"other"}`
	tests := map[string]struct{ before, after string }{
		"a bare line": {
			`[{"hooks":[{"type": "command", "command": "/opt/old/memctl hook stop", "timeout": 9, "statusMessage": "Looking"}]}]`,
			`[{"hooks":[` + entry + `]}]`,
		},
		"a bare line, with a field of the user's": {
			`[{"hooks":[{"type":"command","command":"'/my bin/memctl.exe' hook stop","async":false}]}]`,
			`[{"hooks":[{"type":"command","command":"exec 2>/dev/null; memctl hook stop; exit 0","async":false, "timeout": 30, "statusMessage": "Looking"}]}]`,
		},
		"another path, with an argument that the user added to the line": {
			`[{"hooks":[{"type": "command", "command": "exec 2>/dev/null; '/my bin/memctl' hook stop --root \"$A\"; exit 0", "timeout": 30, "statusMessage": "Looking"}]}]`,
			`[{"hooks":[{"type": "command", "command": "exec 2>/dev/null; memctl hook stop --root \"$A\"; exit 0", "timeout": 30, "statusMessage": "Looking"}]}]`,
		},
		"twice":                       {`[{"hooks":[` + entry + `,` + other + `]},{"hooks":[` + entry + `]}]`, `[{"hooks":[` + entry + `,` + other + `]}]`},
		"under another matcher":       {`[{"matcher":"x","hooks":[` + entry + `]}]`, `[{"matcher":"","hooks":[` + entry + `]}]`},
		"under a matcher of others":   {`[{"matcher":"x","hooks":[` + other + `,` + entry + `]}]`, `[{"matcher":"x","hooks":[` + other + `]}, ` + group + `]`},
		"next to another of memctl":   {`[{"hooks":[{"type":"command","command":"memctl hook notes"}]}]`, `[{"hooks":[{"type":"command","command":"memctl hook notes"}]}, ` + group + `]`},
		"a program of a similar name": {`[{"hooks":[{"type":"command","command":"notmemctl hook stop"}]}]`, `[{"hooks":[{"type":"command","command":"notmemctl hook stop"}]}, ` + group + `]`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := string(mustAdd(t, []byte(`{"hooks":{"Stop":`+tt.before+`}}`), Entries{Hooks: []Hook{stop}}))
			if diff := cmp.Diff(`{"hooks":{"Stop":`+tt.after+`}}`, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRemoveRestoresTheFileBefore(t *testing.T) {
	e := Entries{Hooks: []Hook{guard, stop}, Rules: []string{"Bash(memctl list:*)"}}
	for _, before := range []string{
		`{}`, "{\n}\n", " { } ", "{ \"hooks\": { } }", `{"hooks":{"Stop":[ ]},"permissions":{"allow":[]},"a":1}`,
		`{"a": [1 , 2 ], "permissions": {"deny": ["x"]}  }`, "{\n\n  \"a\" : 1\n}", `{"permissions":{"allow":["Read" ]}}`,
		`{"hooks":{"Stop":[{"hooks":[{"type":"prompt","prompt":"memctl hook stop"} ]}]}}`,
	} {
		after := mustAdd(t, []byte(before), e)
		got, err := inSettings.Remove(after, []byte(before))
		if err != nil || string(got) != before {
			t.Errorf("%q became %q, then %q, %v", before, after, got, err)
		}
	}
}

func TestRemoveLeavesOtherEntries(t *testing.T) {
	tests := map[string]struct{ settings, before, after string }{
		"nothing of memctl":                    {`{ "hooks": {"Stop": []} }`, "", `{ "hooks": {"Stop": []} }`},
		"only memctl":                          {`{"hooks":{"Stop":[{"hooks":[` + entry + `]}]},"permissions":{"allow":["Bash(memctl list:*)"]}}`, "", ``},
		"in an event without a hook of memctl": {`{"hooks":{"SubagentStop":[{"hooks":[` + entry + `]}]},"a":1}`, "", `{"a":1}`},
		"between others":                       {`{"hooks":{"Stop":[{"hooks":[{"a":1}]}, {"hooks":[` + entry + ` ]} ,{"hooks":[]}]}}`, "", `{"hooks":{"Stop":[{"hooks":[{"a":1}]},{"hooks":[]}]}}`},
		"first of several":                     {"{\"permissions\":{\"allow\":[\n \"Bash(memctl list:*)\", \"Read\"]}}", "", "{\"permissions\":{\"allow\":[\n \"Read\"]}}"},
		"the first section":                    {"{\n \"hooks\":{\"Stop\":[{\"hooks\":[" + entry + "]}]}, \"a\":1}", "", "{\n \"a\":1}"},
		"the last, after a spaced comma":       {`{"a":1 ,"hooks":{"Stop":[{"hooks":[` + entry + `]}]}}`, "", `{"a":1 }`},
		"the last rule, after one":             {`{"permissions":{"allow":["Read" ,"Bash(memctl list:*)"]}}`, "", `{"permissions":{"allow":["Read" ]}}`},
		"a rule that stood there before":       {`{"permissions":{"allow":["Bash(memctl list:*)"]}}`, `{"permissions":{"allow":["Bash(memctl list:*)"]}}`, `{"permissions":{"allow":["Bash(memctl list:*)"]}}`},
		"a backup that is not JSON":            {`{"hooks":{"Stop":[{"hooks":[` + entry + `]}]}}`, `{`, ``},
		"a backup of an older install":         {`{"hooks":{"Stop":[{"hooks":[` + entry + `]}]}}`, `{"hooks":{"Stop":[{"hooks":[` + entry + `]}]}}`, ``},
		"a rule that an edited file had":       {`{"b":1,"permissions":{"allow":["Bash(memctl list:*)"]},"hooks":{"Stop":[{"hooks":[` + entry + `]}]}}`, `{"permissions":{"allow":["Bash(memctl list:*)"]}}`, `{"b":1,"permissions":{"allow":["Bash(memctl list:*)"]}}`},
		"an emptied file that had content":     {`{"hooks":{"Stop":[{"hooks":[` + entry + `]}]}}`, `{"a":1}`, `{}`},
		"a rule that install does not add":     {`{"permissions":{"allow":["Bash(memctl gc:*)"]}}`, "", `{"permissions":{"allow":["Bash(memctl gc:*)"]}}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := inSettings.Remove([]byte(tt.settings), bytesOrNil(tt.before))
			if err != nil || string(got) != tt.after {
				t.Errorf("got %s, %v, want %s", got, err, tt.after)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	tests := map[string]struct{ settings, says string }{
		"cut short":             {"{\n  \"a\": ", "line 2, column 7: unexpected end of JSON input"},
		"a comment":             {"{\n  // model\n}", "line 2, column 3: invalid character '/'"},
		"a trailing comma":      {"{\"a\": \"한\",\n}", "line 2, column 1: invalid character '}'"},
		"a second value":        {`{"한": 1} 2`, "line 1, column 10: invalid character '2'"},
		"no object":             {` []`, "line 1, column 2: the settings: expected an object, found an array"},
		"UTF-16":                {"\xff\xfe{\x00", "line 1, column 1: invalid character"},
		"Latin-1":               {"{\"caf\xe9\": {}}", "it is not UTF-8"},
		"hooks of a wrong type": {`{"hooks": "x"}`, "line 1, column 11: hooks: expected an object, found a string"},
		"hooks that are null":   {`{"hooks": null}`, "line 1, column 11: hooks: expected an object, found null"},
		"an event":              {"{\"hooks\": {\n\"Stop\": {}}}", "line 2, column 9: hooks.Stop: expected an array, found an object"},
		"an event of no use":    {`{"hooks": {"Nope": {}}}`, "hooks.Nope: expected an array"},
		"a group":               {`{"hooks": {"Stop": [1]}}`, "line 1, column 21: hooks.Stop[0]: expected an object, found a number"},
		"a group's hooks":       {`{"hooks": {"Stop": [{"hooks": true}]}}`, "hooks.Stop[0].hooks: expected an array, found true"},
		"a hook":                {`{"hooks": {"Stop": [{"hooks": [{}, "memctl"]}]}}`, "hooks.Stop[0].hooks[1]: expected an object, found a string"},
		"hooks twice":           {`{"hooks": {}, "ho\u006fks": {}}`, `line 1, column 15: the settings: "hooks" is there twice`},
		"an event twice":        {`{"hooks": {"Stop": [], "Stop": []}}`, `hooks: "Stop" is there twice`},
		"too deep":              {`{"a":` + strings.Repeat("[", 1<<20), "exceeded max depth"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for verb, err := range map[string]error{"Hooks": hooksError(tt.settings), "Add": addError(tt.settings), "Remove": removeError(tt.settings)} {
				if err == nil || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("%s: %v, want %s", verb, err, tt.says)
				}
			}
		})
	}
	for settings, says := range map[string]string{
		`{"permissions": []}`:           "permissions: expected an object",
		`{"permissions": {"allow": 1}}`: "permissions.allow: expected an array",
	} {
		if err := addError(settings); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", settings, err)
		}
		if err := removeError(settings); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", settings, err)
		}
	}
}

func TestHooksListsCommands(t *testing.T) {
	got, err := Hooks([]byte(`{"hooks": {
		"Stop": [{"hooks": [{"type": "prompt", "prompt": "memctl"}, {"type": "command", "command": "a b", "timeout": "x"}]}],
		"PreToolUse": [{"matcher": "Write|Edit", "hooks": [{"type": "command", "command": "/x/memctl hook pre-tool-use", "timeout": 5.0}]}, {}]}}`))
	want := []Hook{
		{Event: "Stop", Command: "a b"},
		{Event: "PreToolUse", Matcher: "Write|Edit", Command: "/x/memctl hook pre-tool-use", Timeout: 5},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
	if got[0].Name() != "" || got[1].Name() != "pre-tool-use" {
		t.Errorf("names %q and %q", got[0].Name(), got[1].Name())
	}
}

func mustAdd(t *testing.T, settings []byte, e Entries) []byte {
	t.Helper()
	after, err := inSettings.Add(settings, e)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

func bytesOrNil(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}

func hooksError(settings string) error {
	_, err := Hooks([]byte(settings))
	return err
}

func addError(settings string) error {
	_, err := inSettings.Add([]byte(settings), Entries{Hooks: []Hook{stop}, Rules: []string{"Bash(memctl list:*)"}})
	return err
}

func removeError(settings string) error {
	_, err := inSettings.Remove([]byte(settings), nil)
	return err
}
