package hooks

import (
	"slices"
	"testing"
)

func TestAddedLinesOfEdits(t *testing.T) {
	for name, tt := range map[string]struct {
		edit
		want []string
	}{
		"a new line":          {edit{"a\nb", "a\nx\nb"}, []string{"x"}},
		"a changed line":      {edit{"a(1)", "a(2)"}, []string{"a(2)"}},
		"a moved line":        {edit{"a\nb", "b\na"}, nil},
		"a line twice":        {edit{"a", "a\na"}, nil},
		"other ends of lines": {edit{"a\r\nb", "a\nb\nc\r\n"}, []string{"c"}},
		"a deletion":          {edit{"a\nb", ""}, nil},
		"a new text":          {edit{"", "a\n\nb\n"}, []string{"a", "b"}},
		"a patch":             {patched("*** Update File: a\n@@\n same\n-old\n+old\n+new\n"), []string{"new"}},
	} {
		if got := tt.added(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
