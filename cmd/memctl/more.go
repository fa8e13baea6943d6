//go:build !man

package main

import (
	"memctl/cmd/command"

	"github.com/urfave/cli/v2"
)

// more are the commands of some builds.
var more []func(command.Streams) *cli.Command
