package main

import (
	"fmt"
	"io"

	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

const version = console.Version

// commit is set by the linker (see the Makefile).
var commit = "unknown commit"

const versionDescription = `Prints the release, the commit it was built from, the version of Go and the system.

   memctl version --json | jq -r .version`

func versionCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "print the release and the system it was built for",
		Description: versionDescription,
		Flags:       []cli.Flag{jsonFlag()},
		Before:      withoutArguments(""),
		Action: func(c *cli.Context) error {
			return printResult(c, std, console.ThisBuild(commit), func(out io.Writer, b console.Build) { fmt.Fprintln(out, "memctl version", b) })
		},
	}
}
