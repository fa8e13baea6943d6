package triage

import (
	"strings"

	"memctl/text"
)

// HasSign reports whether the words of a prompt may lay something down: a rule, a correction, a choice, a reason, what
// is put off. A question lays nothing down, nor does what is pasted, nor a yes by itself.
func HasSign(prompt string) bool {
	points, _ := new(Watch).findsIn(text.Own(prompt), Person, 1)
	return points > 0
}

// mostBefore is how many messages before a prompt Awaits looks at.
const mostBefore = 6

// Awaits reports whether the session before a prompt ends in a question of the agent, or was interrupted by the user.
// The transcript may have the prompt already.
func Awaits(src TranscriptFile, prompt string) (awaits bool) {
	_ = src.backwards(Window{Messages: mostBefore}, func(m Message) (more bool) {
		said := strings.TrimSpace(strings.Join(m.Text, "\n"))
		switch {
		case said == "" || m.FromUser && said == strings.TrimSpace(prompt):
			return true
		case m.FromUser:
			awaits = IsInterruption(said)
		case m.FromAssistant:
			awaits = Turn{Agent: text.Prose(said)}.asks()
		default:
			return true
		}
		return false
	})
	return awaits
}
