package web

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"memctl/observe"
	"memctl/schemas"
)

// written writes what became of a memory on lines.
func (g givenTo) written() string {
	lines := []string{fmt.Sprint(g.Given, g.In, g.Uses, g.Outcomes)}
	for _, s := range g.Sessions {
		lines = append(lines, fmt.Sprint(s.Session, s.First.Day(), s.Moments, s.Uses, s.Outcome))
	}
	return strings.Join(lines, "\n")
}

func TestGivenOf(t *testing.T) {
	const path = "constraints/rule.json"
	at := func(day int, session, moment, use string) observe.Injection {
		return observe.Injection{Time: time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC), Session: session, Moment: moment,
			Use:      use,
			Memories: []string{"decisions/other.json", path}}
	}
	for name, tt := range map[string]struct {
		record  []observe.Injection
		forbids bool
		want    string
	}{
		"nothing": {nil, true, "0 0 [] []"},
		"another memory": {[]observe.Injection{{Session: "a", Memories: []string{"decisions/other.json"}}}, true,
			"0 0 [] []"},
		"a prompt": {[]observe.Injection{at(1, "a", observe.AtPrompt, "")}, true, "1 1 [] []\na1 [{prompt 1}] []"},
		"outside of a session": {[]observe.Injection{at(1, "", observe.AtPrompt, ""), at(2, "", observe.AtPrompt, "")},
			true,
			"2 0 [] []\n1 [{prompt 2}] []"},
		"opened twice": {[]observe.Injection{at(1, "a", observe.AtStart, ""), at(1, "a", "", observe.Opened),
			at(2, "a", "", observe.Opened)},
			true, "1 1 [{opened 2}] []\na1 [{start 1}] [opened]"},
		"kept, and broken later": {[]observe.Injection{at(1, "a", observe.AtTool, ""), at(2, "b", observe.AtTool, ""),
			at(2, "b", "", observe.Broken)},
			true, "2 2 [] [{kept 1} {broken 1}]\nb2 [{tool 1}] []broken\na1 [{tool 1}] []kept"},
		"stopped": {[]observe.Injection{at(1, "a", observe.AtTool, ""), at(1, "a", "", observe.Stopped)}, true,
			"1 1 [] [{stopped 1}]\na1 [{tool 1}] []stopped"},
		"nothing can be seen": {[]observe.Injection{at(1, "a", observe.AtTool, "")}, false, "1 1 [] [{unknown " +
			"1}]\na1 [{tool 1}] []unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := givenOf(tt.record, path, tt.forbids).written(); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
	var many []observe.Injection
	for i := range 2 * maxGiven {
		many = append(many, at(1, fmt.Sprint(i), observe.AtPrompt, ""))
	}
	if g := givenOf(many, path, true); len(g.Sessions) != maxGiven || g.In != 2*maxGiven ||
		g.Sessions[0].Session != fmt.Sprint(2*maxGiven-1) {
		t.Errorf("%d of %d sessions, the first %s", len(g.Sessions), g.In, g.Sessions[0].Session)
	}
}

func TestPlaceRank(t *testing.T) {
	for name, tt := range map[string]struct {
		typed, label, words string
		want                int
	}{
		"nothing typed":        {"", "Today", "", atStart},
		"the beginning":        {"tod", "Today", "", atStart},
		"a later word":         {"check", "Run the checks", "", inLabel},
		"two words":            {"run check", "Run the checks", "", inLabel},
		"after a dot":          {"max_inj", "retrieval.max_inject", "", inLabel},
		"within a word":        {"inject", "reinject", "", inDescription},
		"a description":        {"doctor", "Run the checks", "doctor", inDescription},
		"one word is missing":  {"run away", "Run the checks", "doctor", 0},
		"one in the words":     {"run doctor", "Run the checks", "doctor", inDescription},
		"Korean":               {"설정", "설정", "", atStart},
		"within Korean":        {"정", "설정", "", inDescription},
		"capitals":             {"today", "TODAY", "", atStart},
		"begun again later on": {"in", "begin in", "", inLabel},
	} {
		t.Run(name, func(t *testing.T) {
			if got := placeRank(strings.Fields(tt.typed), tt.label, tt.words); got != tt.want {
				t.Errorf("rank %d, want %d", got, tt.want)
			}
		})
	}
}

func TestLead(t *testing.T) {
	for name, tt := range map[string]struct{ memory, field, carrying string }{
		"a rule": {`{"category":"constraint","title":"Pool","content":{"rule":"At most 40."}}`, "rule",
			"At most 40."},
		"the title": {`{"category":"preference","title":"No force push","content":{"value":"no force-push."}}`,
			"value", ""},
		"no text":          {`{"category":"decision","title":"Pool","content":{"decision":["a","b"]}}`, "", ""},
		"nothing":          {`{"category":"runbook","title":"Pool","content":{}}`, "", ""},
		"another category": {`{"category":"poem","title":"Pool","content":{"rule":"At most 40."}}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			m, err := schemas.Decode([]byte(tt.memory))
			if err != nil {
				t.Fatal(err)
			}
			if field, carrying := lead(&m); field != tt.field || carrying != tt.carrying {
				t.Errorf("the field %q says %q, want %q and %q", field, carrying, tt.field, tt.carrying)
			}
		})
	}
}
