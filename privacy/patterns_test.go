package privacy

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCheckPattern(t *testing.T) {
	tests := map[string]struct{ pattern, want string }{
		"an ordinary one":         {`(?i)\bkim(?:, jin)?\b|\d{3}-\d{4}`, ""},
		"1,000 characters":        {strings.Repeat("가", MaxPatternLength), ""},
		"one that is not closed":  {`(`, "error parsing regexp: missing closing ): `(`"},
		"1,001 characters":        {strings.Repeat("가", MaxPatternLength+1), "a pattern of more than 1000 characters"},
		"a long repetition":       {`(ab{1,249}){2}`, ""},
		"a longer one":            {`([ab]{1,500}){2}`, "a pattern of more than 1000 steps, repetitions counted: `([ab]{1,500}){2}`"},
		"repetitions within some": {`(?:(?:x{10}){10}){10}y`, "a pattern of more than 1000 steps, repetitions counted: `(?:(?:x{10}){10}){10}y`"},
		"ten of them in a row":    {strings.Repeat(`[a-z]{0,100}`, 10), "a pattern of more than 1000 steps, repetitions counted: `" + strings.Repeat(`[a-z]{0,100}`, 10) + "`"},
		"Hangul in any case":      {`(?i)[가-힣]+-kim|lee-영희|[^a-z-]|park-민수`, ""},
		"wide ranges in any case": {"(?i)[[:alpha:]B-𞥃C]", "a pattern that ignores case in ranges of more than 50000 characters: `(?i)[[:alpha:]B-𞥃C]`"},
		"the same by its codes":   {`(?s-m:(?mi:[^]\x00-\x{1E943}]))`, "a pattern that ignores case in ranges of more than 50000 characters: `(?s-m:(?mi:[^]\\x00-\\x{1E943}]))`"},
		"many Unicode classes":    {strings.Repeat(`\pL`, 11), "a pattern with more than 10 Unicode classes: `" + strings.Repeat(`\pL`, 11) + "`"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := CheckPattern(tt.pattern); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got %s", got)
			}
		})
	}
}

func TestCheckPatterns(t *testing.T) {
	patterns := append([]string{"("}, slices.Repeat([]string{"a"}, MaxPatterns+5)...)
	usable, problems := CheckPatterns(patterns)
	if diff := cmp.Diff("[error parsing regexp: missing closing ): `(` more than 64 patterns: the last 6 are not used]", fmt.Sprint(problems)); diff != "" || len(usable) != MaxPatterns-1 {
		t.Errorf("%d usable, %s", len(usable), diff)
	}
}

// Patterns of a project that are too large to match quickly are not used.
func TestHostilePatternsAreLeftOut(t *testing.T) {
	nested := strings.Repeat(`((?:[a-z]{1,30}){30})`, 300) // 6,000 characters
	o := Options{ExcludePatterns: append(slices.Repeat([]string{nested, `(?:(?:[a-z]{10}){10}){10}`}, 25), `falcon-\d+`)}
	f := o.Filter()
	if got, _ := f.Text("falcon-7 " + strings.Repeat("abc", 1000)); !strings.HasPrefix(got, RedactedMarker+" abc") || len(f.patterns) != 1 {
		t.Errorf("got %.20q with %d patterns", got, len(f.patterns))
	}
}

func TestDeadline(t *testing.T) {
	slow := Options{Marker: PrivateMarker, ExcludePatterns: []string{`(?:[a-z]{0,400}!|a)`}} // quadratic
	text := strings.Repeat("a", 200_000)
	until := func(o Options, left time.Duration) *Filter {
		ctx, cancel := context.WithTimeout(t.Context(), left)
		t.Cleanup(cancel)
		return o.Filter().Within(ctx)
	}
	tests := map[string]struct {
		filter *Filter
		text   string
	}{
		"that is over":        {until(Options{}, 0), "a <b> c\nd"},
		"over in one match":   {until(Options{ExcludePatterns: []string{`[\pL\pN]{1,499}!`}}, 50*time.Millisecond), text},
		"over between others": {until(slow, 50*time.Millisecond), text},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, r := tt.filter.Text(tt.text)
			if got != PrivateMarker || !r.Found() || !slices.Equal(r.Warnings, []string{"not filtered in time: all of the text was hidden"}) {
				t.Errorf("got %.40q, %+v", got, r)
			}
		})
	}
}

// A filter with a distant deadline finds the same as one without a deadline.
func FuzzDeadline(f *testing.F) {
	f.Add(`\bfalcon-\d+\b`, "a falcon-7, falcon-8falcon-9")
	f.Add(`^.|x*|.$`, "가xx\ny\xff")
	f.Add(`(?m)^b*?$|(b)(a)`, "a\nb\nba")
	f.Add(`\Qa.b`, "a.b ab")
	f.Add(`(?i)(k)|\B.`, "\u212aK k")
	f.Fuzz(func(t *testing.T, pattern, s string) {
		filter := Options{ExcludePatterns: []string{pattern}}.Filter()
		if len(filter.patterns) == 0 || len(s) > 50 {
			return
		}
		p := filter.patterns[0]
		want := filter.matches(p, s)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		got := filter.Within(ctx).matches(p, s)
		if diff := cmp.Diff(want, got, cmp.Transformer("empty", func(list [][]int) string { return fmt.Sprint(list) })); diff != "" {
			t.Errorf("%q in %q: %s", pattern, s, diff)
		}
	})
}

// Keys that become equal are numbered, without counting from the first one each time.
func TestManyKeysAlike(t *testing.T) {
	object := map[string]any{}
	for i := range 20_000 {
		object[fmt.Sprintf("ghp_%036d", 1_000_000+i)+"a"] = i
	}
	Options{}.Filter().Value(object, nil)
	if _, ok := object["[REDACTED] 20000"]; !ok || len(object) != 20_000 {
		t.Errorf("%d keys", len(object))
	}
}
