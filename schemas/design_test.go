package schemas

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// The tables here state the format of a memory a second time, by hand, so that a slip
// in a schema shows: TestEveryRuleIsChecked only compares the schemas with themselves.

func TestDesignRequired(t *testing.T) {
	for _, o := range []struct {
		category Category
		path     string
		required string
	}{
		{Decision, "", "schema_version category id title record_status created_at updated_at tags content"},
		{Decision, "changes.0", "date summary"},
		{Decision, "content", "status context decision rationale"},
		{Decision, "content.alternatives.0", "option rejected_reason"},
		{SessionSummary, "content", "goal outcome completed next_actions"},
		{Runbook, "content", "trigger steps verification"},
		{Constraint, "content", "kind rule impact severity active"},
		{TechDebt, "content", "status priority description reason_deferred"},
		{Preference, "content", "topic value reason strength"},
		{Preference, "content.examples", ""},
		{Constraint, "content.check", ""},
	} {
		doc := decodeAny(t, fullMemory(o.category))
		path := split(o.path)
		for name := range at(doc, path).(map[string]any) {
			field := append(slices.Clone(path), name)
			got := validateValue(t, changed(doc, field, absent))
			if slices.Contains(strings.Fields(o.required), name) {
				wantOne(t, got, dotted(field), "required")
			} else if got != nil {
				t.Errorf("%s without %s: %q", o.category, dotted(field), got)
			}
		}
	}
}

func TestDesignEnums(t *testing.T) {
	for _, e := range []struct {
		category Category
		path     string
		values   string
	}{
		{Decision, "record_status", "active, retired, archived"},
		{Decision, "content.status", "proposed, accepted, deprecated, superseded"},
		{SessionSummary, "content.outcome", "success, partial, blocked, abandoned"},
		{Constraint, "content.kind", "limitation, gap, policy, technical"},
		{Constraint, "content.severity", "high, medium, low"},
		{TechDebt, "content.status", "open, in_progress, resolved, wont_fix"},
		{TechDebt, "content.priority", "critical, high, medium, low"},
		{Preference, "content.strength", "strong, default, soft"},
	} {
		doc := decodeAny(t, fullMemory(e.category))
		got := validateValue(t, changed(doc, split(e.path), "bogus"))
		if wantOne(t, got, e.path, "enum"); got[0].Expected != "one of "+e.values {
			t.Errorf("%s %s: %s", e.category, e.path, got[0].Expected)
		}
		for value := range strings.SplitSeq(e.values, ", ") {
			if got := validateValue(t, changed(doc, split(e.path), value)); got != nil {
				t.Errorf("%s: %q", e.category, got)
			}
		}
	}
}

func TestDesignLimits(t *testing.T) {
	change := decodeAny(t, `{"date":"2026-01-31T09:00:00Z","summary":"s"}`)
	const ok = ""
	for _, test := range []struct {
		category Category
		field    string
		value    any
		rule     string
	}{
		{Decision, "schema_version", "1.1", "const"},
		{Decision, "id", strings.Repeat("a", 80), ok},
		{Decision, "id", strings.Repeat("a", 81), "pattern"},
		{Decision, "id", "a--b", ok},
		{Decision, "id", "", "pattern"},
		{Decision, "id", "-a", "pattern"},
		{Decision, "id", "a-", "pattern"},
		{Decision, "id", "A", "pattern"},
		{Decision, "id", "a/b", "pattern"},
		{Decision, "id", "a\n", "pattern"},
		{Decision, "title", strings.Repeat("가", 120), ok},
		{Decision, "title", strings.Repeat("가", 121), "maxLength"},
		{Decision, "created_at", "2026-01-31", "format"},
		{Decision, "updated_at", "2026-02-30T09:00:00Z", "format"},
		{Decision, "retired_at", "2026-01-31T09:00:00", "format"},
		{Decision, "archived_at", "now", "format"},
		{Decision, "tags", []any{}, "minItems"},
		{Decision, "tags", numbered(12), ok},
		{Decision, "tags", numbered(13), "maxItems"},
		{Decision, "tags", []any{"a", "b", "a"}, "uniqueItems"},
		{Decision, "tags.0", "", "minLength"},
		{Decision, "related_files", []any{}, ok},
		{Decision, "folder", "", ok},
		{Decision, "folder", "packages/웹 app", ok},
		{Decision, "folder", "..a/b..", ok},
		{Decision, "folder", "packages/../..", "not"},
		{Decision, "folder", ".", "not"},
		{Decision, "folder", "/etc", "pattern"},
		{Decision, "folder", "packages/", "pattern"},
		{Decision, "folder", "packages//web", "pattern"},
		{Decision, "folder", "C:/web", "pattern"},
		{Decision, "folder", `packages\web`, "pattern"},
		{Decision, "folder", strings.Repeat("a", 201), "maxLength"},
		{Decision, "confidence", 0, ok},
		{Decision, "confidence", 1, ok},
		{Decision, "confidence", 1.01, "maximum"},
		{Decision, "confidence", -0.01, "minimum"},
		{Decision, "times_updated", json.RawMessage("3.0"), ok},
		{Decision, "times_updated", 0, ok},
		{Decision, "times_updated", -1, "minimum"},
		{Decision, "times_updated", 1.5, "type"},
		{Decision, "changes", []any{}, ok},
		{Decision, "changes", slices.Repeat([]any{change}, 50), ok},
		{Decision, "changes", slices.Repeat([]any{change}, 51), "maxItems"},
		{Decision, "changes.0.date", "today", "format"},
		{Decision, "changes.0.summary", strings.Repeat("s", 300), ok},
		{Decision, "changes.0.summary", strings.Repeat("s", 301), "maxLength"},
		{Decision, "changes.0.old_value", []any{true, "x"}, ok},
		{Decision, "content.rationale", []any{}, "minItems"},
		{SessionSummary, "content.completed", []any{}, ok},
		{Runbook, "content.steps", []any{}, "minItems"},
		{Constraint, "content.impact", []any{}, "minItems"},
		{Constraint, "content.active", "true", "type"},
		{Constraint, "content.expires", "2027-01-01T00:00:00Z", ok},
		{Constraint, "content.check", map[string]any{}, ok},
		{Constraint, "content.check.forbidden_command", strings.Repeat("a", 201), "maxLength"},
		{Constraint, "content.check.forbidden_lines", strings.Repeat("가", 200), ok},
		{Constraint, "content.check.forbidden_lines", strings.Repeat("(", 201), "maxLength"},
		{Constraint, "content.check.forbidden_lines", `\bmoment\(`, ok},
		{Constraint, "content.check.forbidden_lines", "", ok},
		{Constraint, "content.check.forbidden_lines", "moment(", "format"},
		{Constraint, "content.check.forbidden_lines", "a{1001}", "format"},
		{Constraint, "content.check.forbidden_lines", "(?=a)", "format"},
		{Constraint, "content.check.forbidden_lines", "a\tb", "format"},
		{Constraint, "content.check.forbidden_lines", 1, "type"},
		{Constraint, "content.check.proposed", "no", "type"},
		{TechDebt, "content.impact", []any{}, ok},
		{Preference, "content.examples", map[string]any{}, ok},
		// Texts may be empty, as in version 5; tags may not.
		{Decision, "title", "", ok},
		{Decision, "changes.0.summary", "", ok},
		{Decision, "content.context", "", ok},
		{Decision, "content.rationale.0", "", ok},
		{Decision, "content.alternatives.0.option", "", ok},
		{SessionSummary, "content.goal", "", ok},
		{Runbook, "content.trigger", "", ok},
		{Constraint, "content.rule", "", ok},
		{Constraint, "content.expires", "", ok},
		{TechDebt, "content.description", "", ok},
		{Preference, "content.topic", "", ok},
	} {
		got := validateValue(t, changed(decodeAny(t, fullMemory(test.category)), split(test.field), test.value))
		if test.rule != ok {
			wantOne(t, got, test.field, test.rule)
		} else if got != nil {
			t.Errorf("%s %v: %q", test.field, test.value, got)
		}
	}
}
