package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"memctl/hooks"
	"memctl/text"
)

// What the hooks have to do in the project of a trial.

func (t trial) checkSessionStart(r result) error {
	return r.expect(exitDone, "rebuilt its memory index of 1 file")
}

func (t trial) checkPrompt(r result) error {
	return r.expect(exitDone, "<memory-context", "decisions/trial-queue.json")
}

func (t trial) checkDenied(r result) error {
	if err := r.expect(exitDone, "{"); err != nil {
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
	if err := r.expect(exitDone, `"decision":"block"`, "half.json"); err != nil {
		return err
	}
	if _, err := os.Lstat(t.invalid()); err == nil {
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

// expect compares the exit status, and stdout with parts of it; "" is nothing at
// all.
func (r result) expect(code int, parts ...string) error {
	if r.code != code {
		return fmt.Errorf("exit status %d, expected %d", r.code, code)
	}
	for _, part := range parts {
		if part == "" && r.stdout != "" || !strings.Contains(r.stdout, part) {
			return fmt.Errorf("expected %q on stdout, got %q", part, text.Brief(r.stdout))
		}
	}
	return nil
}
