package web

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"memctl/db"
	"memctl/features/sessions"
	"memctl/observe"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

// passageAt is a turn that begins at a minute. Its prompt is the number, its answer "A".
func passageAt(turn, at int) db.Passage {
	return db.Passage{Turn: turn, At: minute(at).Format(time.RFC3339), Prompt: fmt.Sprint(turn), Answer: "A"}
}

// runAt is a run of a tool; one whose command ends in "!" fails.
func runAt(at int, command string) schemas.Run {
	command, failed := strings.CutSuffix(command, "!")
	return schemas.Run{Timestamp: minute(at).Format(time.RFC3339), Tool: "Bash", Command: command, Success: !failed}
}

// inTurns writes turns in short: "0: [go 1]; 1: prompt a A asked".
func inTurns(turns []turn) string {
	var list []string
	for _, t := range turns {
		if t.Empty() {
			continue
		}
		var parts []string
		add := func(list []part) {
			for _, p := range list {
				if p.Line != nil {
					_, line, _ := strings.Cut(inShort([]line{*p.Line}), " ")
					parts = append(parts, line)
					continue
				}
				parts = append(parts, fmt.Sprintf("[%s×%d !%d]", p.Names(), len(p.Runs), p.Failures()))
			}
		}
		add(t.Before)
		if t.Answer != "" {
			parts = append(parts, t.Answer)
		}
		add(t.After)
		list = append(list, fmt.Sprintf("%d: %s", t.Turn, strings.Join(parts, " ")))
	}
	return strings.Join(list, "; ")
}

func TestMerge(t *testing.T) {
	two := []db.Passage{passageAt(1, 0), passageAt(2, 10)}
	for name, tt := range map[string]struct {
		passages []db.Passage
		events   []event
		runs     []schemas.Run
		want     string
	}{
		"nothing":      {nil, nil, nil, ""},
		"what is said": {two, nil, nil, "1: A; 2: A"},
		"a start comes before the first prompt": {two, []event{happens(0, observe.AtStart, "a")}, nil,
			"0: start a; 1: A; 2: A"},
		"a later start comes after the answer": {two, []event{happens(9, observe.AtStart, "a")}, nil,
			"1: A start a; 2: A"},
		"given at a prompt": {two, []event{happens(0, observe.AtPrompt, "a"), happens(10, observe.AtPrompt, "b")}, nil,
			"1: prompt a A; 2: prompt b A"},
		"runs around a line": {two, []event{happens(3, observe.Opened, "a")},
			[]schemas.Run{runAt(1, "x"), runAt(2, "y!"), runAt(4, "z")},
			"1: [Bash×2 !1] opened a [Bash×1 !0] A; 2: A"},
		"runs by turns": {two, nil, []schemas.Run{runAt(12, "z"), runAt(1, "x")},
			"1: [Bash×1 !0] A; 2: [Bash×1 !0] A"},
		"what follows a question comes after the answer": {two, []event{happens(2, asked),
			happens(3, observe.Saved, "a")}, []schemas.Run{runAt(1, "x"), runAt(2, "y"), runAt(4, "z")},
			"1: [Bash×1 !0] A asked [Bash×1 !0] saved a [Bash×1 !0]; 2: A"},
		"a rule once, and where it is broken": {two, []event{ruled(happens(1, observe.AtTool), "r", observe.RuleBroken),
			ruled(happens(11, observe.AtTool), "r", observe.RuleBroken),
			ruled(happens(12, observe.Broken), "r", observe.RuleBroken)}, nil, "1: rule r broken A; 2: rule r broken A"},
		"without a transcript": {nil, []event{happens(0, observe.AtStart, "a"), happens(2, asked)},
			[]schemas.Run{runAt(1, "x!"), runAt(3, "y")}, "0: start a [Bash×1 !1] asked [Bash×1 !0]"},
		"a turn at no time gets nothing": {[]db.Passage{passageAt(1, 0), {Turn: 2, Answer: "B"}},
			[]event{happens(5, observe.Opened, "a")}, nil, "1: opened a A; 2: B"},
		"no turn has a time": {[]db.Passage{{Turn: 1, Answer: "B"}}, []event{happens(5, observe.Opened, "a")},
			[]schemas.Run{runAt(1, "x")}, "0: [Bash×1 !0] opened a; 1: B"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := inTurns(merge(tt.passages, tt.events, toolRuns(tt.runs))); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestARunSaysWhatItFixed(t *testing.T) {
	runs := toolRuns([]schemas.Run{runAt(1, "go test!"), runAt(2, "go mod tidy"), runAt(3, "go test")})
	if runs[0].Fix != nil || runs[1].Fix != nil || runs[2].Fix == nil || runs[2].Fix.Failures != 1 {
		t.Errorf("%+v", runs)
	}
}

// A page has as many turns as it can take, with what happened in them, and leads to the others.
func TestALongSessionHasPages(t *testing.T) {
	var passages []db.Passage
	for i := range 120 {
		passages = append(passages, passageAt(i+1, i))
	}
	long := slices.Clone(passages)
	for i := range long {
		long[i].Answer = strings.Repeat("x", maxTalk/10)
	}
	huge := slices.Clone(passages)
	huge[0].Answer = strings.Repeat("x", maxTalk+1)
	for name, tt := range map[string]struct {
		passages                           []db.Passage
		from                               int
		first, last, earlier, later, lines int
	}{
		"the first":         {passages, 1, 1, 50, 0, 51, 50},
		"in the middle":     {passages, 51, 51, 100, 1, 101, 50},
		"the last":          {passages, 101, 101, 120, 51, 0, 20},
		"a little further":  {passages, 11, 11, 60, 1, 61, 50},
		"long answers":      {long, 1, 1, 9, 0, 10, 9},
		"one longer answer": {huge, 1, 1, 1, 0, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := sessionPage{Said: true}
			beside := tt.passages[max(0, tt.from-2):min(len(tt.passages), tt.from+maxTurns)]
			var events []event
			for i := range tt.passages { // one in each turn
				events = append(events, happens(i, observe.Opened, fmt.Sprint(i+1)))
			}
			p.tell(tt.from, beside, events, nil)
			lines := 0
			for _, one := range p.Turns {
				if len(one.Before) > 1 || len(one.Before) == 1 && one.Before[0].Line.Memories[0].Title != fmt.Sprint(one.Turn) {
					t.Errorf("turn %d has %s", one.Turn, inTurns([]turn{one}))
				}
				lines += len(one.Before)
			}
			got := []int{p.Turns[0].Turn, p.Turns[len(p.Turns)-1].Turn, p.Earlier, p.Later, lines}
			if diff := cmp.Diff([]int{tt.first, tt.last, tt.earlier, tt.later, tt.lines}, got); diff != "" {
				t.Errorf("first, last, earlier, later, lines (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOnlyWhatFailed(t *testing.T) {
	p := sessionPage{Said: true, Failed: true}
	p.tell(1, []db.Passage{passageAt(1, 0), passageAt(2, 10)}, []event{happens(1, observe.Opened, "a")},
		toolRuns([]schemas.Run{runAt(1, "x"), runAt(11, "y!"), runAt(12, "z")}))
	if got := inTurns(p.Turns); got != "2: [Bash×1 !1] A" || p.Runs != 3 || p.Failures != 1 || !p.Turns[0].Before[0].Open {
		t.Errorf("%s, %d of %d failed", got, p.Failures, p.Runs)
	}
}

// A session of which there are a transcript and observations is one row.
func TestSessionRows(t *testing.T) {
	past := []sessions.Session{
		{ID: "5b1c", Client: "claude-code", FirstPrompt: "first", Started: "2026-03-03T10:00:00Z", Ended: "2026-03-03T12:00:00.5Z", Turns: 3},
		{ID: "other", FirstPrompt: "second", Ended: "2026-03-02T10:00:00Z", Turns: 1},
	}
	observed := []retrieve.Session{
		{ID: observe.SessionKey("5b1c"), First: "2026-03-03T10:01:00Z", Last: "2026-03-03T11:00:00Z", Runs: 4, Failures: 1},
		{ID: "alone", First: "2026-03-03T12:00:01Z", Last: "2026-03-03T12:00:02Z", Runs: 2},
	}
	of := func(session, moment, use string, memories ...string) observe.Injection {
		return observe.Injection{Session: observe.SessionKey(session), Moment: moment, Use: use, Memories: memories}
	}
	record := []observe.Injection{of("5b1c", observe.AtPrompt, "", "a", "b"), of("5b1c", observe.AtTool, "", "a"),
		of("5b1c", observe.AtStart, "", "c"), of("5b1c", "", observe.Saved, "d"), of("other", "", observe.Opened, "a"),
		of("unknown", observe.AtPrompt, "", "a")}
	want := []sessionRow{
		{ID: "alone", From: "2026-03-03T12:00:01Z", Until: "2026-03-03T12:00:02Z", Runs: 2},
		{ID: "5b1c", Prompt: "first", Client: "Claude Code", From: "2026-03-03T10:00:00Z",
			Until: "2026-03-03T12:00:00.5Z", Turns: 3, Runs: 4, Failures: 1, Given: 3, Saved: 1},
		{ID: "other", Prompt: "second", Until: "2026-03-02T10:00:00Z", Turns: 1},
	}
	if diff := cmp.Diff(want, sessionRows(past, observed, record)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
