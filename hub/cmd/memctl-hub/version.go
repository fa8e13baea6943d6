package main

import (
	"fmt"
	"io"

	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

// commit is set by the linker (see the Makefile).
var commit = "unknown commit"

func versionCommand(std streams) *cli.Command {
	return newCommand(std, "version", func(c *cli.Context, std streams) error {
		return printResult(c, std, console.ThisBuild(commit), func(out io.Writer, b console.Build) {
			fmt.Fprintln(out, "memctl-hub version", b)
		})
	})
}
