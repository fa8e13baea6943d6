package mcp

import (
	"embed"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

//go:embed help
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{Name: "mcp", Texts: commandTexts, Commands: func(std command.Streams) []*cli.Command {
		return []*cli.Command{command.NewCommand(std, "mcp", command.InProject, runMcp)}
	}}
}

func runMcp(c *cli.Context, std command.Streams) error {
	warn := func(message string) { console.Warning(std.Err, "%s", text.Printable(message)) }
	server := New(Options{Places: command.Places(c), Warn: warn, Notes: std.Notes(), UserModel: std.UserModel(),
		Hub: std.Hub(), OpenSessions: std.OpenSessions(), Why: std.Why(), WorkItem: std.WorkItem(),
		Propose: std.Propose()})
	console.Unfiltered(std.Err) // a server that waits is not at work
	err := server.Run(c.Context, console.Version, std.In, std.Out)
	if c.Context.Err() != nil {
		return nil // clients end a server with a signal
	}
	return err
}
