package schemas

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// typicalMemory is what an agent writes: about 1 KB.
const typicalMemory = `{
  "schema_version": "1.0",
  "category": "decision",
  "id": "use-wal-for-the-index",
  "title": "Use WAL for the index",
  "record_status": "active",
  "created_at": "2026-01-31T09:00:00Z",
  "updated_at": "2026-02-03T16:20:11Z",
  "tags": ["sqlite", "wal", "index", "concurrency"],
  "related_files": ["db/open.go", "docs/audit.md"],
  "confidence": 0.9,
  "content": {
    "status": "accepted",
    "context": "Two hooks may run at once: the prompt hook reads while the stop hook writes.\nA rollback journal made the \"reader\" wait.",
    "decision": "Open the index in WAL mode with a busy timeout of two seconds.",
    "rationale": ["Readers never wait for a writer", "One fsync for a transaction instead of two"],
    "alternatives": [
      {"option": "Rollback journal", "rejected_reason": "Readers block on every write"}
    ],
    "consequences": ["Two more files beside index.db", "Not usable on network file systems"]
  },
  "changes": [
    {"date": "2026-02-03T16:20:11Z", "summary": "Timeout raised", "field": "content.decision", "old_value": "one second", "new_value": "two seconds"}
  ],
  "times_updated": 1
}
`

func TestDecodeReadsEveryField(t *testing.T) {
	for _, info := range Categories {
		text := fullMemory(info.Category)
		m, err := Decode([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(decodeAny(t, text), decodeAny(t, string(encode(t, m.Values())))); diff != "" {
			t.Errorf("(-file +memory):\n%s", diff)
		}
	}
}

func TestDecodeIsLenient(t *testing.T) {
	one := 1.0
	for name, test := range map[string]struct {
		text string
		want Memory
	}{
		"nothing":           {`{}`, Memory{}},
		"byte order mark":   {"\ufeff {}\n", Memory{}},
		"other fields":      {`{"owner":{"title":"x"},"Title":"x"}`, Memory{}},
		"wrong types":       {`{"title":1,"tags":2,"confidence":"1","changes":{"date":"d"},"times_updated":[3],"id":null}`, Memory{}},
		"status of no type": {`{"record_status":null}`, Memory{RecordStatus: "-"}},
		"last key wins":     {`{"title":"a","\u0074itle":"b","id":"i","id":7}`, Memory{Title: "b"}},
		"escapes":           {`{"title":"a\"\\\u00e9\ud83d\ude00\ud800"}`, Memory{Title: "a\"\\é😀\ufffd"}},
		"one tag":           {`{"tags":"a"}`, Memory{Tags: []string{"a"}}},
		"strings among all": {`{"tags":["a",1,null,["x"],"","b"]}`, Memory{Tags: []string{"a", "b"}}},
		"numbers":           {`{"confidence":1e0,"times_updated":3.7}`, Memory{Confidence: &one, TimesUpdated: 3}},
		"huge numbers":      {`{"confidence":1e999,"times_updated":1e99}`, Memory{TimesUpdated: 1<<31 - 1}},
		"below zero":        {`{"times_updated":-5}`, Memory{}},
		"content as it is":  {`{"content" : [ 1, "x" ] }`, Memory{Rest: Rest{"content": []any{json.Number("1"), "x"}}}},
		"readable changes": {`{"changes":[7,{"date":1},{"date":"d","new_value":{"a":[]}}]}`,
			Memory{Changes: []Change{{Rest: Rest{"date": json.Number("1")}}, {Date: "d", NewValue: []byte(`{"a":[]}`)}}}},
	} {
		switch test.want.RecordStatus {
		case "":
			test.want.RecordStatus = Active
		case "-":
			test.want.RecordStatus = ""
		}
		got, err := Decode([]byte(test.text))
		if test.want.Rest == nil {
			got.Rest = nil
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "the file is empty",
		"\ufeff \n":          "the file is empty",
		"{\"a\":\"\xff\"}":   "invalid UTF-8 at byte 6",
		"[]":                 "expected a JSON object, got a list",
		" null":              "expected a JSON object, got null",
		"{":                  "line 1, column 1: unexpected end of JSON input",
		"{\n\"é\":[1,]}":     "line 2, column 8: invalid character ']' looking for beginning of value",
		"{\"a\":\"b\n\"}":    "line 1, column 8: invalid character '\\n' in string literal",
		"\ufeff{} {}":        "line 1, column 4: invalid character '{' after top-level value",
		"<<<<<<< HEAD\n{}\n": "line 1, column 1: invalid character '<' looking for beginning of value",
	} {
		if _, err := Decode([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestDecodeKeepsNothingOfTheInput(t *testing.T) {
	data := []byte(fullMemory(Decision))
	m, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	before := encode(t, m.Values())
	for i := range data {
		data[i] = '?'
	}
	if !slices.Equal(before, encode(t, m.Values())) {
		t.Error("the memory changed with the caller's bytes")
	}
}

func TestText(t *testing.T) {
	for content, want := range map[string]string{
		"":                                     "",
		`{}`:                                   "",
		`"a"`:                                  "a",
		`["a", 1, true, null, ["b"], "c"]`:     "a|b|c",
		`{"k" : "a", "l":{"m":"b"},"n":["c"]}`: "a|b|c",
		`{"\"k\":" :"\"a\": \\","\\":"b"}`:     `"a": \|b`,
		`["", "a", "", "b"]`:                   "a||b",
		`["a\nb", "\u00e9{", "}"]`:             "a|b|é{|}",
	} {
		value, _ := DecodeAny([]byte(content))
		m := MemoryOf(map[string]any{"content": value})
		if got := strings.ReplaceAll(m.Text(), "\n", "|"); got != want {
			t.Errorf("%s: got %q, want %q", content, got, want)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	b.SetBytes(int64(len(typicalMemory)))
	b.ReportAllocs()
	data := []byte(typicalMemory)
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkText(b *testing.B) {
	m, err := Decode([]byte(typicalMemory))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		m.Text()
	}
}
