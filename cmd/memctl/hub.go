package main

import (
	"os"
	"os/exec"
	"path/filepath"

	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

// hubProgram is the program that memctl hub runs.
const hubProgram = "memctl-hub"

func hubCommand(std streams) *cli.Command {
	cmd := newCommand(std, "hub", runHub)
	cmd.SkipFlagParsing = true
	return cmd
}

func runHub(c *cli.Context, std streams) error {
	switch c.Args().First() {
	case "", "help", "-h", "-help", "--help":
		return cli.ShowCommandHelp(c, c.Command.Name)
	}
	program, err := findHub()
	if err != nil {
		return err
	}
	return runProgram(std, program, c.Args().Slice())
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
	return "", console.Refused("put it next to memctl or on your PATH: it is in the release, and \"make build\" makes it",
		"the program memctl-hub is not installed")
}
