package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Tests of the stop hook that do not fit into a script: huge transcripts.

func TestStopHookReadsHugeTranscripts(t *testing.T) {
	t.Parallel()
	const (
		decision = `{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"We decided on Kafka because of order.\nWe chose three brokers."}]}}` + "\n"
		last     = `{"type":"user","message":{"content":"Thanks."}}` + "\n"
	)
	size := soak(20, 100) << 20
	huge := `{"type":"user","message":{"content":[{"type":"tool_result","content":"` + strings.Repeat("error ", size/6) + `"}]}}` + "\n"
	tests := map[string]struct {
		transcript []string
		lastAnswer string
		asked      string
		said       string
	}{
		"a huge line first":                    {[]string{huge, decision, last}, "", "[DECISION] We decided on Kafka", ""},
		"a huge line last":                     {[]string{decision, huge}, "", "", "the transcript has no messages"},
		"one huge line, never ended":           {[]string{huge[:len(huge)-10]}, "", "", "the transcript has no messages"},
		"the answer is known, the line is not": {[]string{huge}, "We decided on Kafka because of order.\nWe chose it.", "[DECISION] We decided on Kafka", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := newTriageSandbox(t)
			path := filepath.Join(b.home, "session.jsonl")
			for _, lines := range tt.transcript {
				b.append(path, lines)
			}
			out, errOut := b.stop(path, tt.lastAnswer)
			if (out == "") != (tt.asked == "") || !strings.Contains(out, tt.asked) || !strings.Contains(errOut, tt.said) {
				t.Errorf("stdout %q, stderr %q", out, errOut)
			}
		})
	}
}

// The hook reads only the end of a transcript. What is before it is a hole in the file.
func TestStopHookReadsTheEndOnly(t *testing.T) {
	b := newTriageSandbox(t)
	path := filepath.Join(b.home, "session.jsonl")
	b.append(path, "")
	b.check(os.Truncate(path, 4<<30))
	b.append(path, "\n"+`{"type":"human","content":"decided because\ndecided because"}`)
	if out, errOut := b.stop(path, ""); !strings.Contains(out, "[DECISION]") {
		t.Errorf("stdout %q, stderr %q", out, errOut)
	}
}

func TestStopHookRedactsThePatternsOfTheProject(t *testing.T) {
	b := newTriageSandbox(t)
	b.check(os.MkdirAll(filepath.Join(b.dir, ".claude/memory"), 0o700))
	b.check(os.WriteFile(filepath.Join(b.dir, ".claude/memory/memory-config.json"), []byte(`{"privacy":{"excludePatterns":["falcon-[0-9]+","("]}}`), 0o644))
	path := filepath.Join(b.home, "session.jsonl")
	b.append(path, `{"type":"human","content":"decided because of falcon-7\ndecided because"}`)
	if out, errOut := b.stop(path, ""); strings.Contains(out, "falcon-7") || !strings.Contains(out, "of [REDACTED]") {
		t.Errorf("stdout %q, stderr %q", out, errOut)
	}
}

func (b triageSandbox) append(path, text string) {
	b.t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	b.check(err)
	_, err = file.WriteString(text)
	b.check(err)
	b.check(file.Close())
}

func (b triageSandbox) stop(transcript, lastAnswer string) (out, errOut string) {
	event := `{"last_assistant_message": "` + strings.ReplaceAll(lastAnswer, "\n", `\n`) + `"}`
	return b.runStop(b.stopEvent([]byte(event), transcript))
}
