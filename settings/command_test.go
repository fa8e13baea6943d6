package settings

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMemctlHook(t *testing.T) {
	tests := map[string]struct {
		command       string
		args          []string
		program, hook string // "": it is none of memctl's
		plain         bool
	}{
		"a program and arguments": {"/opt/my tools/memctl", []string{"hook", "stop"}, "/opt/my tools/memctl", "stop", true},
		"a line":                  {"memctl hook stop", nil, "memctl", "stop", true},
		"flags between":           {"memctl --root . hook stop --root .", nil, "memctl", "stop", true},
		"quotes":                  {`"$CLAUDE_PROJECT_DIR/my bin"/memctl hook 'stop'`, nil, "$CLAUDE_PROJECT_DIR/my bin/memctl", "stop", true},
		"an escaped space":        {`/opt/my\ tools/memctl hook stop`, nil, "/opt/my tools/memctl", "stop", true},
		"a path of Windows":       {`C:\tools\memctl.exe hook stop`, nil, `C:\tools\memctl.exe`, "stop", true},
		"a variable set before":   {"MEMCTL_LOG=/tmp/x exec memctl hook stop", nil, "memctl", "stop", true},
		"more than a program":     {"cd /tmp && memctl hook stop", nil, "memctl", "stop", false},
		"another command":         {"memctl status", nil, "", "", true},
		"another program":         {"memctl-old hook stop", nil, "", "", true},
		"no hook named":           {"memctl hook", nil, "", "", true},
		"nothing":                 {"", nil, "", "", true},
		"a quote left open":       {`memctl hook "stop`, nil, "memctl", "stop", true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			words, plain := Words(Hook{Command: tt.command, Args: tt.args})
			program, hook, ok := MemctlHook(words)
			if program != tt.program || hook != tt.hook || ok != (tt.hook != "") || plain != tt.plain {
				t.Errorf("%q: program %q, hook %q, %v, plain %v", words, program, hook, ok, plain)
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

func TestReadSwitches(t *testing.T) {
	tests := map[string]struct {
		settings string
		off      bool
		plugins  map[string]bool
	}{
		"nothing":        {`{}`, false, map[string]bool{}},
		"off":            {`{"disableAllHooks": true}`, true, map[string]bool{}},
		"of other types": {`{"disableAllHooks": "true", "enabledPlugins": {"memctl@a": "yes"}}`, false, map[string]bool{"memctl@a": false}},
		"plugins":        {`{"enabledPlugins": {"memctl@a": true, "memctl@b": false, "memctl-x@a": true}}`, false, map[string]bool{"memctl@a": true, "memctl@b": false}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, err := ReadSwitches([]byte(tt.settings))
			if diff := cmp.Diff(tt.plugins, s.Plugins("memctl")); err != nil || s.DisableAllHooks != tt.off || diff != "" {
				t.Errorf("%+v, %v\n%s", s, err, diff)
			}
		})
	}
	if _, err := ReadSwitches([]byte("{")); err == nil {
		t.Error("read half a file")
	}
}

// Whatever stands in a settings file.
func FuzzSettings(f *testing.F) {
	f.Add([]byte(`{"hooks": {"Stop": [{"matcher": "(", "hooks": [{"type": "command", "command": "a\\ \"b' $(c)"}]}]}, "enabledPlugins": null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Hooks(data)
		switches, switchesErr := ReadSwitches(data)
		if err == nil && switchesErr == nil {
			switches.Plugins("memctl")
		}
		for _, h := range list {
			words, plain := Words(h)
			MemctlHook(words)
			Matches(h.Matcher, "Write")
			if plain && len(h.Args) > 0 && cmp.Diff(append([]string{h.Command}, h.Args...), words) != "" {
				t.Errorf("%+v became %q", h, words)
			}
		}
	})
}
