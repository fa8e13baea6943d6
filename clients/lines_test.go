package clients

import (
	"strings"
	"testing"
)

func TestMemctlIsFoundInACommand(t *testing.T) {
	tests := map[string]struct {
		command       string
		program, hook string // no hook: the command does not run memctl
	}{
		"a line":                {"memctl hook stop", "memctl", "stop"},
		"flags between":         {"memctl --root . hook stop --root .", "memctl", "stop"},
		"quotes":                {`"$CLAUDE_PROJECT_DIR/my bin"/memctl hook 'stop'`, "$CLAUDE_PROJECT_DIR/my bin/memctl", "stop"},
		"an escaped space":      {`/opt/my\ tools/memctl hook stop`, "/opt/my tools/memctl", "stop"},
		"a path of Windows":     {`C:\tools\memctl.exe hook stop`, `C:\tools\memctl.exe`, "stop"},
		"a variable set before": {"MEMCTL_LOG=/tmp/x exec memctl hook stop", "memctl", "stop"},
		"more than a program":   {"cd /tmp && memctl hook stop", "", "stop"},
		"another command":       {"memctl status", "", ""},
		"another program":       {"memctl-old hook stop", "", ""},
		"no hook named":         {"memctl hook", "", ""},
		"nothing":               {"", "", ""},
		"a quote left open":     {`memctl hook "stop`, "memctl", "stop"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			program, hook, ok := Hook{Command: tt.command}.Memctl()
			if program != tt.program || hook != tt.hook || ok != (tt.hook != "") {
				t.Errorf("program %q, hook %q, %v", program, hook, ok)
			}
		})
	}
}

func TestMatches(t *testing.T) {
	tests := map[string]struct{ matcher, matched string }{
		"none":                 {"", "Write Edit Bash"},
		"a star":               {"*", "Write Edit Bash"},
		"a name":               {"Write", "Write"},
		"part of a name":       {"Wri", ""},
		"another case":         {"write", ""},
		"names":                {"Write|Edit", "Write Edit"},
		"names with commas":    {"Bash, Edit", "Edit Bash"},
		"a regular expression": {"Wri.*", "Write"},
		"a broken one":         {"(", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var matched []string
			for _, tool := range []string{"Write", "Edit", "Bash"} {
				if Matches(tt.matcher, tool) {
					matched = append(matched, tool)
				}
			}
			if got := strings.Join(matched, " "); got != tt.matched {
				t.Errorf("matches %q, want %q", got, tt.matched)
			}
		})
	}
}

// FuzzSettings reads settings files with any content.
func FuzzSettings(f *testing.F) {
	f.Add([]byte(`{"hooks": {"Stop": [{"matcher": "(", "hooks": [{"type": "command", "command": "a\\ \"b' $(c)"}]}]}, "enabledPlugins": null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, _ := Hooks(data)
		for _, h := range list {
			Matches(h.Matcher, "Write")
			if program, name, ok := h.Memctl(); ok && (name == "" || !strings.Contains(h.Command, "memctl")) {
				t.Errorf("%+v runs %q, hook %q", h, program, name)
			}
		}
	})
}
