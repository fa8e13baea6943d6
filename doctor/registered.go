package doctor

import (
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"memctl/install"
)

// maxTimeout is the longest timeout, in seconds, that is not a mistake.
const maxTimeout = 600

// checkRegistered checks the registrations of a hook and reports whether there are
// any.
func (e *examination) checkRegistered(h install.Hook, r registrations) bool {
	var places, commands []string
	sound := true
	for _, reg := range r.hooks {
		if reg.Event != h.Event || reg.name != h.Name() {
			continue
		}
		sound = e.checkRegistration(reg) && sound
		// The client runs the same command once, however often it is registered.
		if command := reg.Command + " " + strings.Join(reg.Args, " "); !slices.Contains(commands, command) {
			places, commands = append(places, reg.file), append(commands, command)
		}
	}
	places = append(places, r.pluginsWithHooks()...)
	switch {
	case len(places) > 1:
		e.warn(h.Event, "take it out of "+places[len(places)-1], "registered %d times, so it runs as often: in %s", len(places), strings.Join(places, " and "))
	case len(places) == 1 && sound:
		e.ok(h.Event, "registered in %s", places[0])
	}
	return len(places) > 0
}

// checkRegistration reports whether it finds nothing wrong.
func (e *examination) checkRegistration(reg registration) bool {
	before := len(e.Findings)
	if reg.program != "" {
		e.checkProgram(reg.Event, "memctl install", reg.file, reg.program)
	}
	if reg.Event == "PreToolUse" || reg.Event == "PostToolUse" {
		e.checkMatcher(reg)
	}
	if reg.Timeout > maxTimeout {
		e.warn(reg.Event, "write 10", "%s gives it %v seconds; timeouts are no milliseconds", reg.file, reg.Timeout)
	}
	return len(e.Findings) == before
}

// checkProgram checks whether the program that a file names is this one.
func (e *examination) checkProgram(check, fix, file, program string) {
	if strings.ContainsAny(program, `/\`) && !filepath.IsAbs(program) {
		program = filepath.Join(e.Project, program) // where the client runs it
	}
	path, err := exec.LookPath(program)
	switch {
	case err != nil && !errors.Is(err, exec.ErrDot):
		e.fail(check, fix, "%s runs a program that cannot be run: %v", file, err)
	case !install.SameFile(path, e.self):
		e.warn(check, fix+", or run memctl doctor of that program", "%s runs another memctl: %s", file, e.shortPath(path))
	}
}

// checkMatcher looks for tools that write files and that the matcher leaves out.
func (e *examination) checkMatcher(reg registration) {
	var missed []string
	for _, tool := range []string{"Write", "Edit", "NotebookEdit"} {
		if !install.Matches(reg.Matcher, tool) {
			missed = append(missed, tool)
		}
	}
	if len(missed) > 0 {
		e.warn(reg.Event, `write "matcher": "Write|Edit|MultiEdit|NotebookEdit"`, "%s leaves out %s", reg.file, strings.Join(missed, ", "))
	}
}
