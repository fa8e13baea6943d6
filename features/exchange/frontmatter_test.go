package exchange

import (
	"runtime"
	"strings"
	"testing"
)

// No front matter takes much more memory than it has bytes.
func TestFrontMatterTakesLittleMemory(t *testing.T) {
	for _, part := range []string{"[", "{", "- ", "? - ", "{a: ", "[a,", "a: [", "[\n", "]]]]]]]]]][[[[[[[[[[[["} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		decodeFront(strings.Repeat(part, maxFront/len(part)))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 20<<20 {
			t.Errorf("%q: %d MB", part, took>>20)
		}
	}
	meta := decodeFront("tags: [a, [b, c]]\nlinks:\n- {to: [d]}\n")
	if got := strings.Join(meta.takeList("tags"), " "); got != "a b c" {
		t.Errorf("tags %q", got)
	}
}
