package hooks

import (
	"bytes"
	"io"
	"testing"
)

func TestAnswers(t *testing.T) {
	tests := map[string]struct {
		write func(io.Writer, string) error
		want  string
	}{
		"deny": {Deny, `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
			`"permissionDecisionReason":"<why>\n\"so\""}}` + "\n"},
		"block": {Block, `{"decision":"block","reason":"<why>\n\"so\""}` + "\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := tt.write(&out, "<why>\n\"so\""); err != nil {
				t.Fatal(err)
			}
			if out.String() != tt.want {
				t.Errorf("got  %s\nwant %s", out.String(), tt.want)
			}
		})
	}
}
