package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"memctl/db"
	"memctl/features/doctor"
	"memctl/observe"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC)

func minute(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }

// happens makes an event of a session: its minute, what happened, and the memories.
func happens(at int, what string, memories ...string) event {
	e := event{At: minute(at), What: what}
	for _, m := range memories {
		e.Memories = append(e.Memories, memoryLink{Title: m, Address: "/" + m})
	}
	return e
}

func ruled(e event, title string, outcome observe.RuleOutcome) event {
	e.Rules = append(e.Rules, ruleEnd{memoryLink: memoryLink{title, "/" + title},
		RuleInSession: observe.RuleInSession{Outcome: outcome, Given: 1}})
	return e
}

// inShort writes the lines of a story: "0 start×2 a,b".
func inShort(lines []line) string {
	var list []string
	for _, l := range lines {
		s := fmt.Sprintf("%d %s", int(l.At.Sub(noon).Minutes()), l.What)
		if l.Count > 1 {
			s += fmt.Sprintf("×%d", l.Count)
		}
		var titles []string
		for _, m := range l.Memories {
			titles = append(titles, m.Title)
		}
		if l.Rule != nil {
			titles = append(titles, l.Rule.Title+" "+string(l.Rule.Outcome))
		}
		for _, e := range l.Said {
			titles = append(titles, e.Prompt)
		}
		list = append(list, strings.TrimSpace(s+" "+strings.Join(titles, ",")))
	}
	return strings.Join(list, "; ")
}

func TestTell(t *testing.T) {
	said := func(at int, prompt string) event {
		e := happens(at, wasSaid)
		e.Prompt = prompt
		return e
	}
	prompt := func(at, turn int, memories ...string) event {
		e := happens(at, observe.AtPrompt, memories...)
		e.Turn = turn
		return e
	}
	for name, tt := range map[string]struct {
		events []event
		want   string
	}{
		"nothing":      {nil, ""},
		"an end alone": {[]event{happens(0, ended)}, ""},
		"starts are one line": {[]event{happens(0, observe.AtStart, "a"), happens(5, observe.Opened, "a"),
			happens(9, observe.AtStart, "a", "b")}, "0 start×2 a,b; 5 opened a"},
		"subagents apart": {[]event{happens(0, observe.AtStart, "a"), happens(1, observe.AtSubagent, "b"),
			happens(2, observe.AtSubagent, "c")}, "0 start a; 1 subagent×2 b,c"},
		"a rule once": {[]event{ruled(happens(1, observe.AtTool), "r", observe.RuleKept),
			ruled(happens(2, observe.AtTool), "r", observe.RuleKept)}, "1 rule r kept"},
		"a rule by its stop": {[]event{ruled(happens(1, observe.Stopped), "r", observe.RuleStopped)},
			"1 rule r stopped"},
		"a rule beside others": {[]event{ruled(happens(1, observe.AtTool, "a"), "r", observe.RuleBroken)},
			"1 rule r broken; 1 tool a"},
		"edits in a row": {[]event{happens(1, observe.AtTool, "a"), happens(2, observe.AtTool, "a", "b")},
			"1 tool×2 a,b"},
		"edits around a save": {[]event{happens(1, observe.AtTool, "a"), happens(2, observe.Saved, "c"),
			happens(3, observe.AtTool, "a")}, "1 tool a; 2 saved c; 3 tool a"},
		"two prompts":         {[]event{prompt(1, 1, "a"), prompt(2, 2, "a")}, "1 prompt a; 2 prompt a"},
		"a prompt, two roots": {[]event{prompt(1, 4, "a"), prompt(1, 4, "b")}, "1 prompt×2 a,b"},
		"unknown prompts":     {[]event{prompt(1, 0, "a"), prompt(1, 0, "b")}, "1 prompt a; 1 prompt b"},
		"quiet prompts": {[]event{said(1, "x"), said(2, "y"), happens(3, observe.Opened, "a"), said(4, "z")},
			"1 said×2 x,y; 3 opened a; 4 said z"},
		"questions are one": {[]event{happens(1, asked), happens(2, observe.Saved, "a"), happens(3, asked)},
			"1 asked×2; 2 saved a"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := inShort(tell(tt.events)); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestWithPrompts(t *testing.T) {
	passage := func(turn, at int, prompt string) db.Passage {
		return db.Passage{Turn: turn, At: minute(at).Format(time.RFC3339), Prompt: prompt}
	}
	passages := []db.Passage{passage(1, -1500, "yesterday"), passage(2, 0, "first"), passage(3, 5, "second"),
		passage(4, 9, "third"), {Turn: 5, Prompt: "at no time"}}
	events := []event{happens(0, observe.AtPrompt, "a"), happens(6, observe.AtPrompt, "b"),
		happens(7, observe.Opened, "b")}
	var got []string
	for _, e := range withPrompts(events, passages, midnight(noon), midnight(noon).AddDate(0, 0, 1)) {
		got = append(got, fmt.Sprintf("%s %d %s", e.What, e.Turn, e.Prompt))
	}
	want := []string{"prompt 2 first", "prompt 3 second", "opened 0 ", "said 4 third"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if events[0].Prompt != "" {
		t.Error("the events that came in were changed")
	}
}

func TestSentence(t *testing.T) {
	rule := func(outcome observe.RuleOutcome, command string) line {
		return line{Rule: &ruleEnd{RuleInSession: observe.RuleInSession{Outcome: outcome}, Command: command}}
	}
	for want, tt := range map[string]struct {
		lang  string
		lines []line
		f     figures
	}{
		"": {"en", nil, figures{}},
		"Memories: 4 given at prompts and acts, 2 opened, 1 saved.": {"en", nil,
			figures{4, 2, 0, 1}},
		"1 rule reached the agent before it acted: it was kept.": {"en",
			[]line{rule(observe.RuleKept, "x y")}, figures{}},
		"1 rule reached the agent before it acted: it stopped `npm install`.": {"en",
			[]line{rule(observe.RuleStopped, "npm install")}, figures{}},
		"2 rules reached the agent before it acted: one stopped an act, of one no one can tell.": {"en",
			[]line{rule(observe.RuleUnknown, ""), {}, rule(observe.RuleStopped, "")}, figures{}},
		"4 rules reached the agent before it acted: 2 stopped an act, one was broken, one was kept.": {"en",
			[]line{rule(observe.RuleBroken, "a b"), rule(observe.RuleStopped, "a b"), rule(observe.RuleStopped, "c d"),
				rule(observe.RuleKept, "")}, figures{}},
		"에이전트가 행동하기 전에 규칙 2개가 전달됨: `npm install` 실행을 막은 것 1개, 지킨 것 1개.": {"ko",
			[]line{rule(observe.RuleStopped, "npm install"), rule(observe.RuleKept, "")}, figures{}},
	} {
		if got := sentence(tt.lang, []story{{Lines: tt.lines}}, tt.f); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestWeekOf(t *testing.T) {
	day := func(back int) string { return dayOf(noon.AddDate(0, 0, -back)) }
	by := map[string]figures{day(0): {3, 1, 1, 0}, day(6): {2, 0, 0, 0}, day(7): {9, 0, 0, 0}, day(40): {99, 0, 0, 0}}
	w := weekOf(noon, by, []string{day(7), day(6), day(0)})
	for i, want := range []struct{ most, total int }{{9, 5}, {1, 1}, {1, 1}, {0, 0}} {
		if c := w.Charts[i]; c.Most != want.most || c.Total != want.total || len(c.Days) != shownDays ||
			c.Days[shownDays-1].Day != day(0) {
			t.Errorf("%s: most %d, total %d, %d days", c.Name, c.Most, c.Total, len(c.Days))
		}
	}
	if diff := cmp.Diff([]dayFigures{{day(0), by[day(0)]}, {day(6), by[day(6)]}, {day(7), by[day(7)]}},
		w.Days); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What fails without keeping memories from the agent is not called broken.
func TestVerdictOf(t *testing.T) {
	for from, want := range map[doctor.Verdict]doctor.Verdict{doctor.Good: doctor.Good,
		doctor.Broken: doctor.Attention} {
		if got := verdictOf(doctor.Report{Verdict: from,
			Findings: []doctor.Finding{{State: doctor.Failed}}}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestOneCauseIsOneRow(t *testing.T) {
	c := needsOf(doctor.Report{Findings: []doctor.Finding{
		{Check: "PATH", State: doctor.Warning, Fix: "export PATH"},
		{Check: "runs", State: doctor.Warning, Fix: "memctl install; then start a session"},
		{Check: "memories", State: doctor.Warning, Fix: "memctl review"}, // stand on the page themselves
		{Check: "folders", State: doctor.Failed, Fix: "memctl install"},
		{Check: "binary", State: doctor.OK},
	}})
	if len(c[cutsOff]) != 0 || len(c[failed]) != 1 || len(c[harmless]) != 1 || len(c[failed][0].Checks) != 2 ||
		c[failed][0].Title != "folders" {
		t.Errorf("%+v", c)
	}
}

func TestNeedsAreFiveRows(t *testing.T) {
	var k needs
	var list []need
	for _, key := range []string{"a1", "a2", "a3", "b1", "c1", "d1", "e1", "f1", "f2", "g1"} {
		list = append(list, need{Key: key, Group: key[:1]})
	}
	k.replace(list)
	shown := k.snapshot()
	var rows []string
	for _, row := range shown.Rows {
		rows = append(rows, fmt.Sprint(row.Key, row.Count))
	}
	if got := strings.Join(rows, " "); got != "a13 b11 c11 d11 e11" || shown.Rest != 3 || shown.Things != 7 ||
		shown.Total != 10 || shown.Broken {
		t.Errorf("%s and %d of %d", got, shown.Rest, shown.Total)
	}
	for key, want := range map[string]string{"a1": "#need-a2", "b1": "#need-c1", "e1": "#need-f1", "a2": "#need-a1"} {
		if _, next, known := k.at(key); next != want || !known {
			t.Errorf("after %s comes %q, want %q", key, next, want)
		}
	}
	if _, _, known := k.at("z"); known {
		t.Error("what is not on the page is known")
	}
	k.replace([]need{{Key: "x", Kind: "broken", Group: "x"}})
	if _, next, _ := k.at("x"); next != "" || !k.snapshot().Broken {
		t.Errorf("after the last comes %q", next)
	}
}
