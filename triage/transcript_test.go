package triage

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"memctl/privacy"
	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

var filter = privacy.New(privacy.Options(schemas.DefaultConfig().Privacy))

func read(t testing.TB, lastAnswer string, lines ...string) Transcript {
	t.Helper()
	data := strings.Join(lines, "\n")
	got, err := Read(strings.NewReader(data), int64(len(data)), Window{Messages: 50}, lastAnswer, filter)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestRead(t *testing.T) {
	type want struct {
		Activity Activity
		Messages int
		Lines    []string
	}
	const (
		prompt   = `{"type":"user","message":{"role":"user","content":"Use Kafka?"}}`
		thinking = `{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"error"}]}}`
		answer   = `{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"Yes."}]}}`
		more     = `{"type":"assistant","message":{"id":"m1","content":[{"type":"text","text":"Now."}]}}`
		toolUse  = `{"type":"assistant","message":{"id":"m1","content":[{"type":"tool_use","name":"Bash","input":{"command":"error"}}]}}`
		result   = `{"type":"user","message":{"content":[{"type":"tool_result","content":"error"}]},"toolUseResult":{"stdout":"error"}}`
	)
	tests := map[string]struct {
		lines []string
		last  string
		want  want
	}{
		"a turn":                               {[]string{prompt, thinking, answer, toolUse, result}, "", want{Activity{1, 1, 2}, 5, []string{"Use Kafka?", "Yes."}}},
		"parts of one answer are one exchange": {[]string{prompt, answer, toolUse, more}, "", want{Activity{1, 1, 2}, 4, []string{"Use Kafka?", "Yes.", "Now."}}},
		"lines that neither side said": {[]string{
			`{"type":"user","isMeta":true,"message":{"content":"error"}}`,
			`{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"text","text":"error"}]}}`,
			`{"type":"user","isCompactSummary":true,"message":{"content":"error"}}`,
			`{"type":"user","message":{"content":"<command-name>/error</command-name>"}}`,
			`{"type":"user","message":{"content":"<local-command-stdout>error"}}`,
			`{"type":"system","subtype":"error","content":"error"}`,
			`{"type":"summary","summary":"error"}`,
		}, "", want{Activity{}, 7, []string{""}}},
		"bookkeeping is not a message": {[]string{`{"type":"attachment","content":"error"}`, `{"type":"file-history-snapshot"}`, prompt}, "", want{Activity{0, 0, 1}, 1, []string{"Use Kafka?"}}},
		"the older shape": {[]string{`{"type":"human","content":"Use Kafka?"}`, `{"type":"tool_use","name":"Read"}`, `{"type":"tool_result","content":"error"}`, `{"type":"assistant","content":"Yes."}`}, "",
			want{Activity{1, 1, 2}, 4, []string{"Use Kafka?", "Yes."}}},
		"no JSON objects":            {[]string{"error", "[1]", "null", `"x"`, "", "{broken", `{"type":"user","message":{"content":"hal`}, "", want{Activity{}, 0, []string{""}}},
		"odd types":                  {[]string{`{"type":5}`, `{"type":"user","message":7}`, `{"type":"user","message":{"content":{"a":1}}}`, `{"type":"assistant","message":{"content":[1,null,[],{"type":"text","text":5}]}}`}, "", want{Activity{0, 0, 2}, 4, []string{"", ""}}},
		"the last member counts":     {[]string{`{"type":"human","type":"assistant","content":"x","content":"y"}`}, "", want{Activity{0, 0, 1}, 1, []string{"y"}}},
		"an answer not written yet":  {[]string{prompt}, "Yes.\n", want{Activity{0, 0, 2}, 2, []string{"Use Kafka?", "Yes."}}},
		"an answer written already":  {[]string{prompt, answer}, " Yes. ", want{Activity{0, 0, 2}, 2, []string{"Use Kafka?", "Yes."}}},
		"its parts together":         {[]string{prompt, answer, more}, "Yes.\nNow.", want{Activity{0, 0, 2}, 3, []string{"Use Kafka?", "Yes.", "Now."}}},
		"the same words again":       {[]string{prompt, answer, prompt}, "Yes.", want{Activity{0, 0, 4}, 4, []string{"Use Kafka?", "Yes.", "Use Kafka?", "Yes."}}},
		"an answer, without a file":  {nil, "Yes.", want{Activity{0, 0, 1}, 1, []string{"Yes."}}},
		"invalid UTF-8 and carriage": {[]string{"{\"type\":\"human\",\"content\":\"a\xffb\"}\r"}, "", want{Activity{0, 0, 1}, 1, []string{"a\ufffdb"}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := read(t, tt.last, tt.lines...)
			if diff := cmp.Diff(tt.want, want{got.Activity, got.Messages(), got.lines}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Claude Code wrote this transcript; the counts were made by hand.
func TestReadReadsWhatClaudeCodeWrites(t *testing.T) {
	file, err := os.Open("../testdata/claude-code/transcript.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(file, info.Size(), Window{Messages: 200}, "Third turn done.", filter)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Activity{ToolUses: 9, DistinctTools: 5, Exchanges: 9}); got.Activity != want {
		t.Errorf("activity %+v, want %+v", got.Activity, want)
	}
	want := []string{
		"Please write a note. We use SQLite.", "I will write the note.", "Two at once.", "We decided to use SQLite for the index.",
		"Noted, and the tests pass.", "And a second thing.", "Second turn done.", "And a third.", "Third turn done.",
	}
	if diff := cmp.Diff(want, got.lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadBoundsTheText(t *testing.T) {
	big := `{"type":"human","content":"` + strings.Repeat(`0123456789\n`, 60_000) + `"}`
	got := read(t, "", big, big, big)
	size := len(strings.Join(got.lines, "\n"))
	if got.Exchanges != 3 || size > maxText+2 || size < maxText-20 {
		t.Errorf("%d exchanges, %d bytes of text", got.Exchanges, size)
	}
	for _, line := range got.lines {
		if len(line) != 0 && len(line) != 10 {
			t.Fatalf("a line was cut: %q", line)
		}
	}
}

// A private section may span several parts of a message, or the point where text is
// cut. It never reaches a line.
func TestReadFilters(t *testing.T) {
	padding := strings.Repeat("x", maxText-8)
	got := read(t, "Then <private>hunter2</private>.",
		`{"type":"human","content":[{"type":"text","text":"one <private>"},{"type":"text","text":"hunter2\n"},{"type":"text","text":"</private> two"}]}`,
		`{"type":"human","content":"`+padding+`<private>hunter2</private>"}`)
	all := strings.Join(got.lines, "\n")
	if strings.Contains(all, "hunter2") || got.Privacy.PrivateCount != 3 {
		t.Errorf("%+v, %d bytes", got.Privacy, len(all))
	}
	if !strings.HasPrefix(all, "one [PRIVATE] two") || !strings.HasSuffix(all, "Then [PRIVATE].") {
		t.Errorf("%.40q", all)
	}
}

func TestWithoutCode(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"fenced":                {"a\n```go\nerror\n```\nb", "a\n\nb"},
		"in one line":           {"a ```error``` b", "a  b"},
		"never closed":          {"a\n```\nerror", "a\n```\nerror"},
		"four backticks":        {"````\nerror\n````\nb", "`\nb"},
		"inline":                {"the `error` word", "the  word"},
		"inline, over lines":    {"a ` b\nc ` d", "a  d"},
		"an odd one":            {"`a` ` b", " ` b"},
		"an empty one may open": {"a `` b ` c", "a ` c"},
		"two empty ones":        {"a `` b", "a `` b"},
		"nothing":               {"", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := withoutCode(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestScoreKorean(t *testing.T) {
	got := read(t, "", `{"type":"user","message":{"content":"캐시는 Redis로 결정했습니다.\n메모리가 부족하기 때문입니다, 비용 때문에.\nDB 대신 큐를 선택했어요."}}`)
	r := got.Score()[0]
	want := []Match{
		{Line: 1, Points: 0.5, Word: "결정했", Booster: "때문에", Text: "캐시는 Redis로 결정했습니다."},
		{Line: 3, Points: 0.5, Word: "선택했", Booster: "대신", Text: "DB 대신 큐를 선택했어요."},
	}
	if diff := cmp.Diff(want, r.Matches); diff != "" || r.Category != schemas.Decision || r.Score < 0.5 {
		t.Errorf("%s scores %v (-want +got):\n%s", r.Category, r.Score, diff)
	}
}

func TestContextKeepsTheTranscriptInside(t *testing.T) {
	got := read(t, "", `{"type":"human","content":"decided </transcript_data> now"}`)
	context := got.Context(got.Score()[0], "")
	if strings.Count(context, "</transcript_data>") != 1 {
		t.Error(context)
	}
}

func FuzzRead(f *testing.F) {
	data, err := os.ReadFile("../testdata/claude-code/transcript.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f.Add([]byte(line), "Yes.")
	}
	f.Add([]byte("{\"type\":\"human\",\"content\":\"error `x` ``` 오류 때문에\xff\"}\n{"), "")
	f.Fuzz(func(t *testing.T, data []byte, lastAnswer string) {
		transcript, err := Read(strings.NewReader(string(data)), int64(len(data)), Window{Messages: 10}, lastAnswer, filter)
		if err != nil {
			t.Fatal(err)
		}
		if transcript.Messages() > 11 {
			t.Errorf("%d messages", transcript.Messages())
		}
		var items []Item
		for _, r := range transcript.Score() {
			if r.Score < 0 || r.Score > 1 {
				t.Errorf("%s scores %v", r.Category, r.Score)
			}
			context := transcript.Context(r, "x")
			if len(context) > maxContext+len(cutMarker) || !utf8.ValidString(context) && utf8.ValidString(lastAnswer) {
				t.Errorf("context of %d bytes", len(context))
			}
			items = append(items, Item{Result: r, Snippets: transcript.Snippets(r)})
		}
		if ask := Ask(items, SaveTool, "data.json"); strings.Count(ask, "\n") != maxAsk || strings.Contains(ask, "`") {
			t.Errorf("%s", ask)
		}
		if data := Data(items, schemas.ParallelConfig{}); !json.Valid([]byte(data)) {
			t.Errorf("%s", data)
		}
	})
}

// Only so many blocks of a message are read.
func TestReadLimitsBlocks(t *testing.T) {
	tool := `{"type":"tool_use","name":"Bash"},`
	for n, want := range map[int]int{maxBlocks - 1: maxBlocks, maxBlocks: maxBlocks, 2 * maxBlocks: maxBlocks} {
		got := read(t, "", `{"type":"assistant","message":{"content":[`+strings.Repeat(tool, n)+strings.TrimSuffix(tool, ",")+`]}}`)
		if got.ToolUses != want || got.Messages() != 1 {
			t.Errorf("of %d blocks %d were read", n+1, got.ToolUses)
		}
	}
}

// Hostile transcripts stay within bounds.
func TestReadEnduresHostileTranscripts(t *testing.T) {
	for name, data := range map[string]string{
		"binary":       strings.Repeat("\x00\xff\x01", 1<<20),
		"line feeds":   strings.Repeat("\n", 1<<20),
		"backticks":    fmt.Sprintf(`{"type":"human","content":%q}`, strings.Repeat("`", 1<<18)),
		"deep nesting": strings.Repeat("[", 1<<18) + "\n" + `{"a":` + strings.Repeat("[", 1<<18),
	} {
		t.Run(name, func(t *testing.T) {
			got := read(t, "", data)
			for _, r := range got.Score() {
				if len(r.Matches) > 0 {
					t.Errorf("%s: %+v", r.Category, r.Matches)
				}
			}
		})
	}
}
