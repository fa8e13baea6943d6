package review

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNamesOf(t *testing.T) {
	for text, want := range map[string]string{
		"RetryQueue holds payments, retryQueue too":        "RetryQueue retryQueue",
		"The queue is drained by drain_all and MAX_SIZE":   "MAX_SIZE drain_all",
		"Kafka and PostgreSQL, a Sentence. ALL CAPS":       "PostgreSQL",
		"call drain() or queue.drain(), not drain":         "drain",
		"in `drain` and `a queue`, `SELECT` is no name":    "drain queue",
		"src/pay.go, `pay.go:12` and ./lib/a-b.ts.":        "src/pay.go pay.go:12 lib/a-b.ts",
		"see https://example.com/a.go or ~/x/../y.go":      "",
		"Node.js, e.g. version 1.2.3, v1.2":                "Node.js v1.2",
		"결제는 RetryQueue에서 다시 시도한다":                         "RetryQueue",
		"pkg.RetryQueue and Retry::Queue, com.shop.PayBox": "pkg.RetryQueue com.shop.PayBox PayBox RetryQueue",
		"`if` and `x` are short":                           "",
	} {
		names := namesOf(text)
		if got := sorted(slices.Collect(maps.Keys(names))); got != sorted(strings.Fields(want)) {
			t.Errorf("%q: %s, want %s", text, got, sorted(strings.Fields(want)))
		}
	}
}

func sorted(names []string) string {
	slices.Sort(names)
	return strings.Join(names, " ")
}

func FuzzNamesOf(f *testing.F) {
	f.Add("`RetryQueue` in src/pay.go, queue.drain() and a_b")
	f.Fuzz(func(t *testing.T, text string) {
		names := namesOf(text)
		for name := range names {
			if !strings.Contains(text, name) || !utf8.ValidString(name) || len(name) < leastName {
				t.Errorf("%q", name)
			}
		}
		if len(names) > maxNames+10 { // the last word may have several
			t.Errorf("%d names", len(names))
		}
		for _, word := range words([]byte(text)) {
			if len(word) == 0 || strings.TrimFunc(string(word), inWord) != "" {
				t.Errorf("%q is no word", word)
			}
		}
	})
}

func TestUseOf(t *testing.T) {
	for line, want := range map[string]use{
		"public class RetryQueue {":                    declared,
		"type RetryQueue struct {":                     declared,
		"	queue := NewPool(RetryQueue{})":              used,
		"private final RetryQueue queue;":              used,
		`  key: "RetryQueue"`:                          used,
		"import org.example.RetryQueue;":               used,
		"#[derive(RetryQueue)]":                        used,
		"// RetryQueue keeps what failed.":             mentioned,
		" * the RetryQueue keeps what failed":          mentioned,
		"# RetryQueue keeps it":                        mentioned,
		"retry() // as RetryQueue did":                 mentioned,
		`log("the RetryQueue is full")`:                mentioned,
		"because the RetryQueue, unlike others, waits": mentioned,
	} {
		at := strings.Index(line, "RetryQueue")
		if got := useOf([]byte(line), at, at+len("RetryQueue")); got != want {
			t.Errorf("%s: %d, want %d", line, got, want)
		}
	}
}

// What a memory says itself that it goes is no finding once it is gone.
func TestExpected(t *testing.T) {
	m := &memory{text: "The RetryQueue stays. We remove OldPool, because NewPool does more.\nBadPool is no longer needed."}
	for name, want := range map[string]bool{"RetryQueue": false, "OldPool": true, "NewPool": true, "BadPool": true} {
		if _, found := namesIn(m)[name]; found == want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	m.Title = "Get rid of RetryQueue"
	if names := namesIn(m); len(names) > 0 {
		t.Errorf("the title is not read: %v", names)
	}
}
