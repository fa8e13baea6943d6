package retrieve

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memctl/files"
	"memctl/indexer"
	"memctl/schemas"
)

// call is what a tool is about to do, and the memory that is about it.
type call struct{ Tool, File, Command, Want string }

func (c call) action() Action {
	a := Action{Command: c.Command}
	if c.File != "" {
		a.Files = []string{c.File}
	}
	return a
}

func readLines[T any](t *testing.T, name string) (list []T) {
	t.Helper()
	data, err := os.ReadFile("../testdata/moments/" + name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// rootWith makes a memory root with memories, and its index.
func rootWith(t *testing.T, memories []json.RawMessage) files.Root {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	project := t.TempDir()
	for _, data := range memories {
		m, err := schemas.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		info, _ := m.Category.Info()
		at := filepath.Join(project, ".claude", "memory", info.Folder, m.ID+".json")
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := files.At(project)
	if err == nil {
		err = indexer.Use(t.Context(), root, indexer.Full, func(*indexer.Index) error { return nil })
	}
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// The rule that is about a call comes before it, and none before calls of other projects.
func TestAboutOnPlantedAndInnocuousCalls(t *testing.T) {
	type repository struct {
		Repository string
		Memories   []json.RawMessage
		Calls      []call
	}
	calls, right, wrong := 0, 0, 0
	innocuous := readLines[call](t, "innocuous.jsonl")
	for _, r := range readLines[repository](t, "planted.jsonl") {
		root := rootWith(t, r.Memories)
		for _, c := range r.Calls {
			results := About(root, c.action())
			calls++
			if slices.ContainsFunc(results[:min(2, len(results))], func(m Result) bool { return m.ID == c.Want }) {
				right++
			} else {
				t.Logf("%s: %s%s: no %s", r.Repository, c.File, c.Command, c.Want)
			}
		}
		for _, c := range innocuous {
			for _, m := range About(root, c.action()) {
				wrong++
				t.Logf("%s: %s%s: %s", r.Repository, c.File, c.Command, m.ID)
			}
		}
	}
	if calls < 58 || len(innocuous) < 300 || right < calls || wrong > 0 {
		t.Errorf("%d of %d calls have their rule, %d of %d innocuous ones have one", right, calls, wrong,
			len(innocuous))
	}
}

func TestAboutFile(t *testing.T) {
	for _, tt := range []struct {
		related, file string
		want          int
	}{
		{"src/pay.go", "src/pay.go", exact},
		{"./src/pay.go", "src/pay.go", exact},
		{"src/pay.go:12", "src/pay.go", exact},
		{"src/pay.go#L12", "src/pay.go", exact},
		{"src", "src/a/pay.go", inFolder},
		{"src/", "src/pay.go", inFolder},
		{"src/**/*.go", "src/pay.go", pattern},
		{"src/**/*.go", "src/a/b/pay.go", pattern},
		{"*.sql", "db/a.sql", pattern},
		{"src/*/pay.{go,ts}", "src/a/pay.ts", pattern},
		{"src/*", "src/a/pay.ts", pattern}, // a folder matches
		{"src/[ab].go", "src/b.go", pattern},
		{"pay.go", "src/pay.go", 0},
		{"src/pay", "src/pay.go", 0},
		{"src/p", "src/pay/a.go", 0},
		{".", "src/pay.go", 0},
		{"", "src/pay.go", 0},
		{"src/[", "src/pay.go", 0},
		{"src/*.go", "lib/pay.go", 0},
		{"/etc/passwd", "etc/passwd", 0},
	} {
		if got := aboutFile(tt.related, tt.file); got != tt.want {
			t.Errorf("%s about %s: got %d, want %d", tt.related, tt.file, got, tt.want)
		}
	}
}

func TestRuns(t *testing.T) {
	for _, tt := range []struct {
		code, line string
		want       bool
	}{
		{"npm install", "npm install zod", true},
		{"npm install", "cd app && npm --silent install", true},
		{"npm install", "npm --prefix app install", true},
		{"npm install", "npm run install", false},
		{"npm install", "echo npm install", false},
		{"npm install", "pnpm install", false},
		{"npm install", `git commit -m "npm install"`, false},
		{"npm install", "cat <<EOF\nnpm install\nEOF", false},
		{"git push --force", "git push origin main --force", true},
		{"git push --force", "git push --force-with-lease", false},
		{"rm -rf build", "rm -fr build", true},
		{"rm -rf build", "rm -r build", false},
		{"kubectl delete pod <name>", "kubectl -n x delete pod web-1", true},
		{"cd api && make", "cd api; make", true},
		{"cd api && make", "cd api", false},
		{"NODE_ENV=test jest", "npx jest", true},
		{"userId", "grep userId src", false},
		{"test", "test -f x", false},
		{"A=1", "ls", false},
	} {
		if got := runs(commandsOf([]byte("\nc\t"), Action{Command: tt.line}), tt.code); got != tt.want {
			t.Errorf("%s by %s: got %t", tt.code, tt.line, got)
		}
	}
}

// What has changed since the triggers were written does not count.
func TestAboutReadsTheMemory(t *testing.T) {
	memory := func(rule string) json.RawMessage {
		return json.RawMessage(`{"category": "constraint", "id": "rule", "record_status": "active", "related_files": ["` + rule + `"]}`)
	}
	root := rootWith(t, []json.RawMessage{memory("src")})
	at := root.Join("constraints/rule.json")
	if results := About(root, Action{Files: []string{"src/a.go"}}); len(results) != 1 {
		t.Fatalf("got %v", results)
	}
	for name, data := range map[string]string{
		"another file": string(memory("lib")),
		"retired":      strings.Replace(string(memory("src")), "active", "retired", 1),
		"broken":       "{",
	} {
		if err := os.WriteFile(at, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if results := About(root, Action{Files: []string{"src/a.go"}}); len(results) > 0 {
			t.Errorf("%s: got %v", name, results)
		}
	}
}

func FuzzAbout(f *testing.F) {
	f.Add("npm install", "npm install", "src/**/*.{go,ts}", "src/a.go")
	f.Fuzz(func(t *testing.T, line, code, pattern, file string) {
		runs(commandsOf([]byte("\nc\t"), Action{Command: line}), code)
		aboutFile(pattern, file)
	})
}
