// Package install is the feature that registers memctl: with the clients of agents, and with git. Install and Uninstall
// add and remove memctl's entries and leave every other byte of a file as it is. Package clients knows the entries.
package install

import (
	"embed"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"text/template"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "install", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command {
			return []*cli.Command{
				command.NewCommand(std, "setup", command.NoAgent(store.OtherPrograms, "set memctl up"), runSetup,
					clientsFlag("those on this machine")),
				command.FilledIn(command.NewCommand(std, "install", setsClients(), runInstall,
					clientsFlag(clients.Claude.Name), scopeFlag(),
					command.ChoiceFlag("notes", "",
						"the notes that Claude Code keeps on a project: `CHOICE` read, move or leave",
						notesChoices)), clients.AgentCommands),
				command.NewCommand(std, "uninstall", setsClients(), runUninstall, clientsFlag(clients.Claude.Name),
					scopeFlag()),
			}
		},
		Words: template.FuncMap{"gitSetting": settingWords, "grouped": grouped},
		Reaching: []command.FlagAccess{
			{Flag: "scope", Of: "install,uninstall",
				May: command.NoAgent(store.OtherPrograms, changeClients).When("user", inUserScope)},
			{Flag: "permissions", Of: "install",
				May: command.APerson(store.OtherPrograms, "decide what agents do unasked", permissionsQuestion)},
			{Flag: "leftovers", Of: "uninstall", May: command.NoAgent(store.OtherPrograms, changeClients)},
			{Flag: "all-projects", Of: "uninstall", May: command.NoAgent(store.OtherProjects, changeClients)},
			{Flag: "notes", Of: "install", May: command.NoAgent(store.OwnSettings, "change your own settings")},
		},
	}
}

// changeClients is what agents may not.
const changeClients = "change the settings of your clients"

func setsClients() command.May {
	return command.InProject.And(
		command.NoAgent(store.OtherPrograms, changeClients).When("unless it is for git or a dry run", changesFiles))
}

func inUserScope(c *cli.Context) bool { return c.String("scope") == clients.UserScope }

func changesFiles(c *cli.Context) bool {
	return !c.Bool("git") && !c.Bool("dry-run") && !c.Bool("print")
}

func permissionsQuestion(c *cli.Context, _ command.Streams) string {
	if c.Bool("dry-run") || c.Bool("no-permissions") {
		return ""
	}
	return "Agents then run these without asking you: memctl " + strings.ReplaceAll(clients.AgentCommands, " ", ", ") +
		"; and the tools of memctl's server. Allow it?"
}

func scopeFlag() cli.Flag {
	usage := "whose settings: `SCOPE` project, local or user"
	return &cli.StringFlag{Name: "scope", Value: clients.ProjectScope, Usage: usage}
}

// installation holds the choices of the user for install.
type installation struct {
	Options
	c                                 *cli.Context
	std                               command.Streams
	permissions, observations, server command.Consent
	plugins                           clients.Plugins
	recording                         *projectSetting // nil if observations are not decided here
	missesRules                       bool            // those of the commands
	planned                           Change          // by a dry run
}

func readInstallation(
	c *cli.Context, std command.Streams, client *clients.Client, scope string,
) (*installation, error) {
	o, err := installOptions(c, client, scope)
	if err != nil {
		return nil, err
	}
	in := &installation{Options: o, c: c, std: std}
	if client == clients.Claude {
		in.plugins = clients.EnabledPlugins(o.Project)
	}
	for name, decision := range map[string]*command.Consent{
		"permissions": &in.permissions, "observations": &in.observations, "mcp": &in.server,
	} {
		if *decision, err = command.ConsentArg(c, name); err != nil {
			return nil, err
		}
	}
	switch {
	case in.observations != nil && in.Scope == clients.UserScope:
		err = console.Misused(`run "memctl init --observations" in the project`,
			"observations are a setting of each project, and --scope user is for all of them")
	case in.observations != nil:
		in.recording, err = readProjectSetting(c, std, enabledKey)
	}
	return in, err
}

// installOptions reads the flags that install and uninstall share.
func installOptions(c *cli.Context, client *clients.Client, scope string) (o Options, err error) {
	if !slices.Contains(clients.Scopes, scope) {
		return o, console.Usagef("--scope: expected one of %s, got %q", strings.Join(clients.Scopes, ", "), scope)
	}
	if known := client.Scopes(); !slices.Contains(known, scope) {
		return o, console.Usagef("--scope: %s has only %s, got %q", client.Title, strings.Join(known, " and "), scope)
	}
	project, err := projectFolder(command.RootArg(c))
	if err != nil {
		return o, err
	}
	o.Target, err = client.Target(scope, project)
	o.DryRun, o.Step = c.Bool("dry-run"), command.WriteStep
	return o, err
}

// readInstallations reads what to do for all clients and sees that their files can be changed.
func readInstallations(
	c *cli.Context, std command.Streams, chosen []*clients.Client, scope string,
) (all []*installation, err error) {
	for i, client := range chosen {
		in, err := readInstallation(c, std, client, scope)
		if err != nil {
			return nil, err
		}
		if i > 0 { // observations are decided once
			in.recording, in.observations = nil, nil
		}
		if err := in.decide(); err != nil {
			return nil, err
		}
		all = append(all, in)
	}
	return all, nil
}

// installAll changes the files of all clients, and does what the plan says about notes.
func installAll(
	c *cli.Context, std command.Streams, all []*installation, plan *notesPlan,
) (reports []installReport, err error) {
	var notes *notesChange
	if plan != nil {
		if notes, err = plan.apply(c, std); err != nil {
			return nil, err
		}
	}
	for _, in := range all {
		in.NotesOff = in.Client == clients.Claude && plan.moves(in.Scope)
		report, err := in.run()
		if err != nil {
			return nil, err
		}
		if in.Client == clients.Claude {
			report.Notes = notes
		}
		reports = append(reports, report)
	}
	return reports, nil
}

// runInstall reads everything for all clients before it changes a file.
func runInstall(c *cli.Context, std command.Streams) error {
	if c.Bool("git") {
		return runInstallGit(c, std, false)
	}
	if slices.Contains(c.StringSlice("client"), anyMCPClient) || c.Bool("print") {
		return printServerEntry(c, std)
	}
	chosen, err := clientsArg(c)
	if err != nil {
		return err
	}
	all, err := readInstallations(c, std, chosen, c.String("scope"))
	if err != nil {
		return err
	}
	plan, err := planNotes(c, std, chosen, false)
	if err != nil {
		return err
	}
	reports, err := installAll(c, std, all, plan)
	if err != nil {
		return err
	}
	if err := printReports(c, std, reports); err != nil {
		return err
	}
	for i, in := range all {
		in.advise(reports[i])
		if in.Client == clients.Claude && reports[i].Changed {
			plan.tell(std)
		}
	}
	return nil
}

// decide completes the options and sees that the files can be changed. Where the plugin is, it brings the MCP
// server; a second would give the agent each tool twice.
func (in *installation) decide() (err error) {
	in.Permissions = in.permissions != nil && *in.permissions
	in.ToolRules = in.permissions == nil || *in.permissions
	in.Server = in.server == nil && len(in.plugins) == 0 || in.server != nil && *in.server
	if in.permissions == nil {
		rules := in.Options
		rules.Permissions, rules.ToolRules, rules.Server = true, false, false
		if in.missesRules, err = clients.Misses(rules.Options); err != nil {
			return err
		}
	}
	trial := in.Options
	trial.DryRun = true
	in.planned, err = Install(in.c.Context, trial)
	return err
}

func (in *installation) run() (report installReport, err error) {
	report.Done, report.Unchanged = "installed in", "already installed in"
	if report.Change, err = Install(in.c.Context, in.Options); err != nil {
		return report, err
	}
	if in.observations != nil {
		report.Observations, err = in.recording.apply(in.c.Context, *in.observations, in.DryRun)
	}
	return report, err
}

// advise says what makes hooks run another program, run twice, or not at all, and what the
// user does next.
func (in *installation) advise(report installReport) {
	out := in.std.Err
	warnOfPath(out, clients.FindProgram(in.Scope))
	for _, d := range duplicates(in.Target) {
		console.Warning(out, "%s runs %s at the same events, so each hook runs twice", d.Settings, d.Program)
		console.Hint(out, "run %q", scopedLine("memctl uninstall"+clientWord(in.Client), d.Scope,
			command.RootArg(in.c)))
	}
	for _, name := range slices.Sorted(maps.Keys(in.plugins)) {
		console.Note(out, "the plugin %s does the same; its hooks do nothing while these are registered", name)
	}
	if in.missesRules && in.permissions == nil {
		line := "memctl install --permissions"
		if in.c.Bool("no-mcp") {
			line += " --no-mcp"
		}
		console.Hint(out, "Claude Code will ask before the agent runs memctl in a shell; \"%s\" allows it",
			scopedLine(line, in.Scope, command.RootArg(in.c)))
	}
	if in.DryRun || !report.ChangesAny() {
		return
	}
	foreign := new(files.ForeignError)
	if _, err := command.FindRoot(in.c); errors.As(err, &foreign) {
		console.Note(out, "%s", text.Printable(foreign.Error()))
		console.Hint(out, "%s", foreign.Hint())
	} else if errors.Is(err, files.ErrNoRoot) && in.Scope != clients.UserScope {
		console.Hint(out, `run "memctl init": the project has no memory root yet`)
	}
	console.Hint(out, "%s", in.Client.Approval)
}

// warnOfPath warns if the name memctl, which agents use, does not run this binary.
func warnOfPath(out io.Writer, p clients.Program) {
	consequence := "the hooks run it by name and silently do nothing without it"
	if p.Command == p.Self {
		consequence = "the hooks run this one, but the agent runs it by name"
	}
	switch {
	case p.OnPath == "":
		console.Warning(out, "memctl is not on your PATH; %s", consequence)
		console.Hint(out, "%s", clients.PathAdvice(p.Self))
	case !clients.SameProgram(p.OnPath, p.Self):
		console.Warning(out, "your PATH has another memctl, %s; %s", p.OnPath, consequence)
		console.Hint(out, "this one is %s", p.Self)
	}
}

// scopedLine is a command line with the flags for a scope and a root.
func scopedLine(command, scope, root string) string {
	if scope != clients.ProjectScope {
		command += " --scope " + scope
	}
	if root != "" {
		command += " --root " + text.ShellWord(root)
	}
	return command
}

type installReport struct {
	Change
	Observations *recordingChange `json:"observations,omitempty"`
	Notes        *notesChange     `json:"notes,omitempty"`
	Git          *gitChange       `json:"git,omitempty"`
	Left         []leftover       `json:"left,omitempty"` // of memctl's own files, by uninstall

	Done, Unchanged string `json:"-"` // the words before the name of a file
}

// printReports prints the reports of all clients. JSON is one object for a client, a
// list for several.
func printReports(c *cli.Context, std command.Streams, reports []installReport) error {
	if len(reports) > 1 && c.Bool("json") {
		return command.WriteJSON(std.Out, reports)
	}
	for _, report := range reports {
		if err := command.PrintResult(c, std, report, "report"); err != nil {
			return err
		}
	}
	return nil
}
