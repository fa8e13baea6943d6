package triage

import (
	"fmt"
	"strings"
	"testing"
)

func TestHasSign(t *testing.T) {
	for prompt, want := range map[string]bool{
		"No, never write to the replica":             true,
		"always run the linter first":                true,
		"let's go with SQLite, since it is one file": true,
		"fix the build":                              false,
		"yes":                                        false,
		"Should we always run the linter?":           false,
		"앞으로 커밋 메시지는 영어로 써줘":                         true,
		"Why?\n\n```\nerror: never do this\n```":     false,
	} {
		if got := HasSign(prompt); got != want {
			t.Errorf("%q: got %v", prompt, got)
		}
	}
}

func TestAwaits(t *testing.T) {
	user := func(s string) Message { return Message{FromUser: true, Text: []string{s}} }
	agent := func(s string) Message { return Message{FromAssistant: true, Text: []string{s}} }
	tool := Message{FromAssistant: true, Tools: []string{"Bash"}}
	for name, tt := range map[string]struct {
		before []Message
		want   bool
	}{
		"nothing before":               {nil, false},
		"an answer":                    {[]Message{user("fix it"), agent("It is fixed.")}, false},
		"a question":                   {[]Message{user("fix it"), agent("Which of the two?")}, true},
		"a question, and the prompt":   {[]Message{agent("Which of the two?"), user("the first")}, true},
		"a question answered before":   {[]Message{agent("Which?"), user("b"), agent("Done.")}, false},
		"an interruption":              {[]Message{agent("Which?"), user("b"), tool, user("[Request interrupted by user]")}, true},
		"an interruption and a prompt": {[]Message{tool, user("[Request interrupted by user]"), user("the first")}, true},
	} {
		t.Run(name, func(t *testing.T) {
			lines := make([]string, len(tt.before))
			for i := range lines {
				lines[i] = fmt.Sprint(i)
			}
			in := strings.Join(lines, "\n")
			src := TranscriptFile{In: strings.NewReader(in), Size: int64(len(in)), Messages: func(line []byte) []Message {
				var i int
				if n, _ := fmt.Sscan(string(line), &i); n == 0 {
					return nil
				}
				return tt.before[i : i+1]
			}}
			if got := Awaits(src, "the first"); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
}
