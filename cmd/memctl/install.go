package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func installCommand(std streams) *cli.Command {
	cmd := newCommand(std, "install", runInstall,
		rootFlag(),
		clientsFlag(),
		scopeFlag(),
		&cli.BoolFlag{Name: "permissions", Aliases: []string{"yes", "y"}, Usage: "let the agent run memctl unasked"},
		&cli.BoolFlag{Name: "no-permissions", Usage: "do not, and do not ask whether to"},
		&cli.BoolFlag{Name: "observations", Usage: "observe the agent's tools from now on"},
		&cli.BoolFlag{Name: "no-observations", Usage: "do not, and do not ask whether to"},
		&cli.BoolFlag{Name: "mcp", Usage: "register the MCP server, and do not ask whether to"},
		&cli.BoolFlag{Name: "no-mcp", Usage: "do not register it"},
		&cli.BoolFlag{Name: "print", Usage: "print the MCP server's entry, with --client mcp"},
		choiceFlag("notes", "", "the notes that Claude Code keeps on a project: `CHOICE` read, move or leave", notesChoices),
		gitFlag("only have git merge and show memories field by field, in this clone"),
		dryRunFlag(),
		jsonFlag())
	cmd.Description = fmt.Sprintf(cmd.Description, clients.AgentCommands)
	return cmd
}

func scopeFlag() cli.Flag {
	usage := "whose settings: `SCOPE` project, local or user"
	return &cli.StringFlag{Name: "scope", Value: clients.ProjectScope, Usage: usage}
}

// installation is what the user asks install for.
type installation struct {
	clients.Options
	c                                 *cli.Context
	std                               streams
	permissions, observations, server consent
	plugins                           clients.Plugins
	recording                         *recording // nil if observations are not decided here
	missesRules                       bool       // those of the commands
}

func readInstallation(c *cli.Context, std streams, client *clients.Client) (*installation, error) {
	o, err := installOptions(c, client)
	if err != nil {
		return nil, err
	}
	in := &installation{Options: o, c: c, std: std}
	if client == clients.Claude {
		in.plugins = clients.EnabledPlugins(o.Project)
	}
	for name, decision := range map[string]*consent{
		"permissions": &in.permissions, "observations": &in.observations, "mcp": &in.server,
	} {
		if *decision, err = consentArg(c, name); err != nil {
			return nil, err
		}
	}
	switch {
	case in.observations == nil && in.Scope != clients.UserScope && canAsk(std):
		in.recording, _ = readRecording(c, std) // doctor reports what is wrong
	case in.observations != nil && in.Scope == clients.UserScope:
		err = console.Misused(`run "memctl init --observations" in the project`,
			"observations are a setting of each project, and --scope user is for all of them")
	case in.observations != nil:
		in.recording, err = readRecording(c, std)
	}
	return in, err
}

// installOptions reads the flags that install and uninstall share.
func installOptions(c *cli.Context, client *clients.Client) (o clients.Options, err error) {
	scope := c.String("scope")
	if !slices.Contains(clients.Scopes, scope) {
		return o, console.Usagef("--scope: expected one of %s, got %q", strings.Join(clients.Scopes, ", "), scope)
	}
	if known := client.Scopes(); !slices.Contains(known, scope) {
		return o, console.Usagef("--scope: %s has only %s, got %q", client.Title, strings.Join(known, " and "), scope)
	}
	project, err := clients.ProjectFolder(rootArg(c))
	if err != nil {
		return o, err
	}
	o.Target, err = client.Target(scope, project)
	o.DryRun, o.Step = c.Bool("dry-run"), writeStep
	return o, err
}

// runInstall reads and asks everything for all clients before it changes a file.
func runInstall(c *cli.Context, std streams) error {
	if c.Bool("git") {
		return runInstallGit(c, std, false)
	}
	if slices.Contains(c.StringSlice("client"), anyMCPClient) || c.Bool("print") {
		return printServerEntry(c, std)
	}
	chosen, err := clientsArg(c)
	if err == nil && chosen == nil {
		chosen, err = offerClients(c, std)
	}
	if err != nil {
		return err
	}
	var all []*installation
	for i, client := range chosen {
		in, err := readInstallation(c, std, client)
		if err != nil {
			return err
		}
		if i > 0 { // observations are decided once
			in.recording, in.observations = nil, nil
		}
		if err := in.decide(); err != nil {
			return err
		}
		all = append(all, in)
	}
	userRoot, err := offerUserRoot(c, std)
	if err != nil {
		return err
	}
	plan, err := planNotes(c, std, chosen)
	if err != nil {
		return err
	}
	var notes *notesChange
	if plan != nil {
		if notes, err = plan.apply(c, std); err != nil {
			return err
		}
	}
	var reports []installReport
	for _, in := range all {
		in.NotesOff = in.Client == clients.Claude && plan.moves(in.Scope)
		report, err := in.run()
		if err != nil {
			return err
		}
		if in.Client == clients.Claude {
			report.Notes = notes
		}
		reports = append(reports, report)
	}
	if err := printReports(c, std, reports); err != nil {
		return err
	}
	if userRoot.Path != "" {
		if _, err := memdir.Init(userRoot.Path); err != nil {
			return err
		}
		console.Note(std.Err, "made the memory root %s for your own memories", userRoot.Shown)
	}
	for i, in := range all {
		in.advise(reports[i])
		if in.Client == clients.Claude && reports[i].Changed {
			plan.tell(std)
		}
	}
	return nil
}

// decide asks what the flags leave open and sees that the files can be changed.
func (in *installation) decide() error {
	err := in.decideServer()
	if err == nil && in.permissions == nil {
		rules := in.Options
		rules.Permissions, rules.ToolRules, rules.Server = true, false, false
		in.missesRules, err = clients.Misses(rules)
	}
	if err == nil && in.missesRules && in.canAsk() {
		var yes bool
		yes, err = in.ask(in.permissionsQuestion(), false)
		in.permissions = &yes
	}
	if r := in.recording; err == nil && r != nil && r.open && in.observations == nil && in.canAsk() {
		var yes bool
		if yes, err = in.ask(r.question(), false); yes { // who does not say yes is asked again by the next install
			in.observations = &yes
		}
	}
	if err != nil {
		return err
	}
	in.Permissions = in.permissions != nil && *in.permissions
	trial := in.Options
	trial.DryRun = true
	_, err = clients.Install(in.c.Context, trial)
	return err
}

func (in *installation) canAsk() bool { return !in.DryRun && canAsk(in.std) }

func (in *installation) ask(question string, byDefault bool) (bool, error) {
	return ask(in.c.Context, in.std, question, byDefault)
}

// decideServer decides whether to register the MCP server. The plugin brings one; a
// second would give the agent each tool twice.
func (in *installation) decideServer() error {
	in.ToolRules = in.permissions == nil || *in.permissions
	if in.server == nil && len(in.plugins) > 0 {
		in.server = new(bool) // no
	}
	in.Server = in.server == nil || *in.server
	if in.server != nil || !in.canAsk() {
		return nil
	}
	missing, err := clients.Misses(in.Options)
	if err == nil && missing {
		in.Server, err = in.ask(in.serverQuestion(), true)
	}
	return err
}

// serverQuestion says what the user agrees to.
func (in *installation) serverQuestion() string {
	agent, rules := in.Client.Title, ""
	if in.Client == clients.Claude {
		agent = "the agent"
		if in.ToolRules {
			rules = fmt.Sprintf("\n  rules:  in %s, so that Claude Code does not ask you each time", in.Settings)
		}
	}
	const question = "Let %s search and save memories with tools, by memctl's MCP server?\n  tools:  %s\n  server: in %s%s"
	return fmt.Sprintf(question, agent, strings.Join(clients.ServerTools, ", "), in.Servers, rules)
}

// permissionsQuestion says what the user agrees to.
func (in *installation) permissionsQuestion() string {
	question := fmt.Sprintf("Let the agent run these in a shell without asking, by rules in %s?\n  memctl %s",
		in.Settings, clients.AgentCommands)
	if len(in.plugins) > 0 {
		question += "\n  the tools of the plugin: " + strings.Join(clients.ServerTools, " ")
	}
	return question
}

func (in *installation) run() (report installReport, err error) {
	report.done, report.unchanged = "installed in", "already installed in"
	if report.Change, err = clients.Install(in.c.Context, in.Options); err != nil {
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
	for _, d := range in.Duplicates() {
		console.Warning(out, "%s runs %s at the same events, so each hook runs twice", d.Settings, d.Program)
		console.Hint(out, "run %q", scopedLine("memctl uninstall"+clientWord(in.Client), d.Scope, rootArg(in.c)))
	}
	for _, name := range slices.Sorted(maps.Keys(in.plugins)) {
		console.Note(out, "the plugin %s does the same; its hooks do nothing while these are registered", name)
	}
	if in.missesRules && in.permissions == nil {
		command := "memctl install --permissions"
		if in.c.Bool("no-mcp") {
			command += " --no-mcp"
		}
		console.Hint(out, "Claude Code will ask before the agent runs memctl in a shell; \"%s\" allows it",
			scopedLine(command, in.Scope, rootArg(in.c)))
	}
	if in.DryRun || !report.Changed && (report.Server == nil || !report.Server.Changed) {
		return
	}
	foreign := new(memdir.ForeignError)
	if _, err := findRoot(in.c); errors.As(err, &foreign) {
		console.Note(out, "%s", text.Printable(foreign.Error()))
		console.Hint(out, "%s", foreign.Hint())
	} else if errors.Is(err, memdir.ErrNoRoot) && in.Scope != clients.UserScope {
		console.Hint(out, `run "memctl init": the project has no memory root yet`)
	}
	console.Hint(out, "%s", in.Client.Approval)
}

// warnOfPath warns if the name memctl, which agents use, does not run this binary.
func warnOfPath(out io.Writer, p clients.Program) {
	consequence := "the hooks and the agent run it by its name"
	if p.Command == p.Self {
		consequence = "the hooks run this one, but the agent runs it by its name"
	}
	switch {
	case p.OnPath == "":
		console.Warning(out, "memctl is not on your PATH; %s", consequence)
		console.Hint(out, "put %s on it", p.Self)
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
