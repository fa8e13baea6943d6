package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"memctl/hooks"
	"memctl/settings"

	"github.com/urfave/cli/v2"
)

const installDescription = `Adds memctl's hooks to a settings.json of Claude Code and changes nothing else in it.
What changes is printed; the file as it was stays beside it, as
settings.json.memctl-backup. Run again, it brings an older install up to date.

   --scope project   .claude/settings.json of the project (the default): memories are
                     shared with the project, and so are the hooks that bring them to
                     the agent. The command is "memctl", wherever PATH has it.
   --scope local     .claude/settings.local.json: this project, for you alone
   --scope user      settings.json in $CLAUDE_CONFIG_DIR or ~/.claude: every project.
                     Where there are no memories the stop hook asks for the first.

The project is the one that --root names, else the one whose memories are in use,
else $CLAUDE_PROJECT_DIR or the working folder. None of this is needed where the
plugin is installed: it registers the same hooks.

Claude Code lets no agent write below .claude/, so agents save memories by running
memctl, and Claude Code asks before each run. --permissions adds rules to
permissions.allow that let an agent run these unasked, none of which deletes:

   memctl ` + agentCommands + `

--mcp also registers memctl as an MCP server, in the project's .mcp.json, by which the
agent has search, timeline, get and save as tools of its own. Claude Code asks before
it uses the servers of a project; --permissions then covers these tools too. In the
other scopes Claude Code keeps its servers itself: claude mcp add --scope user memctl
-- memctl mcp.

On a terminal memctl asks whether to add them; elsewhere it does if told to.

Exit status: 0 done, or nothing was to be done; 1 the file cannot be read or written,
and was not changed; 2 wrong usage.`

func installCommand(std streams) *cli.Command {
	return &cli.Command{
		Name:        "install",
		Usage:       "have Claude Code call memctl",
		Description: installDescription,
		Flags: []cli.Flag{
			rootFlag(),
			scopeFlag(),
			&cli.BoolFlag{Name: "permissions", Aliases: []string{"yes", "y"}, Usage: "let the agent run memctl unasked"},
			&cli.BoolFlag{Name: "mcp", Usage: "register the MCP server too"},
			&cli.BoolFlag{Name: "no-permissions", Usage: "do not, and do not ask whether to"},
			dryRunFlag(),
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			p, err := placeArg(c)
			if err != nil {
				return err
			}
			answer, err := consentArg(c)
			if err != nil {
				return err
			}
			if p.server = c.Bool("mcp"); p.server && p.scope != scopeProject {
				return &failure{
					err:  fmt.Errorf("--mcp is for the scope project: of %s, Claude Code keeps the servers itself", p.scope),
					hint: "run: " + p.serverLine(),
					code: exitUsage,
				}
			}
			return runInstall(c.Context, std, p, answer, c.Bool("dry-run"), c.Bool("json"))
		},
	}
}

func runInstall(ctx context.Context, std streams, p place, answer consent, dryRun, asJSON bool) error {
	called := programFor(p.scope)
	wanted, err := hooksRunning(called.command)
	if err != nil {
		return err
	}
	return editSettings(ctx, p.path, func(file settingsFile, was former) error {
		after, allowing, err := file.installed(wanted, p.server)
		if err != nil {
			return err
		}
		open := answer == undecided && !bytes.Equal(allowing, after)
		if open && !dryRun {
			if answer, err = ask(ctx, std, p); err != nil {
				return err
			}
		}
		if answer == granted {
			after = allowing
		}
		change := newSettingsChange(p, file, after, dryRun)
		change.Command = called.command
		if err := change.apply(was.needsCopy()); err != nil {
			return err
		}
		if p.server {
			if change.Server, err = installServer(ctx, p, dryRun); err != nil {
				return err
			}
		}
		if err := change.print(std.Out, asJSON, "installed in", "already installed in"); err != nil {
			return err
		}
		called.warn(std)
		p.warnOfServer(std)
		p.warnOfOthers(std, wanted)
		adviseInstalled(std, p, change, open && answer == undecided)
		return nil
	})
}

// installed is the file with the hooks, and with the agent's rules too.
func (f settingsFile) installed(wanted []settings.Hook, server bool) (hooked, allowing []byte, err error) {
	rules := agentRules()
	if server {
		rules = append(rules, serverRules()...)
	}
	hooked, err = settings.Add(f.data, settings.Entries{Hooks: wanted})
	if err == nil {
		allowing, err = settings.Add(hooked, settings.Entries{Allow: rules})
	}
	if err != nil {
		return nil, nil, f.mistaken(err)
	}
	return hooked, allowing, nil
}

// hooksRunning are the hooks that the plugin registers, with another command.
func hooksRunning(command string) ([]settings.Hook, error) {
	registered, err := settings.Hooks(hooks.Registration)
	if err != nil {
		return nil, fmt.Errorf("read the plugin's hooks: %w", err)
	}
	for i := range registered {
		registered[i].Command = command
	}
	return registered, nil
}

// adviseInstalled says what the user does next. permissions is set where nobody
// has decided on them.
func adviseInstalled(std streams, p place, change settingsChange, permissions bool) {
	advise := func(advice string) { fmt.Fprintf(std.Err, "memctl: hint: %s\n", advice) }
	if permissions {
		command := "memctl install --permissions"
		if p.server {
			command = "memctl install --mcp --permissions"
		}
		advise(`Claude Code will ask before the agent runs memctl; "` + p.line(command) + `" lets it`)
	}
	if !change.Changed || change.DryRun {
		return
	}
	if p.noRoot && p.scope != scopeUser {
		advise(`run "memctl init": the project has no memory root yet`)
	}
	if !p.server {
		advise("agents can have the memories as tools too, by MCP: run " + strconv.Quote(p.serverLine()))
	}
	advise("start Claude Code anew, and see the hooks with /hooks there")
}
