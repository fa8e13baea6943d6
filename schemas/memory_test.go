package schemas

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const shuffled = `{"unknown": {"b": [], "a": {}}, "times_updated": 3, "changes": [{"new_value": {"z": 1, "a": [1.50, 1e3]}, "summary": "s <&> ü",
"date": "2026-01-01T00:00:00Z"}], "content": {"consequences": [], "rationale": ["한국어"], "alternatives": [{"rejected_reason": "r",
"option": "o"}], "decision": "d", "extra": null, "context": "a\u2028b", "status": "accepted"}, "title": "T", "id": "t", "category": "decision"}`

const canonical = `{
  "category": "decision",
  "id": "t",
  "title": "T",
  "content": {
    "status": "accepted",
    "context": "a\u2028b",
    "decision": "d",
    "alternatives": [
      {
        "option": "o",
        "rejected_reason": "r"
      }
    ],
    "rationale": [
      "한국어"
    ],
    "consequences": [],
    "extra": null
  },
  "changes": [
    {
      "date": "2026-01-01T00:00:00Z",
      "summary": "s <&> ü",
      "new_value": {
        "a": [
          1.50,
          1e3
        ],
        "z": 1
      }
    }
  ],
  "times_updated": 3,
  "unknown": {
    "a": {},
    "b": []
  }
}
`

func TestEncodeIsCanonical(t *testing.T) {
	d, err := DecodeExact([]byte(shuffled))
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(canonical, string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Written again, a memory says the same, and from then on in the same bytes.
func TestEncodeKeepsEveryValue(t *testing.T) {
	files, err := filepath.Glob("../testdata/stores/parcel/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no sample store", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		before, err := DecodeExact(data)
		if err != nil {
			continue // half-written-merge.json
		}
		first, err := before.Encode()
		if err != nil {
			t.Fatal(err)
		}
		after, err := DecodeExact(first)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(before, after); diff != "" {
			t.Errorf("%s (-file +encoded):\n%s", file, diff)
		}
		if second, err := after.Encode(); err != nil || string(second) != string(first) {
			t.Errorf("%s: another form the second time (%v)", file, err)
		}
	}
}

func TestDecodeExactRefuses(t *testing.T) {
	tests := map[string]struct{ data, says string }{
		"a key that occurs twice":        {`{"a": 1, "a": 2}`, `"a" occurs twice`},
		"one in the depth":               {`{"a": [{"b": 1, "b": 1}]}`, `"a.0.b" occurs twice`},
		"a list":                         {`[]`, "expected a JSON object, got a list"},
		"nothing":                        {"", "empty"},
		"half an object":                 {`{"a": `, "line 1, column"},
		"two objects":                    {`{} {}`, "line 1, column 4"},
		"bytes that are no UTF-8":        {"{\"a\": \"\xff\"}", "invalid UTF-8 at byte 7"},
		"more levels than JSON can have": {strings.Repeat(`{"a":`, 20_000), "depth"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if d, err := DecodeExact([]byte(tt.data)); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, %v, want %q", d, err, tt.says)
			}
		})
	}
}

// Indentation must not make gigabytes of a nest of lists.
func TestEncodeStopsAtTheLargestFile(t *testing.T) {
	nested := func(depth int) any {
		var v any
		for range depth {
			v = []any{v}
		}
		return v
	}
	for name, v := range map[string]any{"deep": nested(9_000), "long": strings.Repeat("x", MaxFileBytes)} {
		if _, err := MemoryOf(map[string]any{"content": v}).Encode(); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := MemoryOf(map[string]any{"content": nested(100)}).Encode(); err != nil {
		t.Error(err)
	}
}
