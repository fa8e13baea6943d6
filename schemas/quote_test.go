package schemas

import (
	"bytes"
	"encoding/json"
	"testing"
)

func FuzzEncodeTextIsEncodingJSONs(f *testing.F) {
	var all []byte
	for b := range 256 {
		all = append(all, byte(b))
	}
	for _, s := range []string{"", "a", string(all), "<b>&'\"\\", "한국어 é 🎉", "\u2028\u2029\ufffd\u007f", "\xed\xa0\x80"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		if got := encodeText(s); string(got) != string(bytes.TrimSuffix(want.Bytes(), []byte("\n"))) {
			t.Errorf("%q: got %s, want %s", s, got, want.Bytes())
		}
	})
}
