package hooks

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

// warned runs a hook that warns and returns what the person is shown.
func (tr *trial) warned(session string, warnings ...string) string {
	tr.t.Helper()
	tr.out.Reset()
	run := NewRun(Streams{strings.NewReader(`{"session_id":"` + session + `"}`), &tr.out, &tr.err}, plain{})
	run.Do(func() error {
		return run.Answer(context.Background(), Hook{Name: "trial", Answer: func(_ context.Context, c *Call) (Answer, error) {
			for _, w := range warnings {
				c.warn("%s", w)
			}
			return Answer{}, nil
		}}, tr.root.Path)
	})
	return tr.out.String()
}

func message(lines ...string) string {
	return plain{}.Encode("trial", Answer{Person: "memctl: " + strings.Join(lines, "\nmemctl: ")})
}

func TestWarningsAreShownOnceASession(t *testing.T) {
	tr := newTrial(t)
	for _, step := range []struct {
		session  string
		warnings []string
		want     string
	}{
		{"s1", []string{"a"}, message("a")},
		{"s1", []string{"a"}, ""},
		{"s1", []string{"a", "b"}, message("b")},
		{"s2", []string{"a", "b"}, message("a", "b")},
		{"s1", []string{"a", "b"}, ""},
		{"", []string{"a"}, message("a")}, // nothing tells sessions apart
		{"", []string{"a"}, message("a")},
		{"s3", []string{"a", "b", "c", "d", "e"}, message("a", "b", "c", "and 2 more; memctl doctor lists them")},
		{"s3", []string{"a", "b", "c", "d", "e"}, ""},
		{"s3", nil, ""},
	} {
		if got := tr.warned(step.session, step.warnings...); got != step.want {
			t.Errorf("session %q warns of %q: %s, want %s", step.session, step.warnings, got, step.want)
		}
	}
}

func TestWarningsAreShownWhereNothingCanBeMarked(t *testing.T) {
	tr := newTrial(t)
	if err := os.WriteFile(fmt.Sprintf("%s/memctl-%d", os.Getenv("TMPDIR"), os.Getuid()), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got := tr.warned("s1", "a"); got != message("a") {
			t.Errorf("%s", got)
		}
	}
}

func TestWarningsAreShort(t *testing.T) {
	if got := newTrial(t).warned("s1", strings.Repeat("long ", 10_000)); len(got) > 400 {
		t.Errorf("%d bytes", len(got))
	}
}
