package main

import (
	"cmp"
	"errors"
	"io/fs"
	"syscall"

	"memctl/cmd/console"
	"memctl/git"
	"memctl/memdir"
	"memctl/remote"
	"memctl/store"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// withHint adds a hint to an error that has none.
func withHint(c *cli.Context, err error) error {
	if err == nil || errors.Is(err, console.ErrFindings) || errors.As(err, new(*writer.Error)) {
		return err
	}
	f := &console.Failure{Code: console.ExitFailed}
	if errors.As(err, &f) && f.Hint != "" {
		return err
	}
	return &console.Failure{Err: err, Hint: cmp.Or(hintFor(err), console.ReadHelp(c)), Code: f.Code}
}

// hintFor says what to do about an error, by its cause.
func hintFor(err error) string {
	var own interface{ Hint() string }
	if errors.As(err, &own) {
		return own.Hint()
	}
	for _, known := range []struct {
		cause error
		hint  string
	}{
		{memdir.ErrNoRoot, `run "memctl init" in the project, or name one with --root`},
		{memdir.ErrNoUserRoot, `run "memctl init --user": it makes one for what holds in every project`},
		{memdir.ErrOutside, `run "memctl list --status all" for the memories and their paths`},
		{memdir.ErrLocked, "another memctl is at work here: try again"},
		{git.ErrNoProgram, "install git, and see that your PATH has it"},
		{git.ErrNoRepository, `run "git init" in the project, and commit the memories`},
		{git.ErrBare, "run it in a clone with a working tree"},
		{store.ErrUnknownRoot, `run "memctl roots" for the projects that are listed`},
		{store.ErrAgent, "a person can search all projects in a shell, and let agents do so: " +
			"memctl config set sources.agent_all true --user"},
		{store.ErrOptedOut, `change the setting: run "memctl config" for those of this project, "memctl config --user" for yours`},
		{remote.ErrOwn, `run it in a project; "memctl move ID --to project" hands a memory over to one`},
		{remote.ErrNoHub, "name your hub: memctl config set hub.url https://hub.acme.example --user"},
		{remote.ErrUnnamed, "name it: --repository github.com/acme/payments"},
		{remote.ErrPlainHTTP, "give the hub a certificate; --plain-http sends all in clear text none the less"},
		{memdir.ErrNotFolder, inTheWay},
		{syscall.ENOTDIR, inTheWay},
		{syscall.ENOSPC, "make room on the disk"},
		{fs.ErrPermission, `run "memctl doctor": it names what cannot be read or written, and what to do`},
	} {
		if errors.Is(err, known.cause) {
			return known.hint
		}
	}
	return ""
}

const inTheWay = "a file stands where a folder belongs: move it away, or name another place with --root"
