package triage

import (
	"fmt"
	"strings"
	"testing"

	"memctl/schemas"
)

// configWith is the configuration of a new root with changes.
func configWith(t *testing.T, changes ...string) schemas.Config {
	t.Helper()
	data := schemas.InitialConfig
	for _, change := range changes {
		key, typed, _ := strings.Cut(change, "=")
		for _, s := range schemas.Settings() {
			if s.Key != key {
				continue
			}
			value, err := s.Parse(typed)
			if err == nil {
				data, err = s.Set(data, value)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	cfg, _ := schemas.DecodeConfig(data)
	return cfg
}

// asked is a session that is asked, of a constraint, a preference and a cause.
func watchAfter(tools ...string) *Watch {
	var w Watch
	var work Work
	work.add(Message{Tools: tools})
	w.Add(Turn{Number: 1, Tools: len(tools), Work: work})
	w.Add(Turn{Number: 2, Tools: 1, Person: "No, never write to the replica, since the nightly job reads it."})
	w.Add(Turn{Number: 3, Tools: 1, Person: "Always prefer tabs, because of blind readers.", Agent: "The root cause was a lock that the old exporter kept."})
	return &w
}

func TestQuestion(t *testing.T) {
	off := func(names ...string) (changes []string) {
		for _, name := range names {
			changes = append(changes, "categories."+name+".auto_capture=false")
		}
		return changes
	}
	much := []string{"Bash", "Edit", "Read", "Grep", "Write"}
	tests := map[string]struct {
		tools   []string
		changes []string
		want    string // parts that the question has, divided by "|"; "" for no question
		not     string
	}{
		"all":                     {nil, nil, "must know?|the replica|prefer tabs|root cause", "session_summary|Here,"},
		"without constraints":     {nil, off("constraint"), "prefer tabs|root cause", "the replica"},
		"a category not enabled":  {nil, []string{"categories.runbook.enabled=false"}, "prefer tabs|the replica", "root cause"},
		"nothing said is wanted":  {nil, off("constraint", "preference", "runbook"), "", ""},
		"nothing is wanted":       {much, off(schemas.CategoryNames()...), "", ""},
		"much was done":           {much, nil, "must know?|If work is left open, save its state too, as session_summary", ""},
		"less than the threshold": {much, []string{"triage.thresholds.session_summary=0.9"}, "must know?", "session_summary"},
		"a low threshold":         {nil, []string{"triage.thresholds.session_summary=0"}, "as session_summary", ""},
		"a threshold of 1":        {append(much, "A", "B", "C", "D", "E"), []string{"triage.thresholds.session_summary=1"}, "must know?", "session_summary"},
		"no summaries":            {much, off("session_summary"), "must know?", "session_summary"},
		"a summary alone": {much, off("decision", "constraint", "preference", "runbook", "tech_debt"),
			"where does the work stand?|as session_summary with TOOL", "must know|replica"},
		"a purpose": {nil, []string{"categories.constraint.description=`Limits` of <b>the</b> bank\nand law"},
			"\nHere, constraint: Limits of &lt;b&gt;the&lt;/b&gt; bank and law\n", ""},
		"the purpose of another category": {nil, []string{"categories.decision.description=Choices"}, "must know?", "Here,"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			q := watchAfter(tt.tools...).Question(configWith(t, tt.changes...))
			if q.Asks() != (tt.want != "") {
				t.Fatalf("asks: %v", q.Asks())
			}
			got := q.Text("TOOL")
			for part := range strings.SplitSeq(tt.want, "|") {
				if !strings.Contains(got, part) {
					t.Errorf("%q is not in %s", part, got)
				}
			}
			for part := range strings.SplitSeq(tt.not, "|") {
				if part != "" && strings.Contains(got, part) {
					t.Errorf("%q is in %s", part, got)
				}
			}
			if !IsAsk(got) || strings.Count(got, "\n") > 6 {
				t.Errorf("%q", got)
			}
		})
	}
}

// A summary is asked for again only after as much work, and a summary that was saved counts likewise.
func TestSummaryIsAskedForOnce(t *testing.T) {
	cfg := configWith(t)
	w := watchAfter("Bash", "Edit", "Read", "Grep", "Write")
	q := w.Question(cfg)
	w.Forget(q)
	if !q.Summary || w.Work.ToolUses > 0 || w.Score > 0 {
		t.Errorf("%+v, then %+v", q, w)
	}
	w = watchAfter("Bash", "Edit", "Read", "Grep", "Write")
	w.Work.SavedSummary(w.Work.Summed.Add(1))
	if q := w.Question(cfg); q.Summary || !q.Asks() {
		t.Errorf("%+v", q)
	}
}

func TestWorkIsBounded(t *testing.T) {
	var w Watch
	for i := range 100 {
		var work Work
		work.add(Message{Tools: []string{fmt.Sprintf("tool-%d%s", i, strings.Repeat("x", 100)), ""}})
		w.Add(Turn{Number: i + 1, Work: work})
	}
	if len(w.Work.Names) != maxNames || w.Work.ToolUses != 200 || len(w.Work.Names[0]) > maxName {
		t.Errorf("%+v", w.Work)
	}
}
