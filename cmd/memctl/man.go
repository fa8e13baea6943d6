//go:build man

package main

import (
	"io"
	"strings"

	"memctl/cmd/command"

	"github.com/urfave/cli/v2"
)

// The manual page is written when memctl is built ("make man"): its renderer would
// cost every start of the program.
var more = []func(command.Streams) *cli.Command{manCommand}

func manCommand(std command.Streams) *cli.Command {
	return &cli.Command{
		Name:   "man",
		Hidden: true,
		Action: func(c *cli.Context) error {
			describe(c.App.Name, c.App.Commands)
			page, err := c.App.ToManWithSection(1)
			if err != nil {
				return err
			}
			// what the definition of the commands does not say
			_, err = io.WriteString(std.Out, page+std.Help().Read("man-end")+"\n")
			return err
		},
	}
}

// describe puts the arguments and the description of every command where the
// renderer looks: in its usage text.
func describe(parent string, commands []*cli.Command) {
	for _, command := range commands {
		name := parent + " " + command.Name
		command.UsageText = strings.TrimSpace(name+" "+command.ArgsUsage) + "\n\n" + command.Description
		describe(name, command.Subcommands)
	}
}
