package main

import (
	"bytes"
	"context"
	"errors"
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
other scopes Claude Code keeps its servers itself:

   claude mcp add --scope user memctl -- memctl mcp

--observations has the agent's tools observed in this project (memctl observations),
--no-observations says in its configuration that they are not. A user's settings are
for every project, which decides for itself: memctl init --observations.

On a terminal memctl asks whether to add the rules, and whether to observe unless the
configuration says; elsewhere it does what it is told to.

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
			&cli.BoolFlag{Name: "no-permissions", Usage: "do not, and do not ask whether to"},
			&cli.BoolFlag{Name: "observations", Usage: "observe the agent's tools from now on"},
			&cli.BoolFlag{Name: "no-observations", Usage: "do not, and do not ask whether to"},
			&cli.BoolFlag{Name: "mcp", Usage: "register the MCP server too"},
			dryRunFlag(),
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			in, err := installationArg(c, std)
			if err != nil {
				return err
			}
			return runInstall(c.Context, std, in, c.Bool("json"))
		},
	}
}

// installation is what install is asked for.
type installation struct {
	place
	permissions, observations consent
	recording                 *recording // nil where no project is meant
	dryRun                    bool
}

func installationArg(c *cli.Context, std streams) (in installation, err error) {
	in.dryRun = c.Bool("dry-run")
	if in.place, err = placeArg(c); err != nil {
		return in, err
	}
	if in.permissions, err = consentArg(c, "permissions"); err != nil {
		return in, err
	}
	if in.observations, err = consentArg(c, "observations"); err != nil {
		return in, err
	}
	if in.server = c.Bool("mcp"); in.server && in.scope != scopeProject {
		return in, &failure{
			err:  fmt.Errorf("--mcp is for the scope project: of %s, Claude Code keeps the servers itself", in.scope),
			hint: "run: " + in.serverLine(),
			code: exitUsage,
		}
	}
	if in.observations != undecided && in.scope == scopeUser {
		return in, &failure{
			err:  errors.New("observations are a setting of each project, and --scope user is for all of them"),
			hint: `run "memctl init --observations" in the project`,
			code: exitUsage,
		}
	}
	if in.observations != undecided {
		in.recording, err = readRecording(c, std)
	} else if canAsk(std) && in.scope != scopeUser {
		in.recording, _ = readRecording(c, std) // what is wrong, doctor tells
	}
	return in, err
}

func runInstall(ctx context.Context, std streams, in installation, asJSON bool) error {
	called := programFor(in.scope)
	wanted, err := hooksRunning(called.command)
	if err != nil {
		return err
	}
	return editSettings(ctx, in.path, func(file settingsFile, was former) error {
		after, allowing, err := file.installed(wanted, in.server)
		if err != nil {
			return err
		}
		open := in.permissions == undecided && !bytes.Equal(allowing, after)
		if err := in.ask(ctx, std, open); err != nil {
			return err
		}
		if in.permissions == granted {
			after = allowing
		}
		change := newSettingsChange(in.place, file, after, in.dryRun)
		change.Command = called.command
		if err := change.apply(was.needsCopy()); err != nil {
			return err
		}
		if err := in.addTo(ctx, &change); err != nil {
			return err
		}
		if err := change.print(std.Out, asJSON, "installed in", "already installed in"); err != nil {
			return err
		}
		called.warn(std)
		in.warnOfOthers(std, wanted)
		in.advise(std, change, open)
		return nil
	})
}

// ask asks for what nobody has decided, before anything is written.
func (in *installation) ask(ctx context.Context, std streams, open bool) (err error) {
	if in.dryRun {
		return nil
	}
	if open {
		if in.permissions, err = ask(ctx, std, permissionsQuestion(in.place)); err != nil {
			return err
		}
	}
	if r := in.recording; r != nil && r.open && in.observations == undecided {
		// Who does not say yes is asked again by the next install.
		if answer, err := ask(ctx, std, r.question()); err != nil {
			return err
		} else if answer == granted {
			in.observations = granted
		}
	}
	return nil
}

// addTo does what is to be done beside the settings.
func (in *installation) addTo(ctx context.Context, change *settingsChange) (err error) {
	if in.server {
		if change.Server, err = installServer(ctx, in.place, in.dryRun); err != nil {
			return err
		}
	}
	if in.observations != undecided {
		change.Observations, err = in.recording.apply(ctx, in.observations == granted, in.dryRun)
	}
	return err
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

// advise says what the user does next. open is set where nobody had decided on the
// permissions.
func (in *installation) advise(std streams, change settingsChange, open bool) {
	advise := func(advice string) { fmt.Fprintf(std.Err, "memctl: hint: %s\n", advice) }
	if open && in.permissions == undecided {
		command := "memctl install --permissions"
		if in.server {
			command = "memctl install --mcp --permissions"
		}
		advise(`Claude Code will ask before the agent runs memctl; "` + in.line(command) + `" lets it`)
	}
	if !change.Changed || change.DryRun {
		return
	}
	if in.noRoot && in.scope != scopeUser && (change.Observations == nil || !change.Observations.Changed) {
		advise(`run "memctl init": the project has no memory root yet`)
	}
	if !in.server {
		advise("agents can have the memories as tools too, by MCP: run " + strconv.Quote(in.serverLine()))
	}
	advise("start Claude Code anew, and see the hooks with /hooks there")
}
