package triage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"memctl/schemas"
)

func TestSignsOfSentences(t *testing.T) {
	tests := map[string]struct {
		side Side
		want []string
	}{
		"Never commit the lock file.":                      {Person, []string{"standing"}},
		"don't ask me that again":                          {Person, []string{"standing"}},
		"No, that's wrong":                                 {Person, []string{"correction"}},
		"There is no door":                                 {Person, []string{"correction"}},
		"let’s go with SQLite because there is one writer": {Person, []string{"choice", "reason"}},
		"Yes, but not now":                                 {Person, []string{"deferral", "accepted"}},
		"the yes button is grey":                           {Person, nil},
		"Das ist falsch, ab jetzt bitte mit Tabs":          {Person, []string{"standing", "correction"}},
		"On utilise toujours pnpm, parce que c'est rapide": {Person, []string{"standing", "reason"}},
		"Não quero isso por enquanto":                      {Person, []string{"correction", "deferral"}},
		"이제부터 로그는 영어로":                                     {Person, []string{"standing"}},
		"以后不要再用 npm，因为太慢":                                  {Person, []string{"standing", "correction", "reason"}},
		"今後は必ずテストを書いてください":                                 {Person, []string{"standing"}},
		"The root cause was a stale token.":                {Agent, []string{"cause"}},
		"The API does not support paging.":                 {Agent, []string{"limit"}},
		"Never commit the lock file, said the agent.":      {Agent, nil},
		"原因是缓存没有失效":                                        {Agent, []string{"cause"}},
		"Das Problem war der Cache.":                       {Agent, []string{"cause"}},
		"Das Feld unterstützt kein UTF-8.":                 {Agent, []string{"limit"}},
		"":                                                 {Person, nil},
	}
	for sentence, tt := range tests {
		var got []string
		bits := signsOf(tt.side, sentence)
		for i, sign := range signs {
			if bits&(1<<i) != 0 {
				got = append(got, sign.name)
			}
		}
		for _, want := range tt.want {
			if !slices.Contains(got, want) {
				t.Errorf("%q has %v, want %v", sentence, got, tt.want)
			}
		}
		if len(tt.want) == 0 && len(got) > 0 {
			t.Errorf("%q has %v", sentence, got)
		}
	}
}

func TestEveryPhraseOfASignIsFound(t *testing.T) {
	n := map[int]int{}
	for _, phrases := range signDictionary() {
		for _, p := range phrases {
			n[p.rule]++
			sentence := strings.ReplaceAll(p.text, "…", "x")
			if bits := signsOf(signs[p.rule].side, sentence); bits&(1<<p.rule) == 0 {
				t.Errorf("%s %s: %q is not found", signs[p.rule].side, signs[p.rule].name, p.text)
			}
		}
	}
	for i, sign := range signs {
		if n[i] < 40 {
			t.Errorf("%s %s has %d phrases", sign.side, sign.name, n[i])
		}
	}
}

func TestWatch(t *testing.T) {
	rule := "Never write to the replica, since the nightly job reads it."
	work := Turn{Person: rule, Tools: 1}
	tests := map[string]struct {
		turns []Turn
		score float64
		asks  bool
	}{
		"a task counts as work":             {[]Turn{{Person: "Let's never do that. " + strings.Repeat("x ", 50), Tools: 1}}, .5, false},
		"signs of a side are worth 1½":      {[]Turn{{}, {Person: rule + " No, let's wait for now."}}, 1.5, false},
		"a question lays nothing down":      {[]Turn{{}, {Person: "Should we never write to the replica?"}}, 0, false},
		"a yes accepts an offer":            {[]Turn{{Agent: "Shall I push?"}, {Person: "Yes."}}, .5, false},
		"a yes to nothing is a word":        {[]Turn{{Agent: "It is pushed."}, {Person: "Great."}}, 0, false},
		"both sides count":                  {[]Turn{{}, {Person: rule, Agent: "The cause was a lock. It cannot be shared."}}, 2.5, false},
		"enough, at a turn with a sign":     {[]Turn{{Tools: 1}, work, {Person: rule}}, 4, true},
		"not at a turn without one":         {[]Turn{{Tools: 1}, work, {Person: rule}, {Person: "thanks"}}, 4, false},
		"not after a question of the agent": {[]Turn{{Tools: 1}, work, {Person: rule, Agent: "Shall I push?"}}, 4, false},
		"but after the answer":              {[]Turn{{Tools: 1}, work, {Person: rule, Agent: "Shall I push?"}, {Person: "tomorrow"}}, 4, true},
		"a save begins anew":                {[]Turn{{Person: rule}, {Person: rule}, {Person: rule, Saved: true}, {Person: rule}}, 1.5, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var w Watch
			asks := false
			for i, turn := range tt.turns {
				turn.Number = i + 1
				asks = w.Add(turn).Asks
			}
			if w.Score != tt.score || asks != tt.asks {
				t.Errorf("%.1f points, asks %v; want %.1f, %v", w.Score, asks, tt.score, tt.asks)
			}
		})
	}
}

// Of a session that nobody watched so far, the last messages are read, and always a whole turn.
func TestFirstReadOfALongSession(t *testing.T) {
	turn := []string{`["user","Fix it."]`, `["assistant","Fixed."]`}
	long := strings.Join(slices.Repeat([]string{`["assistant","Hm."]`}, 300), "\n")
	for name, tt := range map[string]struct {
		lines []string
		turns int
	}{
		"a short one":        {slices.Repeat(turn, 10), 10},
		"one of many turns":  {slices.Repeat(turn, 100), mostAtFirst / 2},
		"one of a long turn": {[]string{turn[0], turn[1], turn[0], long}, 1},
	} {
		turns, _, err := ReadTurns(source(strings.Join(tt.lines, "\n"), ""), Reading{}, 1, filter)
		if err != nil || len(turns) != tt.turns {
			t.Errorf("%s: %d turns, want %d (%v)", name, len(turns), tt.turns, err)
		}
	}
}

// Each turn is read once, whatever the clock says: it may go back, and lines may be written late.
func TestTurnsAreReadOnce(t *testing.T) {
	turn := func(prompt, promptedAt, answered string) string {
		return fmt.Sprintf("[\"user\",%q,\"\",\"2026-01-01T09:00:%sZ\"]\n[\"assistant\",\"Done.\",\"\",\"2026-01-01T09:00:%sZ\"]\n", prompt, promptedAt, answered)
	}
	for name, stops := range map[string][]string{
		"a clock that goes on":   {turn("one", "01", "02"), turn("two", "03", "04"), turn("three", "05", "06")},
		"a clock that goes back": {turn("one", "08", "09"), turn("two", "01", "02"), turn("three", "03", "04"), turn("four", "10", "11")},
		"and in the middle":      {turn("one", "08", "09") + turn("two", "01", "02"), turn("three", "02.5", "03"), turn("four", "20", "21")},
		"no turn at a stop":      {turn("one", "08", "09"), "", turn("two", "01", "02"), ""},
	} {
		transcript, prompts := "", []string{}
		var read Reading
		for _, more := range stops {
			transcript += more
			turns, now, err := ReadTurns(source(transcript, ""), read, len(prompts)+1, filter)
			if err != nil {
				t.Fatal(err)
			}
			for _, turn := range turns {
				prompts = append(prompts, turn.Person)
			}
			read = now
		}
		if want := []string{"one", "two", "three", "four"}[:strings.Count(transcript, "user")]; !slices.Equal(prompts, want) {
			t.Errorf("%s: read %q, want %q", name, prompts, want)
		}
	}
}

// A message that a client writes again counts as it was written last.
func TestTurnsOfAWholeSession(t *testing.T) {
	messages := slices.Repeat([]Message{
		{FromUser: true, Text: []string{"Fix it."}},
		{FromAssistant: true, ID: "a", Whole: true, Text: []string{"Fix"}},
		{FromAssistant: true, ID: "a", Whole: true, Text: []string{"Fixed."}},
	}, 100)
	for i := range messages {
		if messages[i].Whole {
			messages[i].ID = fmt.Sprint(i / 3)
		}
	}
	turns, _ := Turns(messages, filter)
	if len(turns) != 100 || turns[99].Agent != "Fixed." {
		t.Errorf("%d turns, the last %+v", len(turns), turns[len(turns)-1])
	}
}

func TestAnswersCarryWhatTheyTake(t *testing.T) {
	options := "Two ways:\n\n1. **Postgres**, a server\n2) SQLite, a file\n\nOption C: none at all\n\nWhich one?"
	for answer, want := range map[string]string{
		"2":         "2 (2) SQLite, a file)",
		"go with 1": "go with 1 (1. **Postgres**, a server)",
		"c":         "c (Option C: none at all)",
		"yes":       "yes (Which one?)",
		"2 files are broken and the third one is missing": "2 files are broken and the third one is missing",
	} {
		w := Watch{}
		w.Add(Turn{Number: 1, Person: "Where do the notes go?", Agent: options})
		w.Finds = nil
		p := w.Add(Turn{Number: 2, Person: answer})
		if len(p.Finds) != 1 || p.Finds[0].Text != want {
			t.Errorf("%q: %+v, want %q", answer, p.Finds, want)
		}
	}
}

// Whatever is said, a question has few and short lines.
func FuzzWatch(f *testing.F) {
	f.Add("No, never do that again.", "The cause was x.\n- a) y\nb?")
	f.Add("不要再用 npm。以后都用 pnpm", "原因是 <b>`x`</b>")
	f.Add("\x00\u202e", strings.Repeat("1. x\n", 100))
	f.Fuzz(func(t *testing.T, person, agent string) {
		var w Watch
		for i := range 4 {
			w.Add(Turn{Number: i + 1, Person: person, Agent: agent, Tools: 1})
		}
		ask := w.Question(schemas.DefaultConfig()).Text(SaveTool)
		if strings.Count(ask, "\n") > 1+MaxShown || utf8.RuneCountInString(ask) > 3000 || !IsAsk(ask) || !utf8.ValidString(ask) {
			t.Errorf("%q", ask)
		}
		if len(w.Finds) > maxFinds || len(w.Offer) > maxOffer+1 {
			t.Errorf("%d finds, %d options", len(w.Finds), len(w.Offer))
		}
	})
}
