package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memctl/files/systemtest"

	"github.com/google/go-cmp/cmp"
)

// toolOutcome is what a vector expects of a tool event.
type toolOutcome struct {
	Exit        int
	Decision    *string
	Quarantined bool
	StillThere  bool `json:"still_there"`
}

func TestConformanceHooks(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Name, Event, Watch string
		Stdin              json.RawMessage
		Files              map[string]json.RawMessage
		ProjectFiles       map[string]json.RawMessage `json:"project_files"`
		HomeFiles          map[string]json.RawMessage `json:"home_files"`
		Expect             toolOutcome
	}
	readVectors(t, "hooks", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			b := toolSandbox{sandbox{t: t, dir: slashTemp(t), now: time.Now().UTC().Truncate(time.Second)}, slashTemp(t)}
			for path, body := range c.Files {
				b.put(path, body)
			}
			b.putIn(b.dir, c.ProjectFiles)
			b.putIn(b.home, c.HomeFiles)
			cmd, out, errOut := process(b.dir, b.filled(b.stdin(c.Stdin)), "hook", c.Event)
			cmd.Env = append(cmd.Env, "HOME="+b.home, "USERPROFILE="+b.home)
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v: %s", err, errOut)
			}
			got := toolOutcome{Decision: decisionOf(t, out.Bytes())}
			if c.Watch != "" {
				got.Quarantined, got.StillThere = fate(t, filepath.Join(b.dir, c.Watch))
			}
			if diff := cmp.Diff(c.Expect, got); diff != "" {
				t.Errorf("(-v5 +memctl):\n%s\n%s%s", diff, out, errOut)
			}
		})
	}
}

// toolSandbox is a project and a home.
type toolSandbox struct {
	sandbox
	home string
}

func (b toolSandbox) filled(text string) string {
	return strings.NewReplacer("@CWD@", b.dir, "@HOME@", b.home).Replace(text)
}

// putIn writes files: text, or {"@symlink": target}.
func (b toolSandbox) putIn(dir string, files map[string]json.RawMessage) {
	b.t.Helper()
	for path, body := range files {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.t.Fatal(err)
		}
		var text string
		var link map[string]string
		var err error
		if json.Unmarshal(body, &text) == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		} else if err = json.Unmarshal(body, &link); err == nil {
			systemtest.Symlink(b.t, b.filled(link["@symlink"]), path)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// decisionOf is the decision that a client reads from the stdout of a hook, or nil. A
// block counts as the deny of v5.
func decisionOf(t *testing.T, out []byte) *string {
	t.Helper()
	if len(out) == 0 {
		return nil
	}
	var answer struct {
		Decision, Reason string
		Output           struct {
			Event    string `json:"hookEventName"`
			Decision string `json:"permissionDecision"`
			Reason   string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("stdout is not JSON: %v: %s", err, out)
	}
	said := answer.Output.Decision
	if answer.Decision == "block" {
		said = "deny"
	} else if answer.Output.Event != "PreToolUse" {
		t.Errorf("the client drops this answer: %s", out)
	}
	if answer.Reason+answer.Output.Reason == "" {
		t.Errorf("no reason is given: %s", out)
	}
	return &said
}

// fate reports whether a file was set aside and whether it is still in place.
func fate(t *testing.T, path string) (quarantined, there bool) {
	t.Helper()
	aside, err := filepath.Glob(path + ".invalid.[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Lstat(path)
	return len(aside) > 0, err == nil
}
