package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The vectors of testdata/conformance were recorded from claude-memory v5, without the
// behavior that memctl changes on purpose.

func readVectors(t *testing.T, area string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../testdata/conformance", area+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// memctl runs the binary and returns its streams. It fails the test unless the exit
// status is 0.
func memctl(t *testing.T, dir, stdin string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.Command("memctl", args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "MEMCTL_ROOT=", "CLAUDE_PROJECT_DIR=", typedVariable+"=yes")
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		t.Fatalf("memctl %s: %v\n%s", strings.Join(args, " "), err, errOut.String())
	}
	return out.String(), errOut.String()
}

// debugAll sends all cases to one run of a debug command.
func debugAll(t *testing.T, what string, payload, into any) {
	t.Helper()
	in, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	out, _ := memctl(t, t.TempDir(), string(in), "debug", what)
	if err := json.Unmarshal([]byte(out), into); err != nil {
		t.Fatal(err)
	}
}

func TestConformanceTokenize(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Name, Text string
		Tokens     []string
	}
	readVectors(t, "tokenize", &cases)
	texts := make([]string, len(cases))
	for i, c := range cases {
		texts[i] = c.Text
	}
	var got [][]string
	debugAll(t, "tokenize", texts, &got)
	for i, c := range cases {
		if diff := cmp.Diff(c.Tokens, got[i]); diff != "" {
			t.Errorf("%s (-v5 +memctl):\n%s", c.Name, diff)
		}
	}
}

func TestConformanceScore(t *testing.T) {
	t.Parallel()
	var cases []struct {
		scoreCase
		Name   string
		Expect scoreAnswer
	}
	readVectors(t, "score", &cases)
	payload := make([]scoreCase, len(cases))
	for i, c := range cases {
		payload[i] = c.scoreCase
	}
	var got []scoreAnswer
	debugAll(t, "score", payload, &got)
	for i, c := range cases {
		if got[i] != c.Expect {
			t.Errorf("%s: v5 says %+v, memctl %+v", c.Name, c.Expect, got[i])
		}
	}
}

func TestConformanceRetrieve(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Name   string
		Files  map[string]json.RawMessage
		Config json.RawMessage
		Stdin  json.RawMessage
		Want   string `json:"expect_stdout"`
	}
	readVectors(t, "retrieve", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			s := sandbox{t: t, dir: slashTemp(t), now: time.Now().UTC().Truncate(time.Second)}
			for path, body := range c.Files {
				s.put(path, body)
			}
			if len(c.Config) > 0 && string(c.Config) != "null" {
				s.put("memory-config.json", c.Config)
			}
			context := hookContext(t, s.dir, s.stdin(c.Stdin), "user-prompt-submit")
			if diff := cmp.Diff(strings.TrimRight(c.Want, "\n"), strings.TrimRight(context, "\n")); diff != "" {
				t.Errorf("-v5 +memctl:\n%s", diff)
			}
		})
	}
}

// slashTemp is a temporary folder whose path can stand in JSON, on Windows too.
func slashTemp(t *testing.T) string { return filepath.ToSlash(t.TempDir()) }

// sandbox is the project of one vector.
type sandbox struct {
	t   *testing.T
	dir string
	now time.Time
}

// put writes a file in the memory root: an object as JSON, a string verbatim,
// {"@dir": 1} as a folder.
func (s sandbox) put(path string, body json.RawMessage) {
	s.t.Helper()
	path = filepath.Join(s.dir, ".claude/memory", path)
	if bytes.Contains(body, []byte(`"@dir"`)) {
		if err := os.MkdirAll(path, 0o755); err != nil {
			s.t.Fatal(err)
		}
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	var text string
	if json.Unmarshal(body, &text) != nil {
		text = s.fill(string(body))
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s sandbox) stdin(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return s.fill(string(raw))
}

var nowPlaceholder = regexp.MustCompile(`"@now((?:-(?:\d+[dhms])+)?)(?:\|([^"]+))?"`)

// fill replaces @CWD@ and the placeholders for times.
func (s sandbox) fill(text string) string {
	text = strings.ReplaceAll(text, "@CWD@", s.dir)
	return nowPlaceholder.ReplaceAllStringFunc(text, func(match string) string {
		parts := nowPlaceholder.FindStringSubmatch(match)
		return strconv.Quote(s.stamp(parts[1], parts[2]))
	})
}

var durationPart = regexp.MustCompile(`(\d+)([dhms])`)

// stampFormats are the formats of times in the vectors.
var stampFormats = map[string]string{
	"": "2006-01-02T15:04:05Z", "naive": "2006-01-02T15:04:05", "date": "2006-01-02",
	"space": "2006-01-02 15:04:05", "spacez": "2006-01-02 15:04:05Z", "minute": "2006-01-02T15:04Z",
	"frac1z": "2006-01-02T15:04:05.5Z", "frac3z": "2006-01-02T15:04:05.123Z", "frac6": "2006-01-02T15:04:05.123456+00:00",
	"frac9z": "2006-01-02T15:04:05.123456789Z", "slash": "2006/01/02", "dmy": "02.01.2006",
	"rfc": "Mon, 02 Jan 2006 15:04:05 GMT", "words": "around January 2006", "yearmonth": "2006-01",
}

func (s sandbox) stamp(back, form string) string {
	at := s.now
	for _, part := range durationPart.FindAllStringSubmatch(back, -1) {
		n, _ := strconv.Atoi(part[1])
		unit := map[string]time.Duration{"d": 24 * time.Hour, "h": time.Hour, "m": time.Minute, "s": time.Second}[part[2]]
		at = at.Add(-time.Duration(n) * unit)
	}
	if form == "epoch" {
		return fmt.Sprint(at.Unix())
	}
	if zone, err := time.Parse("-07:00", form); err == nil {
		return at.In(zone.Location()).Format("2006-01-02T15:04:05-07:00")
	}
	layout, ok := stampFormats[form]
	if !ok {
		s.t.Fatalf("unknown form of time %q", form)
	}
	return formatLiteral(at, layout)
}

// formatLiteral formats a layout whose fraction is literal.
func formatLiteral(at time.Time, layout string) string {
	whole, fraction, found := strings.Cut(layout, ".")
	if !found || strings.HasPrefix(layout, "02.") {
		return at.Format(layout)
	}
	return at.Format(whole) + "." + fraction
}
