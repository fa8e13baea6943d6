package main

import (
	"fmt"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/memdir"

	"github.com/urfave/cli/v2"
)

// anyMCPClient stands for a program that speaks MCP and has no hooks.
const anyMCPClient = "mcp"

func clientsFlag() cli.Flag {
	usage := "which agents: `NAME`s with commas between them (default: claude-code)"
	return &cli.StringSliceFlag{Name: "client", Usage: usage}
}

// clientWord names a client on a command line, unless it is the one that is meant
// without.
func clientWord(client *clients.Client) string {
	if client == clients.Claude {
		return ""
	}
	return " --client " + client.Name
}

// clientsArg reads --client, nil if it is not given.
func clientsArg(c *cli.Context) ([]*clients.Client, error) {
	var chosen []*clients.Client
	for _, name := range c.StringSlice("client") {
		client := clients.Named(strings.TrimSpace(name))
		if client == nil {
			return nil, console.Usagef("--client: expected one of %s, got %q", strings.Join(clients.Names(), ", "), name)
		}
		if !slices.Contains(chosen, client) {
			chosen = append(chosen, client)
		}
	}
	return chosen, nil
}

// offerClients asks which of the clients on this machine to install for. Without a
// terminal, or if there is no other, it is Claude Code.
func offerClients(c *cli.Context, std streams) ([]*clients.Client, error) {
	claudeCode := clients.All()[:1]
	if c.Bool("dry-run") || !canAsk(std) {
		return claudeCode, nil
	}
	var found []*clients.Client
	for _, client := range clients.All() {
		if client.IsOnMachine() && slices.Contains(client.Scopes(), c.String("scope")) {
			found = append(found, client)
		}
	}
	if len(found) == 0 || len(found) == 1 && found[0] == clients.Claude {
		return claudeCode, nil
	}
	var chosen []*clients.Client
	for _, client := range found {
		yes, err := ask(c.Context, std, fmt.Sprintf("%s is on this machine. Have it call memctl?", client.Title), true)
		if err != nil {
			return nil, err
		}
		if yes {
			chosen = append(chosen, client)
		}
	}
	if chosen == nil {
		return nil, console.Refused(`name one: "memctl install --client NAME"`,
			"no agent was chosen; nothing was changed")
	}
	return chosen, nil
}

// printServerEntry prints memctl's server as most programs that speak MCP have it in
// their configuration.
func printServerEntry(c *cli.Context, std streams) error {
	if !c.Bool("print") {
		return console.Misused(`run "memctl install --client mcp --print" and put the entry into its configuration`,
			"--client mcp stands for any program that speaks MCP, and memctl does not know its files")
	}
	if names := c.StringSlice("client"); len(names) != 1 || names[0] != anyMCPClient {
		return console.Usagef("--print needs --client mcp alone; what other clients get is shown by --dry-run")
	}
	return writeJSON(std.Out, map[string]any{"mcpServers": map[string]any{clients.ServerName: clients.UserServer()}})
}

// offerUserRoot offers to make the user's root if memctl is installed for all projects and
// there is none. It asks on a terminal only. The root has no path if it is not to be made.
func offerUserRoot(c *cli.Context, std streams) (root memdir.Root, err error) {
	if c.String("scope") != clients.UserScope || c.Bool("dry-run") || !canAsk(std) {
		return root, nil
	}
	planned, missing, err := memdir.FindOrPlanUser()
	if err != nil || !missing {
		return root, nil // doctor reports an error
	}
	question := "Make a memory root for what holds in every project, such as your style, tools and language?\n" +
		"  where: " + planned.Shown + "\n  later: memctl init --user"
	yes, err := ask(c.Context, std, question, true)
	if yes {
		root = planned
	}
	return root, err
}
