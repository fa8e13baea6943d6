package install

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMemctlIsFoundInACommand(t *testing.T) {
	tests := map[string]struct {
		command       string
		args          []string
		program, hook string // no hook: the command does not run memctl
	}{
		"a program and arguments": {"/opt/my tools/memctl", []string{"hook", "stop"}, "/opt/my tools/memctl", "stop"},
		"a line":                  {"memctl hook stop", nil, "memctl", "stop"},
		"flags between":           {"memctl --root . hook stop --root .", nil, "memctl", "stop"},
		"quotes":                  {`"$CLAUDE_PROJECT_DIR/my bin"/memctl hook 'stop'`, nil, "$CLAUDE_PROJECT_DIR/my bin/memctl", "stop"},
		"an escaped space":        {`/opt/my\ tools/memctl hook stop`, nil, "/opt/my tools/memctl", "stop"},
		"a path of Windows":       {`C:\tools\memctl.exe hook stop`, nil, `C:\tools\memctl.exe`, "stop"},
		"a variable set before":   {"MEMCTL_LOG=/tmp/x exec memctl hook stop", nil, "memctl", "stop"},
		"more than a program":     {"cd /tmp && memctl hook stop", nil, "", "stop"},
		"another command":         {"memctl status", nil, "", ""},
		"another program":         {"memctl-old hook stop", nil, "", ""},
		"no hook named":           {"memctl hook", nil, "", ""},
		"nothing":                 {"", nil, "", ""},
		"a quote left open":       {`memctl hook "stop`, nil, "memctl", "stop"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			program, hook, ok := Hook{Command: tt.command, Args: tt.args}.Memctl()
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
			words, simple := h.words()
			h.Memctl()
			Matches(h.Matcher, "Write")
			if simple && len(h.Args) > 0 && cmp.Diff(append([]string{h.Command}, h.Args...), words) != "" {
				t.Errorf("%+v became %q", h, words)
			}
		}
	})
}
