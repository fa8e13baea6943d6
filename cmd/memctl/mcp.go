package main

import (
	"memctl/mcpserver"
	"memctl/term"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

const mcpDescription = `Serves memories to an MCP client on stdin and stdout: the tools search, timeline, get
and save, and each memory as a resource. The client starts it:

   claude mcp add memctl -- memctl mcp

The root is the one that --root or MEMCTL_ROOT names, else that of the folders the
client says it works in, else that of the working folder. It runs until the client
closes stdin.`

func mcpCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "mcp",
		Usage:       "serve memories to an MCP client",
		Description: mcpDescription,
		Flags:       []cli.Flag{rootFlag()},
		Before:      withoutArguments(""),
		Action: func(c *cli.Context) error {
			warn := func(message string) { term.Warning(std.Err, "%s", text.Printable(message)) }
			server := mcpserver.New(places(c), warn)
			err := server.Run(c.Context, version, std.In, std.Out)
			if c.Context.Err() != nil {
				return nil // clients end a server with a signal
			}
			return err
		},
	}
}
