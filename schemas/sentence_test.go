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
			`{"category": "constraint", "content": {"rule": "Use ` + "`pnpm  add`, never `npm install`" +
				`.", "severity": "high"}}`,
			"Use `pnpm add`, never `npm install`.", []string{"npm install"}, true,
		},
		"a constraint that ended": {
			`{"category": "constraint", "content": {"rule": "None.", "severity": "high", "active": false}}`, "None.",
			nil, false,
		},
		"a preference": {
			`{"category": "preference", "content": {"value": "Yes.", "strength": "strong", "examples": {"prefer": ["pnpm add"],
				"avoid": ["npm install", "the ` + "`yarn add` and `" + `", "a sentence with more words than a command"]}}}`,
			"Yes.", []string{"npm install", "yarn add"}, true,
		},
		"a decision": {`{"category": "decision", "content": {"decision": "SQLite.", "context": "` + "`rm -r`" + `"}}`,
			"SQLite.", nil, false},
		"a rule in a constraint's second sentence": {
			`{"category": "constraint", "content": {"rule": "Deploys take an hour.", "impact": ["` + "`make deploy`" +
				` is slow.", "Never run ` + "`kubectl apply`" + `."]}}`,
			"Deploys take an hour.", []string{"kubectl apply"}, false,
		},
		"a rule in the title": {
			`{"category": "constraint", "title": "Never run ` + "`kubectl apply`" +
				`", "content": {"rule": "The pipeline does it."}}`,
			"The pipeline does it.", []string{"kubectl apply"}, false,
		},
		"a decision that lays down a rule": {
			`{"category": "decision", "content": {"decision": "We deploy with ` + "`make deploy`" + `, never with ` +
				"`kubectl apply`" + `."}}`,
			"We deploy with `make deploy`, never with `kubectl apply`.", []string{"kubectl apply"},
			false,
		},
		"a runbook": {
			`{"category": "runbook", "content": {"trigger": "The lock times out.", "steps": ["Run ` + "`make unlock`" +
				`", "Wait"]}}`,
			"The lock times out: 2 steps", []string{"make unlock"}, false,
		},
		"a runbook of one step": {
			`{"category": "runbook", "content": {"trigger": "It hangs", "steps": ["Wait."]}}`, "It hangs: Wait.", nil,
			false,
		},
		"a runbook without a trigger": {
			`{"category": "runbook", "content": {"trigger": "", "steps": ["Restart labeld."]}}`, "Restart labeld.", nil,
			false,
		},
		"a tech debt": {`{"category": "tech_debt", "content": {"description": "No tests."}}`, "No tests.", nil,
			false},
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
			if m.Sentence() != tt.sentence || !slices.Equal(m.Commands(), tt.commands) ||
				m.IsStandingRule() != tt.standing {
				t.Errorf("got %q, %q, %t", m.Sentence(), m.Commands(), m.IsStandingRule())
			}
		})
	}
}

func TestAddition(t *testing.T) {
	rule := func(rule string, impact ...string) Content { return &ConstraintContent{Rule: rule, Impact: impact} }
	for name, tt := range map[string]struct {
		title   string
		content Content
		want    string
	}{
		"the title in other forms": {"Use pnpm, never npm", rule("Use `pnpm`, never NPM!"), ""},
		"words of the title only":  {"If it hangs, restart it", rule("If it hangs: restart it"), ""},
		"the reason":               {"Use pnpm", rule("npm breaks the cache."), "npm breaks the cache."},
		"the title and more":       {"Use pnpm", rule("Use pnpm 9."), "Use pnpm 9."},
		"Korean":                   {"배포는 화요일에 한다", rule("배포는 화요일에 한다."), ""},
		"a title cut off":          {"Use pn…", rule("Use pnpm"), "Use pnpm"},
		"no title":                 {"", rule("Use pnpm"), "Use pnpm"},
		"the rule is second": {"Deploys go through the pipeline",
			rule("Deploys go through the pipeline. It takes an hour. Never run `kubectl apply` by hand."),
			"Never run `kubectl apply` by hand. It takes an hour."},
		"the rule is among the reasons": {"Deploys go through the pipeline",
			rule("Deploys go through the pipeline.", "It takes an hour.", "Never run `kubectl apply` by hand."),
			"Never run `kubectl apply` by hand. It takes an hour."},
		"no rule but a reason": {"The client is generated", rule("The client is generated.", "Edit the API's file."),
			"Edit the API's file."},
		"no rule but a sentence": {"The client", rule("The client is generated.", "By hand it took days."),
			"The client is generated."},
		"the rule is Korean": {"배포는 파이프라인으로 한다", rule("배포는 파이프라인으로 한다.", "손으로 실행하지 마세요."), "손으로 실행하지 마세요."},
		"the title is the rule": {"Never deploy by hand", rule("The pipeline does it.", "It must be on record."),
			"The pipeline does it. It must be on record."},
		"rejected options": {"PostgreSQL keeps the events", &DecisionContent{Decision: "PostgreSQL keeps the events.",
			Alternatives: []Alternative{{Option: "Kafka", RejectedReason: "nobody can run it"},
				{Option: "MySQL", RejectedReason: "no arrays"}}},
			"Rejected: Kafka (nobody can run it); MySQL (no arrays)"},
	} {
		t.Run(name, func(t *testing.T) {
			m := Memory{Category: Constraint, Title: tt.title, Content: tt.content}
			if got := m.Addition(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRepeats(t *testing.T) {
	memory := func(title, rule string, impact ...string) *Memory {
		return &Memory{Category: Constraint, Title: title, Content: &ConstraintContent{Rule: rule, Impact: impact,
			Severity: "high"}}
	}
	there := memory("Billing calls ledger on port 7010", "Billing calls ledger on port 7010.", "Locks were lost. A "+
		"retry has 10, the last one 20.")
	for name, tt := range map[string]struct {
		m    *Memory
		want bool
	}{
		"the title":              {memory("billing calls the ledger on port `7010`.", ""), true},
		"the title and a reason": {memory("Billing calls ledger on port 7010", "", "Locks were lost"), true},
		"another number":         {memory("Billing calls ledger on port 7011", ""), false},
		"another name":           {memory("Search calls ledger on port 7010", ""), false},
		"the other way round":    {memory("Ledger calls billing on port 7010", ""), false},
		"a negation":             {memory("Billing never calls ledger on port 7010", ""), false},
		"another reason":         {memory("Billing calls ledger on port 7010", "", "The audit wants it."), false},
		"numbers in another order": {memory("Billing calls ledger on port 7010", "", "A retry has 20, the last one "+
			"10."), false},
		"a sentence without its end": {memory("Billing calls ledger on port 7010", "", "A retry has 10."), false},
		"less in the title":          {memory("Billing calls ledger", ""), false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tt.m.Repeats(there); got != tt.want {
				t.Errorf("got %t", got)
			}
		})
	}
	for _, pair := range [][2]string{
		{"Use Node 20.1", "Use Node >=20.1"}, {"Alert at load > 5", "Alert at load < 5"},
		{"Compare with ==", "Compare with !="}, {"The offset is +5", "The offset is -5"},
		{"Ignore *.log", "Ignore !*.log"}, {"Edit src/api", "Edit /src/api"}, {"Run a && b", "Run a || b"},
		{"Set feature_flag", "Set feature-flag"},
		{"Set FEATURE_FLAG", "Set feature_flag"}, {"Use C", "Use C++"}, {"Use C++", "Use C#"},
		{"Builds are ✅", "Builds are ❌"}, {"Rate is 1.5", "Rate is 1,5"},
	} {
		if memory(pair[0], "").Repeats(memory(pair[1], "")) || memory(pair[1], "").Repeats(memory(pair[0], "")) {
			t.Errorf("%q repeats %q", pair[0], pair[1])
		}
	}
}
