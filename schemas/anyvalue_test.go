package schemas

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzAny holds our reading of values to encoding/json's.
func FuzzAny(f *testing.F) {
	addDocuments(f)
	for _, seed := range []string{"1e400", "-0.0", " [ 1 , [ ] , { } ] ", `{"a":{"a":[true,false,null,"\ud83d\ude00"]},"a":"\n"}`, strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if !Valid(data) {
			Any(data) // never a panic, never without end
			return
		}
		if !utf8.Valid(data) {
			return
		}
		want := asEncodingJSON(t, data)
		if got := Any(data); !reflect.DeepEqual(got, want) { // go-cmp takes minutes for what is nested deep
			t.Errorf("%q: got %v, want %v", data, got, want)
		}
		var encoded bytes.Buffer
		enc := json.NewEncoder(&encoded)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(want); err != nil {
			t.Fatal(err)
		}
		if got := EncodeAny(want); string(got)+"\n" != encoded.String() {
			t.Errorf("%q: got %s, want %s", data, got, &encoded)
		}
	})
}

func asEncodingJSON(t *testing.T, data []byte) (v any) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}
