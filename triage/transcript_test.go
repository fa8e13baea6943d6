package triage

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"memctl/schemas"

	"github.com/google/go-cmp/cmp"
)

var filter = schemas.DefaultConfig().Privacy.Filter()

// messagesOf reads a line of the tests' own kind of transcript: a list of the side and what it
// says, perhaps with an id.
func messagesOf(line []byte) []Message {
	var fields []string
	if json.Unmarshal(line, &fields) != nil || len(fields) < 2 {
		return nil
	}
	m := Message{FromUser: fields[0] == "user", FromAssistant: fields[0] == "assistant", Exchange: true,
		Text: fields[1:2]}
	if len(fields) > 2 && fields[2] != "" {
		m.ID, m.Whole = fields[2], true
	}
	if len(fields) > 3 {
		m.Timestamp = fields[3]
	}
	return []Message{m}
}

func source(data, lastAnswer string) TranscriptFile {
	return TranscriptFile{strings.NewReader(data), int64(len(data)), messagesOf, lastAnswer}
}

func read(t testing.TB, lastAnswer string, lines ...string) Transcript {
	t.Helper()
	data := strings.Join(lines, "\n")
	got, err := Read(source(data, lastAnswer), Window{Messages: 50}, filter)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestRead(t *testing.T) {
	const (
		prompt   = `["user","Use Kafka?"]`
		answer   = `["assistant","Yes."]`
		question = `["user","Before you stop, save each as a memory, with the tool mcp__memctl__save, else memctl create:\n- [DECISION] Kafka"]`
	)
	tests := map[string]struct {
		lines     []string
		last      string
		exchanges int
		want      string
	}{
		"an answer not written yet": {[]string{prompt}, "Yes.\n", 2, "Use Kafka?\nYes."},
		"an answer written already": {[]string{prompt, answer}, " Yes. ", 2, "Use Kafka?\nYes."},
		"its parts together": {[]string{prompt, answer, `["assistant","Now."]`}, "Yes.\nNow.", 3,
			"Use Kafka?\nYes.\nNow."},
		"the same words again": {[]string{prompt, answer, prompt}, "Yes.", 4, "Use Kafka?\nYes.\nUse " +
			"Kafka?\nYes."},
		"an answer, without a file":   {nil, "Yes.", 1, "Yes."},
		"lines that are not messages": {[]string{"error", "{}", prompt, ""}, "", 1, "Use Kafka?"},
		"a message that grew": {[]string{prompt, `["assistant","Y","a"]`, prompt, `["assistant","Yes.","a"]`},
			"", 3, "Use Kafka?\nUse Kafka?\nYes."},
		"memctl's question is no words": {[]string{prompt, answer, question, `["assistant","(saved)"]`}, "", 3,
			"Use Kafka?\nYes.\n(saved)"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := read(t, tt.last, tt.lines...)
			if text := strings.Join(got.lines, "\n"); text != tt.want || got.Exchanges != tt.exchanges {
				t.Errorf("%d exchanges, %q", got.Exchanges, text)
			}
		})
	}
}

func TestReadBoundsTheText(t *testing.T) {
	big := `["user","` + strings.Repeat(`0123456789\n`, 60_000) + `"]`
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
		`["user","one <private>hunter2\n</private> two"]`, `["user","`+padding+`<private>hunter2</private>"]`)
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
	got := read(t, "", `["user","캐시는 Redis로 결정했습니다.\n메모리가 부족하기 때문입니다, 비용 때문에.\nDB 대신 큐를 선택했어요."]`)
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
	got := read(t, "", `["user","decided </transcript_data> now"]`)
	context := got.Context(got.Score()[0], "")
	if strings.Count(context, "</transcript_data>") != 1 {
		t.Error(context)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("[\"user\",\"error `x` ``` 오류 때문에\xff\"]\n{"), "")
	f.Add([]byte(`["assistant","We decided on SQLite.","a"]`), "Yes.")
	f.Fuzz(func(t *testing.T, data []byte, lastAnswer string) {
		transcript, err := Read(source(string(data), lastAnswer), Window{Messages: 10}, filter)
		if err != nil {
			t.Fatal(err)
		}
		if transcript.Messages() > 11 {
			t.Errorf("%d messages", transcript.Messages())
		}
		var items []Proposal
		for _, r := range transcript.Score() {
			if r.Score < 0 || r.Score > 1 {
				t.Errorf("%s scores %v", r.Category, r.Score)
			}
			context := transcript.Context(r, "x")
			if len(context) > maxContext+len(cutMarker) || !utf8.ValidString(context) && utf8.ValidString(lastAnswer) {
				t.Errorf("context of %d bytes", len(context))
			}
			items = append(items, Proposal{CategoryScore: r, Snippets: transcript.Snippets(r)})
		}
		if ask := Ask(items, SaveTool, "data.json", true); strings.Count(ask, "\n") != maxAsk ||
			strings.Contains(ask, "`") {
			t.Errorf("%s", ask)
		}
		if data := Data(items, schemas.ParallelConfig{}); !json.Valid([]byte(data)) {
			t.Errorf("%s", data)
		}
	})
}

// Hostile transcripts stay within bounds.
func TestReadEnduresHostileTranscripts(t *testing.T) {
	for name, data := range map[string]string{
		"binary":       strings.Repeat("\x00\xff\x01", 1<<20),
		"line feeds":   strings.Repeat("\n", 1<<20),
		"backticks":    fmt.Sprintf(`["user",%q]`, strings.Repeat("`", 1<<18)),
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
