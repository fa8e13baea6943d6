package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

const hubDescription = `Runs memctl-hub, the program of a hub: it holds the memories of many repositories on
PostgreSQL and shows each person those that they may see. It is a program apart, so that
the hooks do not carry what only a server needs. memctl looks for it in its own folder,
then on PATH, and passes it everything after "hub".

   memctl hub migrate                       make the tables, or bring them up to date
   memctl hub serve                         answer requests
   memctl hub grant add, remove, list       who may read and publish what
   memctl hub token create, list, revoke    what programs of a person send
   memctl hub repos                         list the repositories that were published
   memctl hub forget REPOSITORY             take one out
   memctl hub check DIR                     compare the hub with a repository

"memctl hub COMMAND --help" explains each. To publish to a hub: memctl publish. To search
one: memctl search --hub. docs/hub.md says how to operate one.

Exit status: that of memctl-hub; 1 if there is none.`

// hubProgram is the program that memctl hub runs.
const hubProgram = "memctl-hub"

func hubCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:            "hub",
		Usage:           "run a hub: the memories of many repositories, on PostgreSQL",
		ArgsUsage:       "COMMAND...",
		Description:     hubDescription,
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			switch c.Args().First() {
			case "", "help", "-h", "-help", "--help":
				return cli.ShowCommandHelp(c, c.Command.Name)
			}
			program, err := findHub()
			if err != nil {
				return err
			}
			return runProgram(std, program, c.Args().Slice())
		},
	}
}

// findHub returns the path of memctl-hub: in memctl's own folder, else on PATH.
func findHub() (string, error) {
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		if found, err := exec.LookPath(filepath.Join(filepath.Dir(self), hubProgram)); err == nil {
			return found, nil
		}
	}
	if found, err := exec.LookPath(hubProgram); err == nil {
		return found, nil
	}
	return "", &console.Failure{
		Err:  errors.New("the program memctl-hub is not installed"),
		Hint: "put it next to memctl or on your PATH: it is in the release, and \"make build\" makes it",
		Code: console.ExitFailed,
	}
}
