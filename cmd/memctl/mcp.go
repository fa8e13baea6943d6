package main

import (
	"memctl/mcpserver"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func mcpCommand(std streams) *cli.Command {
	return newCommand(std, "mcp", runMcp, rootFlag())
}

func runMcp(c *cli.Context, std streams) error {
	warn := func(message string) { term.Warning(std.Err, "%s", text.Printable(message)) }
	server := mcpserver.New(places(c), warn)
	err := server.Run(c.Context, version, std.In, std.Out)
	if c.Context.Err() != nil {
		return nil // clients end a server with a signal
	}
	return err
}
