package retrieve

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// minPrompt is the shortest prompt, in code points, that says enough.
	minPrompt = 10
	// maxPrompt is the longest prompt, in bytes. A longer one is pasted data that
	// mentions everything.
	maxPrompt = 1 << 20
)

// Reasons of Silence that lie in the settings and in the words of a prompt.
const (
	SwitchedOff = "retrieval is switched off in memory-config.json"
	NoWords     = "the prompt has no words to search for"
)

// Unsearched says why the prompt hook does not search for a prompt: the user did
// not type it, or it says too little. It returns "" for any other prompt.
func Unsearched(prompt string) string {
	prompt = strings.TrimSpace(prompt)
	switch {
	case len(prompt) > maxPrompt:
		return fmt.Sprintf("the prompt is %.1f MB, more than %d MB are not searched", float64(len(prompt))/1e6, maxPrompt>>20)
	case utf8.RuneCountInString(prompt) < minPrompt:
		return fmt.Sprintf("the prompt is shorter than %d characters", minPrompt)
	case isSlashCommand(prompt):
		return "the prompt is a slash command"
	case strings.HasPrefix(prompt, "<task-notification>"):
		return "the prompt is a task notification"
	}
	return ""
}

// isSlashCommand distinguishes "/memplug:hello there" from "/usr/bin/env is missing".
func isSlashCommand(prompt string) bool {
	name, found := strings.CutPrefix(prompt, "/")
	name, _, _ = strings.Cut(name, " ")
	name, _, _ = strings.Cut(name, "\n")
	return found && name != "" && !strings.ContainsAny(name, "/.")
}

// Silence says why the prompt hook injects nothing for a prompt, whatever memories
// there are. It returns "" if the hook searches.
func (a Asker) Silence(prompt string) string {
	if reason := Unsearched(prompt); reason != "" {
		return reason
	}
	if !a.Config.Retrieval.Enabled || a.Config.Retrieval.MaxInject == 0 {
		return SwitchedOff
	}
	if a.Query(prompt, 1).Empty() {
		return NoWords
	}
	return ""
}
