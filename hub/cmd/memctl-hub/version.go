package main

import (
	"fmt"
	"io"

	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

// commit is set by the linker (see the Makefile).
var commit = "unknown commit"

const versionDescription = `Prints the release, the commit it was built from, the version of Go and the system.

   memctl-hub version --json | jq -r .version`

func versionCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "print the release and the system it was built for",
		Description: versionDescription,
		Flags:       []cli.Flag{jsonFlag()},
		Before:      noArguments,
		Action: func(c *cli.Context) error {
			return printResult(c, std, console.ThisBuild(commit), func(out io.Writer, b console.Build) { fmt.Fprintln(out, "memctl-hub version", b) })
		},
	}
}
