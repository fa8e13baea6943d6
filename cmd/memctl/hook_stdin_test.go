package main

import (
	"io"
	"os"
	"strings"
	"testing"
)

// Tests of a hook's stdin that do not fit into a script.

// checkSilent checks that stdout is empty and that stderr is one line with the cause.
func checkSilent(t *testing.T, out, errOut, cause string) {
	t.Helper()
	if out != "" {
		t.Errorf("stdout: %q", out)
	}
	if strings.Count(errOut, "\n") != 1 || !strings.HasPrefix(errOut, "memctl: ") || !strings.Contains(errOut, cause) {
		t.Errorf("stderr is not one line that says %q: %q", cause, errOut)
	}
}

func TestHookAnswersWhileStdinIsOpen(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put("decisions/kafka.json", "Kafka keeps the events")
	out, errOut := p.openStdin(event("what about kafka"))
	if got := titles(readHookAnswer(t, out).Specific.Context); len(got) != 1 || errOut != "" {
		t.Errorf("stdout %q, stderr %q", out, errOut)
	}
}

func TestHookGivesUpOnHalfAnEvent(t *testing.T) {
	for name, half := range map[string]string{"half a value": `{"prompt":"what about`, "nothing": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			out, errOut := p.openStdin(half)
			checkSilent(t, out, errOut, "no whole JSON value within 2s")
		})
	}
}

// openStdin runs the hook on a stdin that stays open until the hook has ended.
func (p project) openStdin(sent string) (stdout, stderr string) {
	p.t.Helper()
	in, client, err := os.Pipe()
	p.check(err)
	defer in.Close()
	defer client.Close()
	cmd, out, errOut := process(p.dir, "", "hook", "user-prompt-submit")
	cmd.Stdin = in
	p.check(cmd.Start())
	_, err = io.WriteString(client, sent)
	p.check(err)
	p.check(cmd.Wait())
	return out.String(), errOut.String()
}

func TestHookIsSilentOnBadBytes(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put("decisions/kafka.json", "Kafka keeps the events")
	tests := map[string]struct{ stdin, cause string }{
		"an event of 10 MB":                {event(strings.Repeat("kafka", 2<<20)), "more than 8 MiB"},
		"a prompt of 7 MB":                 {event("kafka " + strings.Repeat("events ", 7<<20/7)), "the prompt is 7.3 MB"},
		"one word of 7 MB":                 {event(strings.Repeat("kafka", 7<<20/5)), "the prompt is 7.3 MB"},
		"raw NUL bytes":                    {strings.Repeat("\x00", 100), "invalid character"},
		"a raw NUL in the prompt":          {"{\"prompt\":\"what about\x00kafka\"}", "invalid character"},
		"UTF-16":                           {"\xff\xfe{\x00\"\x00p\x00", "invalid character"},
		"control characters in the reason": {"\x1b[2J\u202e{}", "invalid character"},
		"deep nesting":                     {strings.Repeat(`{"a":`, 20_000), "depth"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			out, errOut := memctl(t, p.dir, tt.stdin, "hook", "user-prompt-submit")
			checkSilent(t, out, errOut, tt.cause)
		})
	}
}

func TestHookAnswersOddButReadablePrompts(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put("decisions/kafka.json", "Kafka keeps the events")
	tests := map[string]string{
		"an escaped NUL":           `{"prompt":"what about\u0000kafka"}`,
		"lone surrogates":          `{"prompt":"what about \ud800kafka\udfff"}`,
		"invalid UTF-8":            "{\"prompt\":\"what about \xffkafka\xfe\"}",
		"nearly a megabyte":        event("kafka " + strings.Repeat("ü ", 300_000)),
		"a hundred thousand words": event(strings.Repeat("kafka events ", 50_000)),
		"a cwd of another type":    `{"prompt":"what about kafka","cwd":["/"]}`,
		"a null cwd":               `{"prompt":"what about kafka","cwd":null}`,
		"the older field name":     `{"user_prompt":"what about kafka"}`,
		"text after the event":     `{"prompt":"what about kafka"} trailing`,
		"a duplicate field":        `{"prompt":"what about redis","prompt":"what about kafka"}`,
	}
	for name, stdin := range tests {
		t.Run(name, func(t *testing.T) {
			out, errOut := memctl(t, p.dir, stdin, "hook", "user-prompt-submit")
			if got := titles(readHookAnswer(t, out).Specific.Context); len(got) != 1 || errOut != "" {
				t.Errorf("stdout %q, stderr %q", out, errOut)
			}
		})
	}
}
