package web

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func TestShow(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"plain":           {"a <b> & \"c\"", "a &lt;b&gt; &amp; &#34;c&#34;"},
		"lines stay":      {"a\n\tb", "a\n\tb"},
		"Korean":          {"재시도 정책", "재시도 정책"},
		"joined emoji":    {"👩\u200d💻", "👩\u200d💻"},
		"bidi":            {"a\u202eb", `a<span class="code">U+202E</span>b`},
		"zero width":      {"a\u200bb", `a<span class="code">U+200B</span>b`},
		"escape":          {"\x1b[1m", `<span class="code">U+001B</span>[1m`},
		"invalid UTF-8":   {"a\xffb", "a\ufffdb"},
		"private section": {"the [PRIVATE] key", `the <span class="withheld">` + lock + `PRIVATE</span> key`},
		"secret":          {"[REDACTED]", `<span class="withheld">` + lock + `REDACTED</span>`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(show(tt.text)); got != tt.want {
				t.Errorf("show(%q) = %s, want %s", tt.text, got, tt.want)
			}
		})
	}
}

func FuzzShow(f *testing.F) {
	f.Add("a\u202e<script>[PRIVATE]\x00\xff")
	f.Fuzz(func(t *testing.T, s string) {
		shown := string(show(s))
		for _, own := range []string{`<span class="code">`, `<span class="withheld">`, lock, "</span>"} {
			shown = strings.ReplaceAll(shown, own, "")
		}
		if strings.ContainsAny(shown, `<>"'`) || strings.ContainsAny(shown, "\x00\x1b\u202e\u2066\u200b") {
			t.Errorf("show(%q) = %q", s, shown)
		}
	})
}

var colour = regexp.MustCompile(`--([\w-]+): light-dark\(#(\w{6}), #(\w{6})\);`)

// palette reads the colours of the light or the dark scheme.
func palette(css string, scheme int) map[string]float64 {
	luminance := map[string]float64{}
	for _, match := range colour.FindAllStringSubmatch(css, -1) {
		var channels [3]float64
		for i := range channels {
			n, _ := strconv.ParseUint(match[2+scheme][2*i:2*i+2], 16, 8)
			c := float64(n) / 255
			if channels[i] = c / 12.92; c > 0.04045 {
				channels[i] = math.Pow((c+0.055)/1.055, 2.4)
			}
		}
		luminance[match[1]] = 0.2126*channels[0] + 0.7152*channels[1] + 0.0722*channels[2]
	}
	return luminance
}

// Texts have a contrast of 4.5 (WCAG 2.1, 1.4.3), edges of fields and bars of charts one
// of 3 (1.4.11), in both colour schemes.
func TestColoursHaveContrast(t *testing.T) {
	data, err := os.ReadFile("static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	pairs := []struct {
		front, back string
		least       float64
	}{
		{"ink", "paper", 4.5}, {"ink", "surface", 4.5}, {"ink", "accent-soft", 4.5}, {"ink", "warn-soft", 4.5},
		{"ink", "line", 4.5},
		{"soft", "paper", 4.5}, {"soft", "surface", 4.5}, {"accent", "paper", 4.5}, {"accent", "surface", 4.5},
		{"accent", "accent-soft", 4.5},
		{"accent-ink", "accent", 4.5}, {"warn", "paper", 4.5}, {"warn", "surface", 4.5}, {"warn", "warn-soft", 4.5},
		{"ins", "ins-soft", 4.5}, {"ins", "accent-soft", 4.5}, {"del", "del-soft", 4.5}, {"del", "accent-soft", 4.5},
		{"edge", "paper", 3}, {"edge", "surface", 3},
	}
	for i, scheme := range []string{"light", "dark"} {
		colours := palette(string(data), i)
		for _, pair := range pairs {
			a, b := colours[pair.front], colours[pair.back]
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < pair.least {
				t.Errorf("%s: %s on %s has a contrast of %.2f, want %.1f", scheme, pair.front, pair.back, ratio,
					pair.least)
			}
		}
	}
}
