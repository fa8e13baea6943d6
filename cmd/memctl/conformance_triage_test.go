package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"memctl/files/systemtest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// triageOutcome is what a vector expects of a stop.
type triageOutcome struct {
	Exit      int
	Stderr    string
	Data      any            `json:"triage_data"`
	Contexts  map[string]any // a long text as its digest
	FlagAfter bool           `json:"flag_after"`
}

func TestConformanceTriage(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Name         string
		Transcript   []json.RawMessage
		TranscriptAt string `json:"transcript_at"`
		Config       json.RawMessage
		StopFlag     any `json:"stop_flag"`
		Stdin        json.RawMessage
		Expect       triageOutcome
	}
	readVectors(t, "triage", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			b := newTriageSandbox(t)
			if len(c.Config) > 0 && string(c.Config) != "null" {
				b.put("memory-config.json", c.Config)
			}
			path := b.place(c.TranscriptAt, transcriptText(t, c.Transcript))
			b.flag(c.StopFlag)
			out, _ := b.runStop(b.stopEvent(c.Stdin, path))
			got := b.outcome(out)
			want := c.Expect
			want.Stderr = bullets(want.Stderr)
			if want.Contexts == nil {
				want.Contexts = map[string]any{}
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
				t.Errorf("(-v5 +memctl):\n%s", diff)
			}
		})
	}
}

// triageSandbox has a project, a home, a temporary folder and a folder outside them.
type triageSandbox struct {
	sandbox
	home, temp, outside string
}

func newTriageSandbox(t *testing.T) triageSandbox {
	base := slashTemp(t)
	b := triageSandbox{sandbox{t: t, dir: base + "/temp/project", now: time.Now()}, base + "/home", base + "/temp", base + "/outside"}
	for _, dir := range []string{b.dir, b.home, b.outside} {
		b.check(os.MkdirAll(dir, 0o700))
	}
	return b
}

func (b triageSandbox) check(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// transcriptText joins lines, given as objects or as text, some of them repeated.
func transcriptText(t *testing.T, specs []json.RawMessage) string {
	t.Helper()
	var all strings.Builder
	for _, spec := range specs {
		var repeated struct {
			Repeat int
			Line   json.RawMessage
		}
		n := 1
		if json.Unmarshal(spec, &repeated) == nil && repeated.Line != nil {
			n, spec = repeated.Repeat, repeated.Line
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, spec); err != nil {
			t.Fatal(err)
		}
		line := compact.String()
		_ = json.Unmarshal(spec, &line) // text stays as it is
		all.WriteString(strings.Repeat(line+"\n", n))
	}
	return all.String()
}

// place writes the transcript and returns the path that the event gives.
func (b triageSandbox) place(at, text string) string {
	const name = "/session.jsonl"
	path := b.temp + "/tx" + name
	given := path
	switch at {
	case "relative":
		path, given = b.dir+"/tx"+name, "tx"+name
	case "home":
		path = b.home + "/.claude/projects/p" + name
		given = path
	case "home-sibling":
		path = b.home + "-other" + name
		given = path
	case "home-tilde":
		path, given = b.home+name, "~"+name
	case "outside":
		path = b.outside + name
		given = path
	case "link-to-outside":
		path, given = b.outside+name, b.temp+"/link.jsonl"
		systemtest.Symlink(b.t, path, given)
	case "missing":
		return b.temp + "/no-such-file.jsonl"
	case "directory":
		b.check(os.MkdirAll(path, 0o700))
		return path
	}
	b.check(os.MkdirAll(filepath.Dir(path), 0o700))
	b.check(os.WriteFile(path, []byte(text), 0o600))
	return given
}

func (b triageSandbox) flag(age any) {
	seconds, ok := map[any]float64{"fresh": 5, "stale": 3600}[age]
	if !ok {
		if seconds, ok = age.(float64); !ok {
			return
		}
	}
	path := filepath.Join(b.dir, ".claude/.stop_hook_active")
	b.check(os.MkdirAll(filepath.Dir(path), 0o755))
	b.check(os.WriteFile(path, nil, 0o644))
	at := time.Now().Add(-time.Duration(seconds) * time.Second)
	b.check(os.Chtimes(path, at, at))
}

func (b triageSandbox) stopEvent(stdin json.RawMessage, transcript string) string {
	var text string
	if json.Unmarshal(stdin, &text) == nil && stdin != nil {
		return text
	}
	event := map[string]any{"session_id": "s-1", "hook_event_name": "Stop", "cwd": b.dir, "transcript_path": transcript}
	if stdin != nil {
		b.check(json.Unmarshal(stdin, &event))
	}
	data, err := json.Marshal(event)
	b.check(err)
	return string(data)
}

func (b triageSandbox) runStop(event string) (out, errOut string) {
	b.t.Helper()
	return b.run(event, "hook", "stop")
}

// run runs memctl, which has to exit with 0.
func (b triageSandbox) run(stdin string, args ...string) (out, errOut string) {
	b.t.Helper()
	cmd, stdout, stderr := process(b.dir, stdin, args...)
	cmd.Env = append(cmd.Env, "HOME="+b.home, "USERPROFILE="+b.home, "TMPDIR="+b.temp, "TMP="+b.temp, "CLAUDE_CONFIG_DIR=")
	b.check(cmd.Run())
	return stdout.String(), stderr.String()
}

var (
	triageFile = regexp.MustCompile(`memctl stage show (\S+)`)
	triageLine = regexp.MustCompile(`(?m)^- \[[A-Z_]+\].*\(score: [\d.]+\)$`)
)

// bullets returns only the lines of the categories.
func bullets(text string) string { return strings.Join(triageLine.FindAllString(text, -1), "\n") }

// v5Asks is the exit status of a stop hook of v5 that asks the agent to go on. memctl
// answers with JSON and exits with 0.
const v5Asks = 2

// outcome reads the answer, the data that it names, and the context files.
func (b triageSandbox) outcome(out string) triageOutcome {
	b.t.Helper()
	got := triageOutcome{Contexts: map[string]any{}}
	if _, err := os.Stat(filepath.Join(b.dir, ".claude/.stop_hook_active")); err == nil {
		got.FlagAfter = true
	}
	ask := readHookAnswer(b.t, out).Specific.Context
	if ask == "" {
		return got
	}
	file := triageFile.FindStringSubmatch(ask)
	if file == nil {
		b.t.Fatalf("no triage data: %s", ask)
	}
	got.Exit, got.Stderr = v5Asks, bullets(ask)
	data, _ := b.run("", "stage", "show", file[1])
	b.check(json.Unmarshal([]byte(data), &got.Data))
	for _, item := range got.Data.(map[string]any)["categories"].([]any) {
		item := item.(map[string]any)
		path, _ := item["context_file"].(string)
		if !strings.HasPrefix(filepath.ToSlash(path), b.temp+"/memctl-") {
			b.t.Errorf("the context file %q is not in staging", path)
		}
		data, err := os.ReadFile(path)
		b.check(err)
		category := item["category"].(string)
		item["context_file"] = "@CTX:" + category + "@"
		got.Contexts[category] = digest(string(data))
	}
	return got
}

// digest shortens a long text as the vectors do.
func digest(s string) any {
	points := []rune(s)
	if len(points) <= 3000 {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return map[string]any{"bytes": float64(len(s)), "sha256": hex.EncodeToString(sum[:]),
		"head": string(points[:200]), "tail": string(points[len(points)-200:])}
}
