package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// addDocuments seeds a fuzz target with valid memories and with trouble.
func addDocuments(f *testing.F) {
	for _, info := range Categories {
		f.Add([]byte(minimalMemory(info.Category)))
		f.Add([]byte(fullMemory(info.Category)))
	}
	for _, seed := range []string{"", "{}", "[]", "null", "{}{}", "\xff", "\ufeff{}", `{"a":1,"a":2}`, `{"a`, `["`, `{"a":}`, `"\`,
		`{"confidence":1e-99999999}`, `{"tags":[1e999]}`, `{"content":{"\n":"\u2028"}}`, `{"category":"memory"}`,
		`{"tags":["\\","\"",{}, [ ] ,"\u0022"],"title":"\ud800","times_updated":-0.0,"id":"a" , "id":null}`} {
		f.Add([]byte(seed))
	}
}

func FuzzValidate(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		got := Validate(data)
		if again := Validate(data); !slices.Equal(got, again) {
			t.Fatalf("%q, then %q", got, again)
		}
		for _, v := range got {
			if v.Rule == "" || v.Expected == "" || v.Got == "" || utf8.RuneCountInString(v.Got) > 80 ||
				strings.ContainsAny(v.String(), "\n\r\x1b") {
				t.Errorf("%+v", v)
			}
		}
		var doc any
		if utf8.Valid(data) && json.Unmarshal(data, &doc) == nil && CheckDepth(doc) == nil {
			agree(t, data, got)
		}
		if got == nil {
			if left := validateValue(t, doc); left != nil {
				t.Errorf("re-encoded: %q", left)
			}
		}
	})
}

// FuzzDecode compares Decode with encoding/json and holds what reads its result
// to any bytes.
func FuzzDecode(f *testing.F) {
	addDocuments(f)
	f.Add([]byte(typicalMemory))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Decode(data)
		object := bytes.TrimPrefix(data, byteOrderMark)
		var want map[string]json.RawMessage
		isObject := utf8.Valid(object) && json.Unmarshal(object, &want) == nil && want != nil
		if errors.Is(err, errTooDeep) {
			return
		}
		if isObject != (err == nil) {
			t.Fatalf("an object: %v, yet %v", isObject, err)
		}
		if isObject {
			compareMemory(t, m, want)
		}
	})
}

func compareMemory(t *testing.T, m Memory, fields map[string]json.RawMessage) {
	text := func(name string) (s string) {
		if json.Unmarshal(fields[name], &s) != nil {
			return ""
		}
		return s
	}
	var confidence *float64
	if json.Unmarshal(fields["confidence"], &confidence) != nil {
		confidence = nil
	}
	values, _ := DecodeAny(fields["content"])
	got := []any{m.SchemaVersion, string(m.Category), m.ID, m.Title, m.CreatedAt, m.UpdatedAt,
		m.RetiredAt, m.RetiredReason, m.ArchivedAt, m.ArchivedReason, m.Confidence, m.Values()["content"]}
	want := []any{text("schema_version"), text("category"), text("id"), text("title"), text("created_at"), text("updated_at"),
		text("retired_at"), text("retired_reason"), text("archived_at"), text("archived_reason"), confidence, values}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-encoding/json +Decode):\n%s", diff)
	}
	encoded, err := m.Encode()
	if err != nil {
		return // too large
	}
	said := m
	if c, ok := m.Content.(*ConstraintContent); ok && c.Check != nil { // which is not part of the text
		bare := *c
		bare.Check, said.Content = nil, &bare
		if encoded, err = said.Encode(); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(tokenWalk(ContentOf(encoded)), m.Text()); diff != "" {
		t.Errorf("text (-token walk +Text):\n%s", diff)
	}
}

// FuzzMembers compares Members with encoding/json on valid JSON; on other bytes it
// has to end.
func FuzzMembers(f *testing.F) {
	addDocuments(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		got := map[string]json.RawMessage{}
		for key, value := range Members(data) {
			got[key] = value
		}
		if !utf8.Valid(data) || !json.Valid(data) {
			return
		}
		want := map[string]json.RawMessage{}
		_ = json.Unmarshal(data, &want) // not for an object: nothing
		if want == nil {                // null
			return
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-encoding/json +Members):\n%s", diff)
		}
	})
}

// tokenWalk is Text by encoding/json's tokens.
func tokenWalk(content []byte) string {
	dec := json.NewDecoder(bytes.NewReader(content))
	dec.UseNumber()
	var text strings.Builder
	var inObject []bool // for each open bracket, whether it is an object's
	isKey := false
	for {
		token, err := dec.Token()
		if err != nil {
			return text.String()
		}
		switch token := token.(type) {
		case json.Delim:
			if token == '{' || token == '[' {
				inObject = append(inObject, token == '{')
			} else {
				inObject = inObject[:len(inObject)-1]
			}
			isKey = len(inObject) > 0 && inObject[len(inObject)-1]
			continue
		case string:
			if !isKey {
				if text.Len() > 0 {
					text.WriteByte('\n')
				}
				text.WriteString(token)
			}
		}
		isKey = len(inObject) > 0 && inObject[len(inObject)-1] && !isKey
	}
}

// A memory keeps all that was in it, and is written in one form only.
func FuzzDecodeExact(f *testing.F) {
	addDocuments(f)
	f.Add([]byte(typicalMemory))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := DecodeExact(data)
		if err != nil {
			return
		}
		encoded, err := d.Encode()
		if err != nil {
			t.Fatalf("a document that was read cannot be written: %v", err)
		}
		again, err := DecodeExact(encoded)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, encoded)
		}
		if diff := cmp.Diff(d, again); diff != "" {
			t.Errorf("-read +written:\n%s", diff)
		}
		if twice, err := again.Encode(); err != nil || !bytes.Equal(encoded, twice) {
			t.Errorf("%v\n%s\n%s", err, encoded, twice)
		}
	})
}
