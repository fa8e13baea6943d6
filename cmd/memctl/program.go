package main

import (
	"fmt"
	"os"
	"os/exec"
)

// program is how the hooks call memctl.
type program struct {
	command string
	self    string // this very binary
	onPath  string // the one that the name alone finds, "" for none
}

// programFor writes the name alone where other people read the settings, whose
// memctl lies elsewhere, and where it finds this very binary.
func programFor(scope string) program {
	p := program{command: "memctl"}
	if self, err := os.Executable(); err == nil {
		p.self = self
	}
	if found, err := exec.LookPath("memctl"); err == nil {
		p.onPath = found
	}
	if scope != scopeProject && p.self != "" && !sameFile(p.self, p.onPath) {
		p.command = p.self
	}
	return p
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// warn says when the name alone, which the agent uses too, is not this binary.
func (p program) warn(std streams) {
	switch {
	case p.onPath == "":
		fmt.Fprintf(std.Err, "memctl: warning: memctl is not on your PATH; %s\n", p.consequence())
		fmt.Fprintf(std.Err, "memctl: hint: put %s on it\n", p.self)
	case !sameFile(p.self, p.onPath):
		fmt.Fprintf(std.Err, "memctl: warning: your PATH has another memctl, %s; %s\n", p.onPath, p.consequence())
		fmt.Fprintf(std.Err, "memctl: hint: this one is %s\n", p.self)
	}
}

func (p program) consequence() string {
	if p.command == p.self {
		return "the hooks run this one, but the agent runs it by its name"
	}
	return "the hooks and the agent run it by its name"
}
