package web

import (
	"html/template"
	"testing"
	"time"
)

func TestDayText(t *testing.T) {
	now := time.Date(2026, 11, 29, 23, 30, 0, 0, time.Local)
	for day, want := range map[string][2]string{
		"2026-11-29": {"Sun 29 Nov", "11월 29일 (일)"}, "2026-10-31": {"Sat 31 Oct", "10월 31일 (토)"},
		"2026-10-30": {"30 Oct 2026", "2026년 10월 30일"}, "2026-11-30": {"30 Nov 2026", "2026년 11월 30일"},
		"2025-01-02": {"2 Jan 2025", "2025년 1월 2일"}, "no day": {"no day", "no day"},
	} {
		for i, lang := range languages {
			if got := plainDay(lang, day, now); got != want[i] {
				t.Errorf("%s in %s is %s, want %s", day, lang, got, want[i])
			}
		}
	}
}

func TestStamp(t *testing.T) {
	zone := time.Local
	t.Cleanup(func() { time.Local = zone })
	time.Local = time.FixedZone("", -8*60*60)
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.Local)
	for _, tt := range []struct{ lang, at, form, want string }{
		{"en", "2026-11-29T22:05:00Z", dayAndClock, `<time datetime="2026-11-29T22:05:00Z">Sun 29 Nov, 14:05</time>`},
		{"ko", "2026-11-29T22:05:00Z", dayAndClock, `<time datetime="2026-11-29T22:05:00Z">11월 29일 (일) 14:05</time>`},
		{"ko", "2026-01-29T22:05:00Z", dayAndClock, `<time datetime="2026-01-29T22:05:00Z">2026년 1월 29일 14:05</time>`},
		{"en", "2026-01-29T22:05:00Z", justClock, `<time datetime="2026-01-29T22:05:00Z">14:05</time>`},
		{"en", "2026-01-29T02:05:00Z", justDay, `<time datetime="2026-01-29T02:05:00Z">28 Jan 2026</time>`},
		{"en", "2026-01-29", dayAndClock, `<time datetime="2026-01-29">29 Jan 2026</time>`},
		{"ko", "yesterday <b>", dayAndClock, "yesterday &lt;b&gt;"},
	} {
		if got := stamp(tt.lang, tt.at, tt.form, now); string(got) != tt.want {
			t.Errorf("%s is %s, want %s", tt.at, got, tt.want)
		}
	}
}

func TestFigures(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -12345: "-12,345", 1234567: "1,234,567"} {
		if got := figure(n).String(); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1 kB", 999_999: "999 kB", 1_250_000: "1.2 MB",
		12_345_678_901: "12,345.6 MB"} {
		if got := size(n); got != want {
			t.Errorf("%d bytes are %s, want %s", n, got, want)
		}
	}
	if got := translate("ko", "memories.count", 10_000); got != "기억 10,000개" {
		t.Error(got)
	}
	if got := translate("en", "memories.count", 1); got != "1 memory" {
		t.Error(got)
	}
}

func TestSaid(t *testing.T) {
	for english, want := range map[string]string{
		"remove it from a.json; then run memctl install": "a.json에서 지우세요. 그런 다음 `memctl install` 명령을 실행하세요",
		"memctl install":            "memctl install",
		"built the index (1234 ms)": "색인을 만들었습니다 (1234 ms)",
		"decisions/a.json: content.status: expected a string, got missing": "decisions/a.json: content.status: 문자열이 필요하지만 지금은 없음",
		"expected true or false: x":                                        "true나 false가 필요합니다: x", "expected one of a, b, got a list": "(a, b) 중 하나가 필요하지만 지금은 목록",
		"open /x/y: permission denied":                       "open /x/y: 권한이 없습니다",
		"saved, but not renamed to jwt-rotation: it is busy": "저장했지만 이름을 jwt-rotation으로 바꾸지 못했습니다: it is busy",
		"a sentence of git":                                  "a sentence of git",
	} {
		if got := said("ko", english); got != want {
			t.Errorf("%q is %q, want %q", english, got, want)
		}
		if got := said("en", english); got != english {
			t.Errorf("%q in English is %q", english, got)
		}
	}
	for fix, want := range map[string]string{
		"memctl install": "<code>memctl install</code>", "write 10": "10으로 쓰세요",
		"memctl install; then start a new session of the agent in this project": "<code>memctl install</code>. 그런 다음 " +
			"이 프로젝트에서 에이전트 세션을 새로 시작하세요",
	} {
		if got := repair("ko", fix); string(got) != want {
			t.Errorf("%q is %s, want %s", fix, got, want)
		}
	}
}

func TestSpoken(t *testing.T) {
	for _, tt := range []struct{ lang, text, want string }{
		{"ko", "Use pnpm only", `<span lang="en">Use pnpm only</span>`}, {"ko", "pnpm", "pnpm"}, {"ko", "pnpm만 쓴다", "pnpm만 쓴다"},
		{"en", "pnpm만 쓴다", `<span lang="ko">pnpm만 쓴다</span>`}, {"en", "Use pnpm only", "Use pnpm only"}, {"ko", "1 < 2", "1 &lt; 2"},
	} {
		if got := spoken(tt.lang, tt.text, show(tt.text)); string(got) != tt.want {
			t.Errorf("%s in %s is %s, want %s", tt.text, tt.lang, got, tt.want)
		}
	}
	if got := translateHTML("ko", "new.by", show("O'Brien")); got != template.HTML("O&#39;Brien의 새 기억") {
		t.Error(got)
	}
}
