package hooks

import "testing"

func TestEncodeAnswer(t *testing.T) {
	const reason = "<why>\n\"so\""
	tests := map[string]struct {
		answer Answer
		want   output
	}{
		"nothing": {Answer{}, output{}},
		"context": {Answer{Context: reason}, output{stdout: reason}},
		"deny": {Answer{Deny: reason}, output{stdout: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny",` +
			`"permissionDecisionReason":"<why>\n\"so\""}}` + "\n"}},
		"block": {Answer{Block: reason}, output{stdout: `{"decision":"block","reason":"<why>\n\"so\""}` + "\n"}},
		"ask":   {Answer{Ask: reason}, output{stderr: reason, exit: 2}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := encodeAnswer(tt.answer); got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}
