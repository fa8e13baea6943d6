package schemas

import (
	"testing"
	"time"
)

func TestIsDateTime(t *testing.T) {
	for s, want := range map[string]bool{
		"2026-01-31T09:00:00Z":           true,
		"2026-01-31t09:00:00z":           true,
		"2026-01-31T09:00:00.123456789Z": true,
		"2026-01-31T09:00:00+05:30":      true,
		"2026-01-31T09:00:00-00:00":      true,
		"2024-02-29T23:59:59Z":           true,
		"2016-12-31T23:59:60Z":           true,
		"2017-01-01T05:29:60+05:30":      true,
		"":                               false,
		"today":                          false,
		"2026-01-31":                     false,
		"2026-01-31 09:00:00Z":           false,
		"2026-01-31T09:00Z":              false,
		"2026-01-31T09:00:00":            false,
		"2026-01-31T9:00:00Z":            false,
		"2026-01-31T09:00:00,5Z":         false,
		"2026-01-31T09:00:00.Z":          false,
		"2026-01-31T09:00:00+0530":       false,
		"2026-01-31T09:00:00+24:00":      false,
		"2026-01-31T24:00:00Z":           false,
		"2026-02-30T09:00:00Z":           false,
		"2016-12-31T22:59:60Z":           false,
		"2026-01-31T09:00:00Z ":          false,
		"２026-01-31T09:00:00Z":           false,
	} {
		if got := isDateTime(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}

func FuzzIsDateTime(f *testing.F) {
	for _, seed := range []string{"2026-01-31T09:00:00Z", "2016-12-31t23:59:60.5-00:00", "2017-01-01T05:29:60+05:30"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, err := isDateTime(s), oracleDateTime(s); got != (err == nil) {
			t.Errorf("%q: %v, the oracle says %v", s, got, err)
		}
	})
}

func TestParseSince(t *testing.T) {
	now := time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)
	for typed, want := range map[string]string{
		"7d": "2026-03-01T12:00:00Z", "0d": "2026-03-08T12:00:00Z", "12h": "2026-03-08T00:00:00Z", "2026-01-31": "2026-01-31T00:00:00Z",
		"": "", "d": "", "-7d": "", "-1h": "", "1000000d": "", "soon": "",
	} {
		at, ok := ParseSince(typed, now)
		if got := FormatTime(at); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %s, %v", typed, got, ok)
		}
	}
}
