package schemas

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func constraintOf(rule string, check *Check) *Memory {
	return &Memory{Category: Constraint, Content: &ConstraintContent{Rule: rule, Check: check, Severity: "high"}}
}

func TestProposeCheck(t *testing.T) {
	for name, tt := range map[string]struct {
		rule string
		want Check
	}{
		"a command":             {"Use `pnpm add`, never `npm install`.", Check{ForbiddenCommand: "npm install", Instead: "pnpm add"}},
		"a program of a folder": {"Never `./deploy.sh --force`.", Check{ForbiddenCommand: "./deploy.sh --force"}},
		"a placeholder":         {"Never `kubectl delete pod <name>`.", Check{ForbiddenCommand: "kubectl delete pod <name>"}},
		"code":                  {"Not `moment()` but `dayjs()`.", Check{ForbiddenLines: `\bmoment\(\)`, Instead: "dayjs()"}},
		"a name":                {"Never use `float64`.", Check{ForbiddenLines: `\bfloat64\b`}},
		"signs":                 {"Never `.only(`.", Check{ForbiddenLines: `\.only\(`}},
		"one word in capitals":  {"Never `TODO later`.", Check{ForbiddenLines: `\bTODO later\b`}},
		"two commands":          {"Never `npm install` or `npm ci`, but `pnpm add`.", Check{}},
		"a command and code":    {"Never `npm install` or `moment()`.", Check{}},
		"two of code":           {"Never `os.Exit` or `log.Fatal`.", Check{ForbiddenLines: `\blog\.Fatal\b|\bos\.Exit\b`}},
		"the same twice":        {"Never `os.Exit`. Not even `os.Exit`.", Check{ForbiddenLines: `\bos\.Exit\b`}},
		"a plain word":          {"Do not push to `main` directly.", Check{}},
		"a plain word and code": {"Never `eval` or `new Function(`.", Check{}},
		"two assignments":       {"Not `SKIP=a` or `SKIP=b`.", Check{ForbiddenLines: `\bSKIP=a\b|\bSKIP=b\b`}},
		"a condition":           {"Never run `rake test` from the root.", Check{}},
		"nothing forbidden":     {"Run `make migrate`.", Check{}},
		"no code":               {"Never deploy on Fridays.", Check{}},
		"too long":              {"Never `" + strings.Repeat("x", 201) + "`.", Check{}},
	} {
		t.Run(name, func(t *testing.T) {
			m, want := constraintOf(tt.rule, nil), &tt.want
			m.ProposeCheck()
			if want.Proposed = true; want.ForbiddenCommand+want.ForbiddenLines == "" {
				want = nil
			}
			if diff := cmp.Diff(want, m.ProposedCheck()); diff != "" {
				t.Error(diff)
			}
			if m.Check() != nil {
				t.Error("it counts before a person has confirmed it")
			}
			if c := m.ProposedCheck(); c != nil && c.ForbiddenLines != "" && c.Lines() == nil {
				t.Errorf("%q is not an expression", c.ForbiddenLines)
			}
		})
	}
}

func TestProposalsReplaceOnlyProposals(t *testing.T) {
	for name, tt := range map[string]struct {
		rule        string
		check, want *Check
	}{
		"a confirmed check stays":   {"Never `npm ci`.", &Check{ForbiddenCommand: "x y"}, &Check{ForbiddenCommand: "x y"}},
		"a proposal is replaced":    {"Never `npm ci`.", &Check{ForbiddenCommand: "x y", Proposed: true}, &Check{ForbiddenCommand: "npm ci", Proposed: true}},
		"a proposal goes with code": {"Be kind.", &Check{ForbiddenCommand: "x y", Proposed: true}, nil},
	} {
		m := constraintOf(tt.rule, tt.check)
		m.ProposeCheck()
		if diff := cmp.Diff(tt.want, m.Content.(*ConstraintContent).Check); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestOnlyConfirmedChecksCount(t *testing.T) {
	for check, want := range map[string]bool{
		`{"forbidden_command": "npm ci"}`:                      true,
		`{"forbidden_command": "npm ci", "proposed": false}`:   true,
		`{"forbidden_command": " npm\tci "}`:                   true,
		`{"forbidden_command": "npm ci", "proposed": true}`:    false,
		`{"forbidden_command": "npm ci", "proposed": "false"}`: false,
		`{"forbidden_command": "npm ci", "proposed": {}}`:      false,
		`{}`:       false,
		`"npm ci"`: false,
		`null`:     false,
	} {
		m, err := Decode([]byte(`{"category": "constraint", "content": {"rule": "This is ` + "`pnpm ci`" + `.", "check": ` + check + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		commands, wanted := m.Commands(), []string{"pnpm ci"}
		if want {
			wanted = []string{"npm ci"}
		}
		if diff := cmp.Diff(wanted, commands); diff != "" || (len(m.Forbidden()) > 0) != want {
			t.Errorf("%s: it forbids: %t\n%s", check, len(m.Forbidden()) > 0, diff)
		}
	}
}

// What programs read is no text of a memory: neither a search nor a digest has it.
func TestChecksAreNotText(t *testing.T) {
	m := constraintOf("Be kind.", &Check{ForbiddenCommand: "npm ci", Instead: "pnpm ci"})
	if got := m.Text() + strings.Join(m.Prose(), ""); strings.Contains(got, "npm") || !strings.Contains(got, "kind") {
		t.Error(got)
	}
}

func TestShowsBreach(t *testing.T) {
	for rule, want := range map[string]bool{
		"Never `npm install`.": true, "Never `float64`.": false, "Run `make all`.": false, "Be kind.": false,
	} {
		if got := constraintOf(rule, nil).ShowsBreach(); got != want {
			t.Errorf("%s: %t", rule, got)
		}
	}
	if !constraintOf("Be kind.", &Check{ForbiddenLines: "x"}).ShowsBreach() ||
		constraintOf("Be kind.", &Check{ForbiddenLines: "x", Proposed: true}).ShowsBreach() {
		t.Error("a check counts once it is confirmed")
	}
}
