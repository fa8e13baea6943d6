package privacy

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"testing"
)

// The kind of a secret follows from its shape or, failing that, from the name of its key.
func TestSecrets(t *testing.T) {
	const github = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	tests := map[string]struct{ in, want, kinds string }{
		"by shape":                       {"see " + github + ".", "see [REDACTED].", "github_token"},
		"by shape and name":              {"API_TOKEN=" + github, "API_TOKEN=[REDACTED]", "github_token"},
		"by name":                        {"db.password=Winter-7harbor", "db.password=[REDACTED]", "password"},
		"in a fenced block":              {"```sh\nexport DB_PASSWORD=Winter-7harbor\n```", "```sh\nexport DB_PASSWORD=[REDACTED]\n```", "password"},
		"in inline code":                 {"run `curl -u jin:Winter7harbor x`", "run `curl -u jin:[REDACTED] x`", "password"},
		"in a section within code":       {"`<private>" + github + "</private>`", "`<private>[REDACTED]</private>`", "github_token"},
		"an address keeps its host":      {"redis://:Winter7harbor@cache:6379/0", "redis://:[REDACTED]@cache:6379/0", "url_credentials"},
		"two on a line":                  {"user=a password=hunter2x&api_key=9f8b7c6d5e4f", "user=a password=[REDACTED]&api_key=[REDACTED]", "api_key password"},
		"next to a marker":               {"password=[REDACTED]hunter2x", "password=[REDACTED]", "password"},
		"a marker is not a secret":       {"password=[REDACTED], token: [PRIVATE]", "password=[REDACTED], token: [PRIVATE]", ""},
		"a value that goes on and on":    {"SECRET=" + strings.Repeat("a1B2", 1000) + " b", "SECRET=[REDACTED] b", "secret"},
		"two touching":                   {github + "," + github, "[REDACTED],[REDACTED]", "github_token"},
		"a key that has lost its end":    {"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nMIIEvQIB\n\nand then: text", "[REDACTED]and then: text", "private_key"},
		"a particle stays":               {"비밀번호는 hunter2입니다", "비밀번호는 [REDACTED]입니다", "password"},
		"quotes within quotes":           {`{"a":"{\"password\":\"hunter2x\"}"}`, `{"a":"{\"password\":\"[REDACTED]\"}"}`, "password"},
		"an echo on a later line":        {"log in:\necho -n Winter7harbor | docker login -u jin --password-stdin", "log in:\necho -n [REDACTED] | docker login -u jin --password-stdin", "password"},
		"a zero-width space within":      {"see " + github[:9] + "\u200b" + github[9:] + ".", "see [REDACTED].", "github_token"},
		"a soft hyphen within":           {github[:9] + "\u00ad" + github[9:], "[REDACTED]", "github_token"},
		"tags within":                    {github[:9] + "\U000e0041\U000e007f" + github[9:], "[REDACTED]", "github_token"},
		"a control character within":     {github[:9] + "\x00" + github[9:], "[REDACTED]", "github_token"},
		"within the key name":            {"DB_PASS\u200bWORD=Winter-7harbor", "DB_PASS\u200bWORD=[REDACTED]", "password"},
		"the colours of a terminal":      {".env:\x1b[01;31m\x1b[K" + github + "\x1b[m\x1b[K", ".env:\x1b[01;31m\x1b[K[REDACTED]\x1b[m\x1b[K", "github_token"},
		"full-width characters":          {"ｐａｓｓｗｏｒｄ＝Ｗｉｎｔｅｒ７ｈａｒｂｏｒ 입니다", "ｐａｓｓｗｏｒｄ＝[REDACTED] 입니다", "password"},
		"a full-width sign at its end":   {"암호：hunter2x（임시）", "암호：[REDACTED]（임시）", "password"},
		"invisible, but no secret":       {"the pass\u00adword rules, رمز\u200cها, 👩\u200d💻 and \x1b[1mpassword\x1b[0m: string", "the pass\u00adword rules, رمز\u200cها, 👩\u200d💻 and \x1b[1mpassword\x1b[0m: string", ""},
		"broken over lines":              {"see " + github[:20] + "\n  " + github[20:] + " there", "see [REDACTED] there", "github_token"},
		"broken and zero-width":          {github[:9] + "\u200b" + github[9:20] + "\r\n" + github[20:], "[REDACTED]", "github_token"},
		"one on each line":               {github + "\n" + github + "\nand more", "[REDACTED]\n[REDACTED]\nand more", "github_token"},
		"in base64":                      {"data: Z2hwXzE2QzdlNDJGMjkyYzY5MTJFNzcxMGM4MzgzNDdBZTE3OEI0YQ== end", "data: [REDACTED] end", "github_token"},
		"in URL-safe base64":             {"k " + base64.RawURLEncoding.EncodeToString([]byte("?>~~ "+github)) + ".", "k [REDACTED].", "github_token"},
		"in wrapped base64":              {"k:\n" + wrapped(strings.Repeat("plain words, ", 9)+github) + "\nend", "k:\n[REDACTED]\nend", "github_token"},
		"in base64 of a path":            {"/a/Z2hwXzE2QzdlNDJGMjkyYzY5MTJFNzcxMGM4MzgzNDdBZTE3OEI0YQ", "[REDACTED]", "github_token"},
		"in base64 without a secret":     {"c3RlcCBvbmUgb2YgdGhlIGltcG9ydCwgdGhlbiBzdGVwIHR3bw==", "c3RlcCBvbmUgb2YgdGhlIGltcG9ydCwgdGhlbiBzdGVwIHR3bw==", ""},
		"at the end of a word":           {"mcp__Tool" + github, "mcp__Tool[REDACTED]", "github_token"},
		"a name, then another statement": {"password := next()\ntoken := \"abc\"", "password := next()\ntoken := \"abc\"", ""},
	}
	f := defaults().Filter()
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, r := f.Text(tt.in)
			if kinds := strings.Join(slices.Sorted(maps.Keys(r.Secrets)), " "); got != tt.want || kinds != tt.kinds {
				t.Errorf("got %q, %s", got, kinds)
			}
		})
	}
}

// wrapped returns a text in base64, as the program of that name prints it.
func wrapped(s string) string {
	lines := slices.Collect(slices.Chunk([]byte(base64.StdEncoding.EncodeToString([]byte(s))), 76))
	return string(bytes.Join(lines, []byte("\n")))
}

// docs/trust.md lists the disguises that hide a secret. One that a rule finds belongs in
// TestSecrets.
func TestDisguisesThatHide(t *testing.T) {
	const github = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	once := base64.StdEncoding.EncodeToString([]byte(github))
	wide := strings.Join(strings.Split(github, ""), "\x00") + "\x00"
	tests := map[string]string{
		"base64 of base64":           base64.StdEncoding.EncodeToString([]byte(once)),
		"base64 of UTF-16":           base64.StdEncoding.EncodeToString([]byte(wide)),
		"hexadecimal":                hex.EncodeToString([]byte(github)),
		"percent signs":              strings.ReplaceAll(github, "_", "%5F"),
		"in pieces":                  `"` + github[:20] + `" + "` + github[20:] + `"`,
		"a broken prefix":            github[:2] + "\n" + github[2:],
		"a letter of another script": strings.Replace(github, "h", "һ", 1),
	}
	f := defaults().Filter()
	for name, in := range tests {
		t.Run(name, func(t *testing.T) {
			if got, _ := f.Text(in); got != in {
				t.Errorf("found in %q: %q", in, got)
			}
		})
	}
}

// hostile lists fragments whose repetition could make a careless scanner quadratic.
var hostile = map[string]string{
	"openings":  "<private>",
	"sections":  "<private>x</private> ",
	"brackets":  "[private] ",
	"fences":    "~~~\n<private>x</private>\n",
	"backticks": "`a",
	"names":     "password: ",
	"nested":    "pwd=/",
	"quotes":    `pwd:\"`,
	"schemes":   "bearer=",
	"addresses": "://a:",
	"keys":      "-----BEGIN PRIVATE KEY-----\n",
	"types":     "pwd string ",
	"jwt":       "eyJabcdefghijk.",
	"hits":      "password=hunter2x9\n",
	"subjects":  "password for a ",
	"remarks":   "암호 ",
	"blocks":    "pwd {\n",
	"ands":      "pwd=a&&",
	"cookies":   "cookie: a=b;",
	"pipes":     "echo a|sudo -S ",
	"sources":   ":@tcp(",
	"fields":    "a:*:b:c:d\n",
	"putty":     "Private-Lines: 1\naB3",
	"headers":   "eyJ-",
	"prefixes":  "sk-",
	"blanks":    "< ",
	"tags":      "<private a=b ",
	"base64":    "c3RlcCBvbmUgb2YgdGhl",
	"wrapped":   strings.Repeat("c3RlcCBvbmUg", 6) + "\n",
	"breaks":    "a1b2c3\n",
	"invisible": "a\u200bpwd\u00ad",
	"colours":   "\x1b[0;",
	"wide":      "ｐｗｄ＝",
}

// BenchmarkHostile filters 10 MB of each hostile fragment.
func BenchmarkHostile(b *testing.B) {
	f := defaults().Filter()
	for name, unit := range hostile {
		text := strings.Repeat(unit, 10_000_000/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				f.Text(text)
			}
		})
	}
}

// BenchmarkOrdinary filters text without secrets, as nearly all text is.
func BenchmarkOrdinary(b *testing.B) {
	f := defaults().Filter()
	text := strings.Repeat("partition broker because events retain topic\nWe decided on staging deploy orders. ", 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f.Text(text)
	}
}
