package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"memctl/hooks"
	"memctl/text"
)

// hookTrials are the hooks in the order of a session, with what each one does in the
// project of a trial.
var hookTrials = []struct {
	name, done string
	check      func(trial, result) error
}{
	{"session-start", "said that it made the index", trial.checkSessionStart},
	{"user-prompt-submit", "injected a memory", trial.checkPrompt},
	{"pre-tool-use", "denied a write", trial.checkDenied},
	{"post-tool-use", "set an invalid memory aside", trial.checkSetAside},
	{"stop", "blocked, with something to save", trial.checkStop},
}

func (t trial) checkSessionStart(r result) error {
	return r.expect(0, "rebuilt its memory index of 1 file")
}

func (t trial) checkPrompt(r result) error {
	return r.expect(0, "<memory-context", "decisions/trial-queue.json")
}

func (t trial) checkDenied(r result) error {
	if err := r.expect(0, "{"); err != nil {
		return err
	}
	var answer struct {
		Output struct {
			Event    string `json:"hookEventName"`
			Decision string `json:"permissionDecision"`
		} `json:"hookSpecificOutput"`
	}
	err := json.Unmarshal([]byte(r.stdout), &answer)
	if err != nil || answer.Output.Event != "PreToolUse" || answer.Output.Decision != "deny" {
		return fmt.Errorf("it did not deny a write into the memory root: %s", text.Brief(r.stdout))
	}
	return nil
}

func (t trial) checkSetAside(r result) error {
	if err := r.expect(0, `"decision":"block"`, "half.json"); err != nil {
		return err
	}
	if _, err := os.Lstat(t.invalidMemory()); err == nil {
		return errors.New("it left an invalid memory in place")
	}
	return nil
}

func (t trial) checkStop(r result) error {
	if err := r.expect(hooks.ExitBlock, ""); err != nil {
		return err
	}
	for _, want := range []string{"[DECISION]", "<triage_data>", "context_file"} {
		if !strings.Contains(r.stderr, want) {
			return fmt.Errorf("it blocked without %s", want)
		}
	}
	return nil
}

// expect checks the exit status and looks for texts on stdout; "" means an empty
// stdout.
func (r result) expect(exitStatus int, texts ...string) error {
	if r.exitStatus != exitStatus {
		return fmt.Errorf("exit status %d, expected %d", r.exitStatus, exitStatus)
	}
	for _, want := range texts {
		if want == "" && r.stdout != "" || !strings.Contains(r.stdout, want) {
			return fmt.Errorf("expected %q on stdout, got %q", want, text.Brief(r.stdout))
		}
	}
	return nil
}
