package install

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/git"
	"memctl/schemas"
	"memctl/text"
	"memctl/writer"

	"github.com/urfave/cli/v2"
)

// anyMCPClient stands for a program that speaks MCP and has no hooks.
const anyMCPClient = "mcp"

func clientsFlag(byDefault string) cli.Flag {
	usage := "which agents: `NAME`s, separated by commas (default: " + byDefault + ")"
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

// clientsArg reads --client, which is Claude Code if it is not given.
func clientsArg(c *cli.Context) (chosen []*clients.Client, err error) {
	for _, name := range c.StringSlice("client") {
		client := clients.Named(strings.TrimSpace(name))
		if client == nil {
			return nil, console.Usagef("--client: expected one of %s, got %q", strings.Join(clients.Names(), ", "),
				name)
		}
		if !slices.Contains(chosen, client) {
			chosen = append(chosen, client)
		}
	}
	if chosen == nil {
		chosen = clients.All()[:1]
	}
	return chosen, nil
}

// printServerEntry prints memctl's server as most programs that speak MCP have it in
// their configuration.
func printServerEntry(c *cli.Context, std command.Streams) error {
	if !c.Bool("print") {
		return console.Misused(`run "memctl install --client mcp --print" and put the entry into its configuration`,
			"--client mcp means any program that speaks MCP, and memctl does not know its files")
	}
	if names := c.StringSlice("client"); len(names) != 1 || names[0] != anyMCPClient {
		return console.Usagef("--print needs --client mcp alone; what other clients get is shown by --dry-run")
	}
	return command.WriteJSON(std.Out, map[string]any{
		"mcpServers": map[string]any{clients.ServerName: clients.UserServer()}})
}

// withGit are the flags that --git can be combined with. All others are about the client.
var withGit = []string{"git", "root", "dry-run", "json", "history", "no-history"}

// runInstallGit is install --git, or uninstall --git if remove is set.
func runInstallGit(c *cli.Context, std command.Streams, remove bool) error {
	for _, name := range c.LocalFlagNames() {
		if !slices.Contains(withGit, name) {
			return console.Usagef("--git changes no settings of the client: it cannot be combined with --%s", name)
		}
	}
	root, err := command.FindRoot(c)
	if err != nil {
		return err
	}
	options := gitOptions{Root: root, Remove: remove, DryRun: c.Bool("dry-run"), Step: command.WriteStep}
	done, err := registerGit(c.Context, options)
	if err != nil {
		return err
	}
	if err := command.PrintResult(c, std, done, "git change"); err != nil {
		return err
	}
	if !remove && !done.Ignored {
		if err := decideHistory(c, std, root, done.Changed); err != nil {
			return err
		}
	}
	if done.Ignored {
		console.Warning(std.Err, "git ignores %s: there is nothing for it to merge", root.Shown)
	}
	if done.Diff != "" && !done.DryRun && !done.Ignored {
		const advice = "commit the change of %s; the settings are of this clone, so every other one runs this " +
			"command once"
		console.Hint(std.Err, advice, root.Shown)
	}
	return nil
}

const historyKey = "git.history"

// decideHistory writes whether git's log is the history of the memories. Unless a flag or the configuration says so, it
// asks. Without a terminal that is so for a root without memories, and any other gets an offer if it isNew to git.
func decideHistory(c *cli.Context, std command.Streams, root files.Root, isNew bool) error {
	wanted, err := command.ConsentArg(c, "history")
	if err != nil {
		return err
	}
	r, err := readProjectSetting(c, std, historyKey)
	if err != nil {
		return err
	}
	if wanted == nil {
		if c.Bool("dry-run") || !r.open {
			return nil
		}
		if wanted, err = askHistory(c, std, root, isNew); err != nil || wanted == nil {
			return err
		}
	}
	if c.Bool("dry-run") || r.w.Config.Git.History == *wanted && !r.open {
		return nil
	}
	if err := command.SetTo(c.Context, r.w, historyKey, *wanted); err != nil {
		return err
	}
	console.Note(std.Err, "%s: set %s to %t", files.ConfigName, historyKey, *wanted)
	return nil
}

// askHistory asks a person, or answers for nobody. It returns nil for no answer.
func askHistory(
	c *cli.Context, std command.Streams, root files.Root, isNew bool,
) (wanted *bool, err error) {
	if command.CanAsk(std) {
		yes, err := command.Ask(c.Context, std, fmt.Sprintf(historyQuestion, root.Shown, historyKey, files.ConfigName),
			true)
		return &yes, err
	}
	paths, err := root.MemoryPaths()
	if err != nil {
		return nil, err
	}
	if len(paths) > 0 && !isNew {
		return nil, nil
	}
	if len(paths) > 0 {
		console.Hint(std.Err, "run \"memctl install --git --history\" if a Git host merges the memories: each update "+
			"in %s writes when it was made, and two of one memory conflict there", root.Shown)
		return nil, nil
	}
	yes := true
	return &yes, nil
}

const historyQuestion = `Leave the history of the memories in %s to git's log?
  yes: an update writes only its own changes, so a Git host can merge two updates on its own
  no:  each also writes when it was made, how many there were and what it changed; only memctl merges that
  off: memctl config set %s false
The answer goes into %s, which holds for all who share it.`

// uninstallGit is the part of uninstall that is about git. A project without memories or
// without git has none.
func uninstallGit(c *cli.Context, o Options) (*gitChange, error) {
	if o.Scope != clients.ProjectScope {
		return nil, nil
	}
	root, err := files.At(o.Project)
	if err != nil {
		return nil, nil // no memories, nothing to merge
	}
	return unregisterGit(c.Context, gitOptions{Root: root, Remove: true, DryRun: o.DryRun, Step: command.WriteStep})
}

// unregisterGit is registerGit that removes. Without git there is nothing to remove.
func unregisterGit(ctx context.Context, o gitOptions) (*gitChange, error) {
	done, err := registerGit(ctx, o)
	switch {
	case errors.Is(err, git.ErrNoProgram), errors.Is(err, git.ErrNoRepository), errors.Is(err, git.ErrBare):
		return nil, nil
	case err != nil || !done.Changed:
		return nil, err
	}
	return &done, nil
}

const enabledKey = "observations.enabled"

// projectSetting is a change by install to a setting of the project, such as whether it is observed.
type projectSetting struct {
	w      *writer.Writer
	noRoot bool // there is no memory root yet
	open   bool // the configuration does not have the setting
}

type recordingChange struct {
	Config  string `json:"config"`
	Enabled bool   `json:"enabled"`
	Changed bool   `json:"changed"`
	DryRun  bool   `json:"-"`
}

func readProjectSetting(c *cli.Context, std command.Streams, key string) (*projectSetting, error) {
	s, w, err := command.NewWriter(c, std)
	if err != nil {
		return nil, err
	}
	data, err := w.Root.ReadConfig()
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", files.ConfigName, err)
	}
	_, err = s.Root()
	return &projectSetting{w, err != nil, schemas.Undecided(data, key)}, nil
}

// apply writes the decision, and makes the memory root if that is missing.
func (r *projectSetting) apply(ctx context.Context, enabled, dryRun bool) (*recordingChange, error) {
	done := &recordingChange{r.w.Root.Join(files.ConfigName), enabled, r.changes(enabled), dryRun}
	if !done.Changed || dryRun {
		return done, nil
	}
	if r.noRoot {
		if _, err := git.Init(ctx, r.w.Root.Path); err != nil {
			return nil, err
		}
	}
	return done, command.SetTo(ctx, r.w, enabledKey, enabled)
}

// changes reports whether the decision has to be written. A no makes no memory root.
func (r *projectSetting) changes(enabled bool) bool {
	if r.noRoot {
		return enabled
	}
	return r.open || r.w.Config.Observations.Enabled != enabled
}

func settingWords(setting string) string {
	key, value, set := strings.Cut(setting, "=")
	if !set {
		return "--unset " + key
	}
	return key + " '" + strings.ReplaceAll(text.Printable(value), "'", `'\''`) + "'"
}
