package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"memctl/settings"
)

// maxTimeout is the longest timeout, in seconds, that anyone means.
const maxTimeout = 600

// checkRegistered looks at one event; it tells whether anything answers it.
func (d *diagnosis) checkRegistered(event, hook, self string, r registrations) bool {
	var places, commands []string
	sound := true
	for _, reg := range r.list {
		if reg.Event != event || reg.hook != hook {
			continue
		}
		sound = d.checkRegistration(reg, self) && sound
		// The client runs the same command once, wherever it is registered.
		if command := reg.Command + " " + strings.Join(reg.Args, " "); !slices.Contains(commands, command) {
			places, commands = append(places, reg.file), append(commands, command)
		}
	}
	places = append(places, r.byPlugin()...)
	switch {
	case len(places) > 1:
		d.warn(event, "take it out of "+places[len(places)-1], "registered %d times, so it runs as often: in %s", len(places), strings.Join(places, " and "))
	case len(places) == 1 && sound:
		d.ok(event, "registered in %s", places[0])
	}
	return len(places) > 0
}

// checkRegistration tells whether nothing is wrong with it.
func (d *diagnosis) checkRegistration(reg registration, self string) bool {
	before := len(d.Checks)
	d.checkProgram(reg, self)
	if reg.Event == "PreToolUse" || reg.Event == "PostToolUse" {
		d.checkMatcher(reg)
	}
	if reg.Timeout > maxTimeout {
		d.warn(reg.Event, "write 10", "%s gives it %d seconds; timeouts are no milliseconds", reg.file, reg.Timeout)
	}
	return len(d.Checks) == before
}

func (d *diagnosis) checkProgram(reg registration, self string) {
	if reg.program != "" { // else it is whatever the shell finds
		d.checkRunsSelf(reg.Event, "memctl install", reg.file, reg.program, self)
	}
}

// checkRunsSelf looks whether the program that a file names is this one.
func (d *diagnosis) checkRunsSelf(name, fix, file, program, self string) {
	if strings.ContainsAny(program, `/\`) && !filepath.IsAbs(program) {
		program = filepath.Join(d.Project, program) // the client runs it there
	}
	path, err := exec.LookPath(program)
	switch {
	case err != nil && !errors.Is(err, exec.ErrDot):
		d.fail(name, fix, "%s runs a program that cannot be run: %v", file, err)
	case !sameFile(path, self):
		d.warn(name, fix+", or run memctl doctor of that program", "%s runs another memctl: %s", file, d.shown(path))
	}
}

// checkMatcher looks for a tool that writes files past the hook.
func (d *diagnosis) checkMatcher(reg registration) {
	var past []string
	for _, tool := range []string{"Write", "Edit", "NotebookEdit"} {
		if !settings.Matches(reg.Matcher, tool) {
			past = append(past, tool)
		}
	}
	if len(past) > 0 {
		d.warn(reg.Event, `write "matcher": "Write|Edit|MultiEdit|NotebookEdit"`, "%s leaves out %s", reg.file, strings.Join(past, ", "))
	}
}
