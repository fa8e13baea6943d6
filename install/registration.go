package install

import (
	"strings"

	"memctl/text"
)

// PluginProgram is the plugin's program, as a shell reads it. The variable has no
// braces, so that the shell and not the client puts the path in: it may hold any
// character.
const PluginProgram = `"$CLAUDE_PLUGIN_ROOT"/bin/memctl`

// Every hook is registered as one shell line (docs/decisions/0007-one-shell-line.md).
// A program that is missing or killed prints nothing, and no exit status of the program
// reaches the client.
const (
	lineStart = "exec 2>/dev/null; "
	lineEnd   = "; exit 0"
)

// registered says how the client calls each hook. hooks/hooks.json registers the same
// for the plugin.
var registered = []struct {
	event, matcher, hook string
	timeout              float64 // in seconds
	status               string  // what the client shows meanwhile
}{
	{"SessionStart", "", "session-start", 10, "memctl: bringing the memory index up to date"},
	{"UserPromptSubmit", "", "user-prompt-submit", 10, "memctl: looking for memories"},
	{"PreToolUse", "Write|Edit|MultiEdit|NotebookEdit", "pre-tool-use", 5, "memctl: guarding the memory files"},
	{"PostToolUse", "", "post-tool-use", 10, "memctl: after the tool"},
	{"PostToolUseFailure", "", "post-tool-use-failure", 10, "memctl: after the tool"},
	{"Stop", "", "stop", 30, "memctl: looking for what is worth a memory"},
}

// RegisteredHooks lists the hooks with the lines that run a program, which is a word of
// the shell.
func RegisteredHooks(program string) []Hook {
	list := make([]Hook, len(registered))
	for i, r := range registered {
		list[i] = Hook{Event: r.event, Matcher: r.matcher, Command: shellLine(program, r.hook), Timeout: r.timeout, StatusMessage: r.status}
	}
	return list
}

// EventOf is the event of a hook, "" if there is no such hook.
func EventOf(hook string) string {
	for _, r := range registered {
		if r.hook == hook {
			return r.event
		}
	}
	return ""
}

// shellLine is the registered line of a hook. More arguments may follow its name.
func shellLine(program, hook string) string {
	return lineStart + program + " hook " + hook + lineEnd
}

// IsCurrent reports whether the hook is registered by a line as RegisteredHooks has it.
// Older versions registered the program and its arguments, or a bare line.
func (h Hook) IsCurrent() bool {
	return len(h.Args) == 0 && strings.HasPrefix(h.Command, lineStart) && strings.HasSuffix(h.Command, lineEnd)
}

// arguments are those after the hook's name, as a shell reads them.
func (h Hook) arguments() string {
	if !h.IsCurrent() {
		var quoted strings.Builder
		for _, arg := range h.Args[min(2, len(h.Args)):] {
			quoted.WriteString(" " + text.ShellQuoted(arg))
		}
		return quoted.String()
	}
	_, rest, _ := strings.Cut(h.Command, " hook "+h.Name())
	return strings.TrimSuffix(rest, lineEnd)
}
