package install

import (
	"slices"
	"strings"

	"memctl/clients"
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

// RegisteredHooks lists the hooks of Claude Code with the lines that run a program, which
// is a word of the shell.
func RegisteredHooks(program string) []Hook { return claudeCode().Hooks(program) }

func claudeCode() Client { return Clients[0] }

// EventOf is Claude Code's event of a hook, "" if there is no such hook.
func EventOf(hook string) string {
	if slices.ContainsFunc(claudeCode().runs, func(h clientHook) bool { return h.name == hook }) {
		return clients.Claude.Event(hook)
	}
	return ""
}

// IsCurrent reports whether the hook is registered by a line as Client.Hooks has it.
// A person may have registered a bare line.
func (h Hook) IsCurrent() bool {
	return strings.HasPrefix(h.Command, lineStart) && strings.HasSuffix(h.Command, lineEnd)
}

// powerShell is a current line for PowerShell alone, which has no assignments before a
// program.
func (h Hook) powerShell() string {
	line := strings.TrimSuffix(strings.TrimPrefix(h.Command, lineStart), lineEnd)
	if _, program, found := strings.Cut(line, searched); found {
		line = program
	}
	return line + " 2>$null" + lineEnd
}

// arguments are those after the hook's name, as a shell reads them.
func (h Hook) arguments() string {
	if !h.IsCurrent() {
		return ""
	}
	_, rest, _ := strings.Cut(h.Command, " hook ")
	if strings.HasPrefix(rest, "--client ") {
		_, rest, _ = strings.Cut(rest, " "+h.Name())
	} else {
		rest = strings.TrimPrefix(rest, h.Name())
	}
	return strings.TrimSuffix(rest, lineEnd)
}
