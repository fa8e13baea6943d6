package files

import (
	"path/filepath"
	"strings"
	"testing"
)

// A tool may write a path in any form that Windows or Git Bash knows.
func TestLocateInFormsOfWindows(t *testing.T) {
	top := guardTree(t)
	memory := filepath.Join(top, "p", ".claude", "memory")
	drive, rest := filepath.VolumeName(memory), memory[2:]
	slashed := filepath.ToSlash(memory)
	for name, tt := range map[string]struct {
		path, root string
	}{
		"backslashes":                {memory + `\decisions\x.json`, memory},
		"slashes":                    {slashed + "/decisions/x.json", memory},
		"both":                       {slashed + `\decisions/x.json`, memory},
		"another case":               {strings.ToUpper(memory) + `\decisions\x.json`, strings.ToUpper(memory)},
		"without the drive":          {rest + `\decisions\x.json`, memory},
		"slashes without the drive":  {filepath.ToSlash(rest) + "/decisions/x.json", memory},
		"as Git Bash writes it":      {"/" + strings.ToLower(drive[:1]) + filepath.ToSlash(rest) + "/decisions/x.json", strings.ToLower(drive) + rest},
		"a drive that is not there":  {`Q:\p\.claude\memory\x.json`, `Q:\p\.claude\memory`},
		"on a server":                {`\\server\share\.claude\memory\x.json`, `\\server\share\.claude\memory`},
		"a long path":                {`\\?\` + memory + `\decisions\x.json`, `\\?\` + memory},
		"longer than MAX_PATH":       {memory + strings.Repeat(`\folder`, 60) + `\x.json`, memory},
		"below a device":             {`C:\p\nul\.claude\memory\x.json`, `C:\p\nul\.claude\memory`},
		"a file's other stream":      {memory + `\decisions\x.json::$DATA`, memory},
		"relative, with backslashes": {`..\.claude\memory\x.json`, memory},
	} {
		t.Run(name, func(t *testing.T) {
			got := Locate(tt.path, filepath.Join(top, "p", "src"))
			if len(got) == 0 || got[0].Root != tt.root {
				t.Errorf("%s: got %v, want the root %s", tt.path, got, tt.root)
			}
		})
	}
	for _, path := range []string{`C:\p\.claude\memory.json`, `C:\p\.claude\memories\x.json`, `\\.claude\memory`, `nul`, `C:`} {
		if got := Locate(path, filepath.Join(top, "p", "src")); len(got) > 0 {
			t.Errorf("%s: got %v", path, got)
		}
	}
}
