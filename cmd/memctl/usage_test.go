package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every command except a hook prints "memctl: error:" to stderr and nothing to stdout. It
// exits with 1 if it refuses, with 2 for wrong usage.
func TestBadInputIsRefused(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put("decisions/kafka.json", "Kafka keeps the events")
	places := t.TempDir()
	for _, dir := range []string{"bare", "rootfile/.claude", "configdir/.claude/memory/memory-config.json"} {
		p.check(os.MkdirAll(filepath.Join(places, dir), 0o755))
	}
	for _, file := range []string{"rootfile/.claude/memory", "plain"} {
		p.check(os.WriteFile(filepath.Join(places, file), nil, 0o644))
	}
	at := func(place string) string { return filepath.Join(places, place) }

	tests := map[string]struct {
		args  []string
		stdin string
		code  int
		says  string
		hint  string // "" allows any
	}{
		"a misspelt command":            {args: []string{"serch"}, code: 2, says: `"serch"`, hint: `did you mean "memctl search"?`},
		"unknown command":               {args: []string{"xyzzy"}, code: 2, says: `"xyzzy"`, hint: "memctl --help"},
		"unknown flag":                  {args: []string{"--rot", "x"}, code: 2, says: "-rot", hint: "did you mean --root?"},
		"unknown flag of a command":     {args: []string{"list", "--nosuch"}, code: 2, says: "-nosuch", hint: "memctl list --help"},
		"unknown flag of a subcommand":  {args: []string{"debug", "score", "--nosuch"}, code: 2, says: "-nosuch", hint: "memctl debug score --help"},
		"unknown subcommand":            {args: []string{"debug", "nosuch"}, code: 2, says: `"nosuch"`},
		"--root without a value":        {args: []string{"list", "--root"}, code: 2, says: "-root", hint: "memctl list --help"},
		"not a number":                  {args: []string{"search", "--limit", "many", "kafka"}, code: 2, says: "many", hint: "memctl search --help"},
		"a limit below":                 {args: []string{"search", "--limit", "-1", "kafka"}, code: 2, says: "-1"},
		"a limit above":                 {args: []string{"search", "--limit", "1001", "kafka"}, code: 2, says: "1001"},
		"a listing's limit below":       {args: []string{"list", "--limit", "-1"}, code: 2, says: "-1"},
		"left-out below":                {args: []string{"explain", "--left-out", "-1", "kafka"}, code: 2, says: "-1"},
		"unknown category":              {args: []string{"search", "--category", "idea", "kafka"}, code: 2, says: `"idea"`},
		"unknown status":                {args: []string{"list", "--status", "gone"}, code: 2, says: `"gone"`},
		"unknown order":                 {args: []string{"list", "--sort", "size"}, code: 2, says: `"size"`},
		"unknown strategy":              {args: []string{"search", "--strategy", "llm", "kafka"}, code: 2, says: `"llm"`},
		"unknown shell":                 {args: []string{"completion", "tcsh"}, code: 2, says: `"tcsh"`},
		"no query":                      {args: []string{"search"}, code: 2, says: "query"},
		"a blank query":                 {args: []string{"search", " "}, code: 2, says: "query"},
		"no prompt":                     {args: []string{"explain"}, code: 2, says: "prompt"},
		"no id":                         {args: []string{"show"}, code: 2, says: "id"},
		"a batch from a file":           {args: []string{"search", "--batch", "file"}, code: 2, says: `"file"`},
		"a batch and a query":           {args: []string{"search", "--batch", "-", "kafka"}, code: 2, says: "not both"},
		"arguments to init":             {args: []string{"init", "here"}, code: 2, says: `"here"`},
		"arguments to list":             {args: []string{"list", "kafka"}, code: 2, says: `"kafka"`},
		"arguments to doctor":           {args: []string{"doctor", "kafka"}, code: 2, says: `"kafka"`},
		"arguments to candidate":        {args: []string{"candidate", "--category", "decision", "--new-info", "kafka", "redis"}, code: 2, says: `"redis"`},
		"no category":                   {args: []string{"candidate", "--new-info", "kafka"}, code: 2, says: "--category"},
		"a candidate of no category":    {args: []string{"candidate", "--category", "idea", "--new-info", "kafka"}, code: 2, says: `"idea"`},
		"no new information":            {args: []string{"candidate", "--category", "decision"}, code: 2, says: "--new-info"},
		"unknown lifecycle event":       {args: []string{"candidate", "--category", "decision", "--new-info", "kafka", "--lifecycle-event", "gone"}, code: 2, says: `"gone"`},
		"too much new information":      {args: []string{"candidate", "--category", "decision", "--new-info", "-"}, stdin: strings.Repeat("k", 1<<20+1), code: 1, says: "1 MiB"},
		"arguments to validate":         {args: []string{"validate", "kafka"}, code: 2, says: `"kafka"`},
		"arguments to reindex":          {args: []string{"reindex", "kafka"}, code: 2, says: `"kafka"`},
		"no root":                       {args: []string{"--root", at("bare"), "list"}, code: 1, says: "no memory root", hint: "memctl setup"},
		"a root that does not exist":    {args: []string{"--root", at("nowhere"), "search", "kafka"}, code: 1, says: "nowhere", hint: "memctl setup"},
		"a root that is a plain file":   {args: []string{"--root", at("plain"), "doctor", "--memories"}, code: 1, says: "plain"},
		"a project whose root is one":   {args: []string{"--root", at("rootfile"), "reindex"}, code: 1, says: "expected a folder, found a regular file"},
		"init where the root is a file": {args: []string{"--root", at("rootfile"), "init"}, code: 1, says: "memory"},
		"init below a plain file":       {args: []string{"--root", at("plain"), "init"}, code: 1, says: "plain"},
		"an unreadable config":          {args: []string{"--root", at("configdir"), "search", "kafka"}, code: 1, says: "memory-config.json", hint: "readable"},
		"a category without limits":     {args: []string{"gc", "--category", "decision"}, code: 2, says: "--limits"},
		"an unknown id":                 {args: []string{"show", "redis"}, code: 1, says: `"redis"`, hint: "memctl list"},
		"nearly an id":                  {args: []string{"show", "kafka2"}, code: 1, says: `"kafka2"`, hint: "kafka"},
		"a timeline of nothing":         {args: []string{"timeline"}, code: 2, says: "needs an id"},
		"a timeline of an unknown id":   {args: []string{"timeline", "redis"}, code: 1, says: `"redis"`, hint: "memctl list"},
		"a timeline of a path":          {args: []string{"timeline", "../../../etc/passwd"}, code: 1, says: "outside"},
		"a window without end":          {args: []string{"timeline", "--window", "1000000000", "kafka"}, code: 2, says: "--window: expected 0 to 50"},
		"a window below 0":              {args: []string{"timeline", "--window", "-1", "kafka"}, code: 2, says: "--window"},
		"no budget":                     {args: []string{"search", "--smart", "--budget", "0", "kafka"}, code: 2, says: "--budget: expected 100 to 100000, got 0"},
		"a budget without end":          {args: []string{"search", "--smart", "--budget", "1000000000", "kafka"}, code: 2, says: "--budget: expected 100 to 100000"},
		"a budget for nothing":          {args: []string{"search", "--budget", "500", "kafka"}, code: 2, says: "--smart"},
		"a smart batch":                 {args: []string{"search", "--smart", "--batch", "-"}, code: 2, says: "--batch"},
		"arguments to mcp":              {args: []string{"mcp", "kafka"}, code: 2, says: `"kafka"`},
		"a server and none":             {args: []string{"install", "--mcp", "--no-mcp"}, code: 2, says: "--mcp and --no-mcp contradict each other"},
		"a path out of the root":        {args: []string{"show", "../../../etc/passwd"}, code: 1, says: "outside"},
		"an absolute path out of it":    {args: []string{"show", "/etc/passwd"}, code: 1, says: "outside"},
		"a name with a line break":      {args: []string{"show", "a\nb\x1b[2J"}, code: 1, says: "no memory"},
		"stdin that is empty":           {args: []string{"debug", "tokenize"}, code: 1, says: "stdin"},
		"stdin that is not JSON":        {args: []string{"debug", "tokenize"}, stdin: "\x00kafka", code: 1, says: "stdin"},
		"stdin of another type":         {args: []string{"debug", "score"}, stdin: `{"prompt":"kafka"}`, code: 1, says: "stdin"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			out, errOut, code := exitStatus(t, p.dir, tt.stdin, tt.args...)
			if code != tt.code || out != "" {
				t.Errorf("exit status %d, want %d; stdout %q", code, tt.code, out)
			}
			first, rest, _ := strings.Cut(errOut, "\n")
			if !strings.HasPrefix(first, "memctl: error: ") || !strings.Contains(first, tt.says) {
				t.Errorf("stderr does not say %q in its first line: %q", tt.says, errOut)
			}
			if !strings.HasPrefix(rest, "memctl: hint: ") || !strings.Contains(rest, tt.hint) {
				t.Errorf("stderr gives no hint of %q: %q", tt.hint, errOut)
			}
			if strings.Count(errOut, "\n") != 2 || strings.ContainsRune(errOut, '\x1b') {
				t.Errorf("stderr is more than an error and a hint: %q", errOut)
			}
		})
	}
}

// exitStatus runs memctl and returns its streams and its exit status.
func exitStatus(t *testing.T, dir, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd, out, errOut := process(dir, stdin, args...)
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errOut.String(), cmd.ProcessState.ExitCode()
}

// A batch gets one answer a line, whatever bytes it contains.
func TestBatchAnswersEveryLine(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put("decisions/kafka.json", "Kafka keeps the events")
	long := strings.Repeat("word ", 1<<20)
	tests := map[string]struct {
		stdin       string
		lines, hits int
	}{
		"nothing":                {"", 0, 0},
		"one line, no newline":   {"kafka", 1, 1},
		"blank lines":            {"\n\nkafka\n", 3, 1},
		"NUL bytes":              {"\x00\nka\x00fka\nevents\x00kafka\n", 3, 2}, // like spaces: "ka fka" finds kafka
		"invalid UTF-8":          {"\xff\xfe\nkafka\xff\n", 2, 1},
		"a line of 5 MB":         {long + "\nkafka\n", 2, 1},
		"carriage returns":       {"kafka\r\nredis\r\n", 2, 1},
		"SQL and full-text ones": {"' OR 1=1 --\n\"kafka\" NEAR(\n*\n", 3, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			out, errOut := memctl(t, p.dir, tt.stdin, "search", "--batch", "-")
			if got := strings.Count(out, "\n"); got != tt.lines || errOut != "" {
				t.Errorf("%d lines, want %d; stderr %q", got, tt.lines, errOut)
			}
			if got := strings.Count(out, `"id":"kafka"`); got != tt.hits {
				t.Errorf("%d hits, want %d", got, tt.hits)
			}
		})
	}
}

// A folder of the project with the name of a category's folder is not a memory root.
func TestInitInAProjectWithFoldersOfThoseNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sessions"), 0o755); err != nil {
		t.Fatal(err)
	}
	memctl(t, dir, "", "init")
	if _, err := os.Stat(filepath.Join(dir, ".claude/memory/sessions")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "decisions")); err == nil {
		t.Error("the project itself was made a memory root")
	}
}
