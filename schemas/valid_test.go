package schemas

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestValid(t *testing.T) {
	for _, s := range []string{
		"", " ", "{}", "[]", ` { "a" : [ 1 , "b" ] } `, `{"a":1,}`, `[1,]`, `{,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{"a" 1}`, "[1 2]", "{}}", "{} {}", "{", "[", `"`,
		"true", "tru", "falsey", "null ", "nul", "nulll", "0", "-0", "-", "01", "1.5", "1.", ".5", "1e5", "1E+5", "1e", "1e-", "--1", "+1", "NaN", "Infinity", "1e999",
		`"a"`, "\"a\nb\"", "\"\x7f\"", `"\n\"\\\/\b\f\r\t"`, `"\x"`, `"\`, `"\u00e9"`, `"\u00g9"`, `"\u12`, `"\u12"`, "\"\xff\"", "\x00", "{}\x00", "[\x00]", "\ufeff{}",
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001), strings.Repeat(`{"a":`, 1<<18),
	} {
		if got, want := Valid([]byte(s)), json.Valid([]byte(s)); got != want {
			t.Errorf("%.40q: %v, want %v", s, got, want)
		}
	}
}

// FuzzValid holds our reading to encoding/json's.
func FuzzValid(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e+3,true,false,null,"b\u00e9\n"]}`, `[{},[],""]`, "{} ", `{"a":1,}`, "01", "\"\x01\"", "[\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, want := Valid(data), json.Valid(data); got != want {
			t.Errorf("%q: %v, want %v", data, got, want)
		}
	})
}
