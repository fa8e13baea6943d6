package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestConformanceCandidate(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Name   string
		Files  map[string]json.RawMessage
		Args   []string
		Expect struct {
			Exit   any // a number, or "nonzero"
			Stdout any
			Stderr []string `json:"stderr_contains"`
		}
	}
	readVectors(t, "candidate", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			s := sandbox{t: t, dir: t.TempDir(), now: time.Now().UTC().Truncate(time.Second)}
			for path, body := range c.Files {
				s.put(path, body)
			}
			args := []string{"candidate"}
			for _, arg := range c.Args {
				args = append(args, strings.ReplaceAll(arg, "@ROOT@", filepath.Join(s.dir, ".claude/memory")))
			}
			out, errOut, code := exitStatus(t, s.dir, "", args...)
			if c.Expect.Exit == "nonzero" {
				if code == 0 {
					t.Errorf("exit status 0; stdout %s", out)
				}
				return
			}
			var got any
			if err := json.Unmarshal([]byte(out), &got); err != nil || c.Expect.Exit != float64(code) {
				t.Fatalf("exit status %d, want %v; stdout: %v; stderr %s", code, c.Expect.Exit, err, errOut)
			}
			if diff := cmp.Diff(c.Expect.Stdout, got); diff != "" {
				t.Errorf("-v5 +memctl:\n%s", diff)
			}
			for _, part := range c.Expect.Stderr {
				if !strings.Contains(errOut, part) {
					t.Errorf("stderr lacks %q: %q", part, errOut)
				}
			}
		})
	}
}
