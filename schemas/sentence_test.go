package schemas

import (
	"slices"
	"testing"
)

func TestSentenceAndCommands(t *testing.T) {
	tests := map[string]struct {
		file     string
		sentence string
		commands []string
		standing bool
	}{
		"a constraint": {
			`{"category": "constraint", "content": {"rule": "Use ` + "`pnpm  add`, never `npm install`" + `.", "severity": "high"}}`,
			"Use `pnpm  add`, never `npm install`.", []string{"npm install", "pnpm add"}, true,
		},
		"a constraint that ended": {
			`{"category": "constraint", "content": {"rule": "None.", "severity": "high", "active": false}}`, "None.", nil, false,
		},
		"a preference": {
			`{"category": "preference", "content": {"value": "Yes.", "strength": "strong", "examples": {"prefer": ["pnpm add"],
				"avoid": ["npm install", "the ` + "`yarn add` and `" + `", "a sentence with more words than a command"]}}}`,
			"Yes.", []string{"npm install", "yarn add"}, true,
		},
		"a decision": {`{"category": "decision", "content": {"decision": "SQLite.", "context": "` + "`rm -r`" + `"}}`, "SQLite.", nil, false},
		"a runbook": {
			`{"category": "runbook", "content": {"trigger": "The lock times out.", "steps": ["Run ` + "`make unlock`" + `", "Wait"]}}`,
			"The lock times out: 2 steps", []string{"make unlock"}, false,
		},
		"a runbook of one step": {
			`{"category": "runbook", "content": {"trigger": "It hangs", "steps": ["Wait."]}}`, "It hangs: one step: Wait.", nil, false,
		},
		"a tech debt":      {`{"category": "tech_debt", "content": {"description": "No tests."}}`, "No tests.", nil, false},
		"a session":        {`{"category": "session_summary", "content": {"goal": "Ship."}}`, "Ship.", nil, false},
		"no content":       {`{"category": "decision"}`, "", nil, false},
		"another category": {`{"category": "odd", "content": {"rule": "x"}}`, "", nil, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m, err := Decode([]byte(tt.file))
			if err != nil {
				t.Fatal(err)
			}
			if m.Sentence() != tt.sentence || !slices.Equal(m.Commands(), tt.commands) || m.Standing() != tt.standing {
				t.Errorf("got %q, %q, %t", m.Sentence(), m.Commands(), m.Standing())
			}
		})
	}
}
