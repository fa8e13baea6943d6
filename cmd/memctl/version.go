package main

import (
	"fmt"
	"io"
	"runtime"

	"github.com/urfave/cli/v2"
)

// version is the release. The manifests of the plugin name it too: its client
// offers an update only where the number is another one.
const version = "0.2.0"

// commit is set by the linker (see the Makefile).
var commit = "unknown commit"

// build is what a program that installs or updates memctl asks about it.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func thisBuild() build {
	return build{version, commit, runtime.Version(), runtime.GOOS, runtime.GOARCH}
}

func (b build) String() string {
	return fmt.Sprintf("%s (%s, %s %s/%s)", b.Version, b.Commit, b.Go, b.OS, b.Arch)
}

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
			return printResult(c, std, thisBuild(), func(out io.Writer, b build) { fmt.Fprintln(out, "memctl version", b) })
		},
	}
}
