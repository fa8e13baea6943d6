package main

import (
	"fmt"
	"io"

	"memctl/cmd/console"

	"github.com/urfave/cli/v2"
)

// commit is set by the linker (see the Makefile).
var commit = "unknown commit"

func runVersion(c *cli.Context) error {
	return printResult(c, console.ThisBuild(commit), func(out io.Writer, b console.Build) {
		fmt.Fprintln(out, "memctl-hub version", b)
	})
}
