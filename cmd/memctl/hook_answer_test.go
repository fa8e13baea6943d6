package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// hookAnswer is what a hook writes to stdout.
type hookAnswer struct {
	Message  string `json:"systemMessage"`
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Specific struct {
		Event    string `json:"hookEventName"`
		Context  string `json:"additionalContext"`
		Decision string `json:"permissionDecision"`
		Reason   string `json:"permissionDecisionReason"`
	} `json:"hookSpecificOutput"`
}

// decodeHookAnswer reads at most one JSON object, as the client does.
func decodeHookAnswer(out string) (a hookAnswer, err error) {
	if out == "" {
		return a, nil
	}
	dec := json.NewDecoder(strings.NewReader(out))
	dec.DisallowUnknownFields()
	err = dec.Decode(&a)
	if err == nil && dec.More() {
		err = json.Unmarshal([]byte(out), &a) // names what follows
	}
	return a, err
}

func readHookAnswer(t *testing.T, out string) hookAnswer {
	t.Helper()
	a, err := decodeHookAnswer(out)
	if err != nil {
		t.Fatalf("the answer is not one JSON object: %v: %s", err, out)
	}
	return a
}

// hookContext runs a hook and returns the text that the agent gets.
func hookContext(t *testing.T, dir, event, hook string) string {
	t.Helper()
	out, _ := memctl(t, dir, event, "hook", hook)
	return readHookAnswer(t, out).Specific.Context
}

// hookAnswerFiles writes what the last hook told the agent and the person into the files
// to-agent and to-person.
func hookAnswerFiles(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: answer")
	}
	a, err := decodeHookAnswer(ts.ReadFile("stdout"))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("to-agent"), []byte(a.Specific.Context), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("to-person"), []byte(line(a.Message)), 0o600))
}

// line ends a text with a line feed, unless it is empty.
func line(s string) string {
	if s == "" {
		return ""
	}
	return s + "\n"
}
