package console

import (
	"bytes"
	"testing"
	"time"
)

func TestSilenceOnATerminalIsExplained(t *testing.T) {
	var out bytes.Buffer
	began := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	s := &Stderr{Writer: &out, silent: began}
	stdout := &Stdout{Writer: &out, Silence: s}
	expect := func(when, want string) {
		t.Helper()
		if got := out.String(); got != want {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
		out.Reset()
	}
	s.draw(began.Add(999 * time.Millisecond))
	expect("at once", "")
	s.draw(began.Add(3100 * time.Millisecond))
	expect("after 3 seconds", clearLine+"memctl: at work, 3s")
	Note(s, "a note")
	expect("a note", clearLine+"memctl: a note\n")
	s.draw(began.Add(time.Minute))
	expect("later", "")
	s.set(began)
	s.draw(began.Add(time.Minute))
	expect("after a bar", clearLine+"memctl: at work, 1m0s")
	_, _ = stdout.Write([]byte("the result\n"))
	expect("a result", clearLine+"the result\n")
	s.set(began)
	s.draw(began.Add(time.Minute))
	if Unfiltered(stdout) != &out {
		t.Error("a filter is left")
	}
	s.draw(began.Add(2 * time.Minute))
	expect("an editor", clearLine+"memctl: at work, 1m0s"+clearLine)
}
