package main

import (
	"memctl/cmd/console"
	"memctl/features/mcp"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func mcpFeature() Feature {
	return Feature{Name: "mcp", Commands: func(std Streams) []*cli.Command {
		return []*cli.Command{newCommand(std, "mcp", inProject, runMcp)}
	}}
}

func runMcp(c *cli.Context, std Streams) error {
	warn := func(message string) { console.Warning(std.Err, "%s", text.Printable(message)) }
	server := mcp.New(places(c), warn)
	console.Unfiltered(std.Err) // a server that waits is not at work
	err := server.Run(c.Context, version, std.In, std.Out)
	if c.Context.Err() != nil {
		return nil // clients end a server with a signal
	}
	return err
}
