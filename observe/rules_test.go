package observe

import (
	"testing"
	"time"

	"memctl/files"

	"github.com/google/go-cmp/cmp"
)

func TestRulesInSessions(t *testing.T) {
	t.Parallel()
	const rule, other, file = "constraints/rule.json", "preferences/other.json", "constraints/file.json"
	start := time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)
	minutes := 0
	line := func(session, what string, paths ...string) Injection {
		minutes++
		in := Injection{Time: start.Add(time.Duration(minutes) * time.Minute), Session: session, Memories: paths}
		if in.Moment = what; what == Stopped || what == Broken || what == Approved || what == Opened {
			in.Moment, in.Use = "", what
		}
		return in
	}
	given := func(session string, paths ...string) Injection { return line(session, AtTool, paths...) }
	for _, tt := range []struct {
		name   string
		record []Injection
		want   []RuleInSession // without times
	}{
		{"nothing at an act", []Injection{line("s", AtStart, rule), line("s", AtPrompt, rule), line("s", AtSubagent, rule),
			line("s", "", rule), line("s", Opened, rule)}, nil},
		{"kept", []Injection{given("s", rule), given("s", rule)}, []RuleInSession{{"s", rule, start, 2, RuleKept, time.Time{}}}},
		{"stopped and not repeated", []Injection{given("s", rule), line("s", Stopped, rule)},
			[]RuleInSession{{"s", rule, start, 1, RuleStopped, time.Time{}}}},
		{"stopped and repeated", []Injection{given("s", rule), line("s", Stopped, rule), line("s", Broken, rule)},
			[]RuleInSession{{"s", rule, start, 1, RuleBroken, time.Time{}}}},
		{"broken, then stopped in an emptied context", []Injection{given("s", rule), line("s", Broken, rule),
			given("s", rule), line("s", Stopped, rule)}, []RuleInSession{{"s", rule, start, 2, RuleBroken, time.Time{}}}},
		{"nothing to be seen", []Injection{given("s", file)}, []RuleInSession{{"s", file, start, 1, RuleUnknown, time.Time{}}}},
		{"a session without an id", []Injection{given("", rule)}, []RuleInSession{{"", rule, start, 1, RuleUnknown, time.Time{}}}},
		{"the person let it", []Injection{given("s", rule), line("s", Approved, rule)},
			[]RuleInSession{{"s", rule, start, 1, RuleUnknown, time.Time{}}}},
		{"the person let one, and another was not asked about", []Injection{given("s", rule), line("s", Approved, rule),
			line("s", Broken, rule)}, []RuleInSession{{"s", rule, start, 1, RuleBroken, time.Time{}}}},
		{"the line of when it was given is lost", []Injection{line("s", Broken, rule)},
			[]RuleInSession{{"s", rule, start, 0, RuleBroken, time.Time{}}}},
		{"each session and rule for itself", []Injection{given("a", rule, other), given("b", rule), line("b", Broken, rule),
			line("a", Stopped, other)}, []RuleInSession{{"a", rule, start, 1, RuleKept, time.Time{}}, {"a", other, start, 1, RuleStopped, time.Time{}},
			{"b", rule, start, 1, RuleBroken, time.Time{}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := RulesInSessions(tt.record, func(path string) bool { return path != file })
			for i, r := range got {
				if r.Time.Before(start) || i > 0 && r.Time.Before(got[i-1].Time) {
					t.Errorf("%v comes at %v", r, r.Time)
				}
				if ends := r.Outcome == RuleStopped || r.Outcome == RuleBroken; ends == r.Settled.IsZero() {
					t.Errorf("%v settled at %v", r, r.Settled)
				}
				got[i].Time, got[i].Settled = start, time.Time{}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A call that a memory forbids does not make the memory younger in the context, and is recorded once it has run.
func TestTriedCalls(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	root := files.Root{Path: "/one"}
	given := files.Version{Root: root.Key(), Path: "constraints/given.json", Size: 1}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	turns := func(n int) {
		for range n {
			NoteTurn("s")
		}
	}
	call := Event{SessionID: "s", ToolName: "Bash", Input: []byte(`{"command":"x"}`), ToolUseID: "1"}
	turns(3)
	check(NoteGiven("s", AtTool, []files.Version{given}))
	turns(2)
	check(NoteTried("s", call, Broken, []files.Version{given, {Root: root.Key(), Path: "constraints/new.json"}}))
	turns(1)
	if diff := cmp.Diff(map[files.Version]int{given: 3}, TurnsSince("s")); diff != "" {
		t.Error(diff)
	}
	recorded := func() (n int) {
		list, err := ReadVerdicts(root)
		check(err)
		return len(list)
	}
	other, sameID, sameInput := call, call, call
	other.ToolUseID, other.Input = "2", []byte(`{"command":"y"}`)
	sameID.Input, sameInput.ToolUseID = other.Input, "3"
	for i, tt := range []struct {
		call Event
		want int
	}{{other, 0}, {sameID, 2}, {sameInput, 2}, {call, 2}} {
		if check(RecordRun("s", tt.call)); recorded() != tt.want {
			t.Errorf("after call %d there are %d verdicts, want %d", i, recorded(), tt.want)
		}
	}
	check(NoteTried("s", call, Approved, []files.Version{given}))
	if check(RecordRun("s", sameInput)); recorded() != 3 {
		t.Errorf("%d verdicts, want the person's too", recorded())
	}
	if had := ReadGiven("s"); len(had) != 1 || TurnsSince("s")[given] != 3 {
		t.Errorf("the session has %v, %v turns ago", had, TurnsSince("s"))
	}
}
