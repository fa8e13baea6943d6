package text

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

// What people write looks the same afterwards.
func TestPrintableKeeps(t *testing.T) {
	tests := map[string]string{
		"Korean":                     "웹훅 재시도 정책 ㅋㅋㅋ ㄱㄴㄷ",
		"Korean in conjoining Jamo":  "\u1112\u1161\u11ab\u1100\u1173\u11af", // 한글
		"Chinese and Japanese":       "令牌由网关签发、トークン　ガ\u3099",
		"Arabic":                     "مَرْحَبًا، السلام عليكم ١٢٣",
		"Arabic number signs":        "\u0600\u0661\u06dd",
		"Persian with a non-joiner":  "می\u200cخواهم کتاب\u200cها",
		"Persian after a vowel sign": "نامهِ\u200cای",
		"Urdu":                       "پاکستان میں اردو",
		"Hindi":                      "नमस्ते दुनिया",
		"Hindi with a joiner":        "क्\u200dष और र्\u200dय",
		"Hindi with a non-joiner":    "क्\u200cष",
		"Malayalam at the end":       "അവന്\u200d വന്നു",
		"Sinhala":                    "ශ්\u200dරී ලංකා",
		"Bengali":                    "র\u200d্যাব",
		"Thai, Hebrew, accents":      "ภาษาไทย שָׁלוֹם e\u0301 naïve",
		"spaces of other widths":     "10\u202f000\u00a0€\u2009x\u3000y",
		"an emoji":                   "done 🎉 and \U0001FAE9",
		"a family":                   "👨\u200d👩\u200d👧\u200d👦",
		"a profession with a skin":   "👩🏽\u200d💻",
		"a heart":                    "❤\ufe0f and ❤\u200d🔥, ❤\ufe0f\u200d🔥",
		"the rainbow flag":           "🏳\ufe0f\u200d🌈",
		"nodding":                    "🙂\u200d↕\ufe0f 🙂\u200d↔\ufe0f",
		"flags":                      "🇰🇷 🇨🇭 🏴\u200d☠\ufe0f",
		"keycaps":                    "1\ufe0f\u20e3 #\ufe0f\u20e3",
		"a symbol as text":           "☎\ufe0e ©\ufe0f ‼\ufe0f",
		"Egyptian":                   "\U00013000\U00013430\U00013001",
		"private use":                "\ue0b0 \U000F0001",
	}
	for name, s := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Printable(s); got != s {
				t.Errorf("Printable(%+q) = %+q", s, got)
			}
			if got := Line(s); got != s {
				t.Errorf("Line(%+q) = %+q", s, got)
			}
			if got := EscapeJSON([]byte(s)); string(got) != s {
				t.Errorf("EscapeJSON(%+q) = %+q", s, got)
			}
		})
	}
}

func TestPrintableRemoves(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"joiners between Latin letters": {"a\u200db\u200cc", "abc"},
		"joiners before a space":        {"می\u200c خواهم\u200d", "می خواهم"},
		"joiners in a row":              {"می\u200c\u200c\u200dخواهم क्\u200d\u200d", "می\u200dخواهم क्\u200d"},
		"a joiner after an emoji":       {"🎉\u200d and 🎉\u200d\u200d🎉", "🎉 and 🎉\u200d🎉"},
		"a non-joiner between emoji":    {"🎉\u200c🎉", "🎉🎉"},
		"selectors after letters":       {"a\ufe0fb\ufe0e 1\ufe0f 2\ufe0f3", "ab 1 23"},
		"selectors in a row":            {"🎉\ufe0f\ufe0f\ufe0e", "🎉\ufe0f"},
		"other selectors":               {"🎉\ufe00葛\U000E0100", "🎉葛"},
		"the tags of a flag":            {"🏴\U000E0067\U000E0062\U000E007F", "🏴"},
		"controls":                      {"a\x00\x1b[1m\x7f\u009bb", "a[1mb"},
		"line breaks and tabs between":  {"a\nb\r\nc\td\u0085e\u2028f", "a b  c d e f"},
		"controls of direction":         {"a\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u061cb", "ab"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Printable(tt.in); got != tt.want {
				t.Errorf("Printable(%+q) = %+q, want %+q", tt.in, got, tt.want)
			}
		})
	}
}

// The property as Unicode 16 lists it (DerivedCoreProperties.txt).
func TestInvisibleIsDefaultIgnorable(t *testing.T) {
	for _, span := range [][2]rune{
		{0xAD, 0xAD}, {0x34F, 0x34F}, {0x61C, 0x61C}, {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F}, {0x200B, 0x200F}, {0x202A, 0x202E},
		{0x2060, 0x206F}, {0x3164, 0x3164}, {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3},
		{0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
	} {
		for r := span[0]; r <= span[1]; r++ {
			if !Invisible(r) {
				t.Errorf("%U is not", r)
			}
		}
		for _, r := range []rune{span[0] - 1, span[1] + 1} {
			if Invisible(r) && !unicode.In(r, unicode.Zl, unicode.Zp) && r != 0xFFF9 {
				t.Errorf("%U is", r)
			}
		}
	}
}

func TestEscapeJSON(t *testing.T) {
	const title = "a\u0085\u009b\x7f\u202eb\u2066\U000E0041c\u00ad\u200b, 👩\u200d💻 and می\u200cخواهم"
	var b strings.Builder
	enc := json.NewEncoder(JSONWriter(&b))
	enc.SetIndent("", "\t")
	if err := enc.Encode(map[string]string{"title": title}); err != nil {
		t.Fatal(err)
	}
	want := "{\n\t\"title\": \"" + `a\u0085\u009b\u007f\u202eb\u2066\udb40\udc41c\u00ad\u200b, 👩` + "\u200d💻 and می\u200cخواهم\"\n}\n"
	if b.String() != want {
		t.Errorf("got %+q", b.String())
	}
	var back map[string]string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back["title"] != title {
		t.Errorf("it means %+q, %v", back["title"], err)
	}
}

func FuzzPrintable(f *testing.F) {
	for _, s := range []string{"", "a\u200db", "می\u200cخواهم", "क्\u200d\u200dष", "🎉\ufe0f\u200d\u200b🎉", "1\ufe0f\u20e3", "\xff\u202e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Printable(s)
		if again := Printable(got); again != got {
			t.Errorf("%+q became %+q, then %+q", s, got, again)
		}
		for _, r := range got {
			if Invisible(r) && !strings.ContainsRune("\u200c\u200d\ufe0e\ufe0f", r) {
				t.Errorf("%+q became %+q", s, got)
			}
		}
		encoded, _ := json.Marshal(s)
		var before, after string
		if json.Unmarshal(encoded, &before) != nil || json.Unmarshal(EscapeJSON(encoded), &after) != nil || before != after {
			t.Errorf("%s became %s", encoded, EscapeJSON(encoded))
		}
	})
}

func TestPrintableJSON(t *testing.T) {
	tests := map[string]struct{ in, want string }{
		"a raw character":      {"{\"a\":\"x\u202ey\"}", `{"a":"xy"}`},
		"an escaped character": {`{"a":"x\u202ey\udb40\udc41\u001b[1m"}`, `{"a":"xy[1m"}`},
		"in a key":             {`{"a\u00ad":[1,"b"]}`, `{"a":[1,"b"]}`},
		"quotes and lines":     {`{"a":"\"\\\n\"","b":"\\"}`, `{"a":"\"\\\n\"","b":"\\"}`},
		"nothing to remove":    {`{"a":"<p> 웹훅\tx"}`, `{"a":"<p> 웹훅\tx"}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := string(PrintableJSON([]byte(tt.in))); got != tt.want {
				t.Errorf("got %q", got)
			}
		})
	}
}
