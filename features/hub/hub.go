// Package hub is the feature that asks a hub and publishes to it. It owns the commands; features/hub/remote has the
// client and the types that go over the wire. The service is the module hub.
package hub

import (
	"embed"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"text/template"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/features/hub/remote"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
	"golang.org/x/oauth2"
)

//go:embed help answers
var commandTexts embed.FS

// Feature is this package for a program.
func Feature() command.Feature {
	return command.Feature{
		Name: "hub", Texts: commandTexts,
		Commands: func(std command.Streams) []*cli.Command { return []*cli.Command{hubCommand(std)} },
		Words:    template.FuncMap{"hubSource": hubSource},
		Flags: map[string][]cli.Flag{
			"search": {&cli.BoolFlag{Name: "hub", Usage: "search the hub too", DisableDefaultText: true}},
			"show": {&cli.BoolFlag{Name: "hub", Usage: "print memories of the hub, by their ids there",
				DisableDefaultText: true}},
		},
		Reaching: []command.FlagAccess{
			{Flag: "hub", Of: "search,show,doctor", May: command.Anyone(store.Network)},
			{Flag: "plain-http", May: command.NoAgent(store.Network, "show others the token of a hub")},
		},
		Hints: []command.Hint{
			{Cause: remote.ErrOwn,
				Hint: `run it in a project; "memctl move ID --to project" hands a memory over to one`},
			{Cause: remote.ErrNoHub, Hint: "name your hub: memctl config set hub.url https://hub.acme.example --user"},
			{Cause: remote.ErrUnnamed, Hint: "name it: --repository github.com/acme/payments"},
			{Cause: remote.ErrPlainHTTP,
				Hint: "give the hub a certificate; --plain-http sends all in clear text none the less"},
		},
		Searches:    map[string]func(*cli.Context, command.Streams, string, retrieve.Filter) error{"hub": searchHub},
		Shows:       map[string]func(*cli.Context, command.Streams, []string) error{"hub": showHub},
		CheckSearch: checkHubSearch,
		Check: func(asksHub, plainHTTP bool) files.Check {
			return Check(console.Version, asksHub, plainHTTP)
		},
		Hub: agentsHub{},
		CheckName: func(name string) error {
			if remote.IsID(name) {
				return console.Refused("memctl show --hub asks the hub for it",
					"%s is the id of a memory of a hub", name)
			}
			return nil
		},
	}
}

// userHub returns the hub of the user's own configuration. It warns of one that the
// project's configuration names.
func userHub(c *cli.Context, std command.Streams) (remote.Settings, *url.URL, error) {
	if root, err := command.FindRoot(c); err == nil {
		if cfg, _, err := root.Config(); err == nil {
			warnOfProjectHub(std, root, cfg)
		}
	}
	settings, err := remote.UserSettings()
	if err != nil {
		return settings, nil, err
	}
	address, err := settings.Address(c.Bool("plain-http"))
	return settings, address, err
}

func warnOfProjectHub(std command.Streams, root files.Root, cfg schemas.Config) {
	if warning := remote.Ignored(root, cfg); warning != "" {
		console.Warning(std.Err, "%s", warning)
	}
}

func checkHubSearch(c *cli.Context) error {
	if !c.Bool("hub") {
		return nil
	}
	err := command.Excludes(c, "hub", "all", "batch", "smart", "budget", "status", "include-retired", "tag")
	if err != nil {
		return err
	}
	if len(c.StringSlice("category")) > 1 {
		return console.Usagef("--hub takes one --category")
	}
	return nil
}

type foundOnHub struct {
	Local []retrieve.IndexEntry `json:"local"`
	Hub   hubAnswer             `json:"hub"`
}

// hubAnswer is the answer of the hub, or the reason why there is no answer.
type hubAnswer struct {
	URL     string       `json:"url"`
	Results []remote.Hit `json:"results"`
	Error   string       `json:"error,omitempty"`
	Host    string       `json:"-"`
}

// printFound has no table for what the hub found: it would cut the ids, which "memctl show --hub" takes whole.
func printFound(std command.Streams, s console.Screen, f foundOnHub) error {
	var err error
	if len(f.Local) > 0 {
		err = std.Say(s, "found", f.Local)
	}
	if len(f.Hub.Results) == 0 || err != nil {
		return err
	}
	if len(f.Local) > 0 {
		fmt.Fprintln(s)
	}
	return std.Say(s, "hub results", f.Hub)
}

// searchHub searches the project and the hub at the same time.
func searchHub(c *cli.Context, std command.Streams, words string, f retrieve.Filter) error {
	settings, address, err := userHub(c, std)
	if err != nil {
		return err
	}
	q := remote.Query{Query: words, Limit: min(f.Limit, remote.MaxResults)}
	if len(f.Categories) > 0 {
		q.Category = string(f.Categories[0])
	}
	answer := remote.Ask(c.Context, address, settings.Timeout, console.Version, q)
	local, err := searchLocally(c, std, words, f)
	if err != nil {
		return err
	}
	got := <-answer
	if c.Context.Err() != nil {
		return c.Context.Err()
	}
	results := foundOnHub{
		Local: command.NotNil(local),
		Hub:   hubAnswer{URL: address.String(), Results: command.NotNil(got.Results)},
	}
	if got.Err != nil {
		results.Hub.Error = text.Printable(got.Err.Error())
	}
	results.Hub.Host = address.Host
	show := func(s console.Screen, f foundOnHub) error { return printFound(std, s, f) }
	if err := command.PrintParts(c, std, results, show); err != nil {
		return err
	}
	switch {
	case got.Err != nil:
		hint := std.HintFor(got.Err)
		if hint != "" {
			hint = " (" + hint + ")"
		}
		console.Note(std.Err, "without the hub: %s%s", text.Printable(got.Err.Error()), hint)
	case len(local)+len(got.Results) == 0 && !c.Bool("json"):
		console.Note(std.Err, "no memory matches, here or on the hub")
	}
	return nil
}

// searchLocally returns the results of the roots that a search asks, none if there are no
// roots here.
func searchLocally(
	c *cli.Context, std command.Streams, words string, f retrieve.Filter,
) ([]retrieve.IndexEntry, error) {
	a, err := command.FindAsker(c, std)
	if errors.Is(err, files.ErrNoRoot) && !command.Places(c).Named() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return command.ReadRows(c.Context, a, words, f)
}

func showHub(c *cli.Context, std command.Streams, ids []string) error {
	if err := command.Excludes(c, "hub", "user", "scope", "details"); err != nil {
		return err
	}
	if i := slices.IndexFunc(ids, func(id string) bool { return !remote.IsID(id) }); i >= 0 {
		return console.Usagef("--hub: expected an id such as github.com/acme/payments:decisions/jwt-key-rotation, "+
			"got %q", ids[i])
	}
	if len(ids) > remote.MaxIDs {
		return console.Usagef("--hub takes at most %d ids, got %d", remote.MaxIDs, len(ids))
	}
	_, address, err := userHub(c, std)
	if err != nil {
		return err
	}
	details, err := remote.Fetch(c.Context, address, console.Version, ids)
	if err != nil {
		return err
	}
	return command.PrintParts(c, std, details, func(s console.Screen, details []remote.Detail) error {
		return command.EachApart(s, details, func(d remote.Detail) error {
			m, err := schemas.Decode(d.Memory)
			if err != nil {
				return fmt.Errorf("%s: %w", text.Printable(d.ID), err)
			}
			m.Complete(schemas.Category(d.Category), d.Title)
			return std.PrintMemory(s, d.ID, m, d.Memory, hubSource(d.Provenance), c.Bool("full"))
		})
	})
}

func hubSource(source remote.Provenance) string {
	return fmt.Sprintf("commit %s, published %s", text.Printable(text.Truncate(source.Commit, 10)),
		source.PublishedAt.UTC().Format("2006-01-02 15:04"))
}

const hubProgram = "memctl-hub"

func hubCommand(std command.Streams) *cli.Command {
	access := command.OnlyTells.And(command.NoAgent(store.Network, "run a hub").When("with a command", runsHub))
	cmd := command.NewCommand(std, "hub", access, runHub)
	cmd.SkipFlagParsing = true
	cmd.Subcommands = []*cli.Command{command.NewCommand(std, "hub publish",
		command.NoAgent(store.Network, "publish to a hub"), runPublish,
		hubFlag("publish to"),
		&cli.StringFlag{Name: "sequence", Usage: "the number `N` of this run; must increase with each run",
			DefaultText: "none; it must be given"},
		&cli.StringFlag{Name: "commit", Usage: "publish the memories of commit `SHA`", Value: "HEAD"},
		&cli.StringFlag{Name: "repository", Usage: "publish under `NAME`, such as github.com/acme/payments",
			DefaultText: `that of git's remote "origin"`}),
		command.NewCommand(std, "hub login", command.NoAgent(store.Network, "sign in to a hub"), runLogin,
			hubFlag("sign in to"),
			&cli.StringFlag{Name: "issuer", Usage: "sign in at the identity provider `URL`",
				DefaultText: "the one that the hub has"}),
		command.NewCommand(std, "hub logout", command.NoAgent(store.Network, "sign out of a hub"), runLogout,
			hubFlag("forget your sign-in at")),
	}
	return cmd
}

func hubFlag(what string) cli.Flag {
	return &cli.StringFlag{Name: "hub", Usage: what + " the hub at `URL`", DefaultText: "hub.url of your own " +
		"configuration"}
}

func runLogin(c *cli.Context, std command.Streams) error {
	address, err := namedHub(c, std)
	if err != nil {
		return err
	}
	show := func(d *oauth2.DeviceAuthResponse) {
		console.Note(std.Err, "open %s and enter the code %s", text.Printable(d.VerificationURI),
			text.Printable(d.UserCode))
		if d.VerificationURIComplete != "" {
			console.Note(std.Err, "or open %s", text.Printable(d.VerificationURIComplete))
		}
	}
	ends, err := remote.Login(c.Context, address, c.String("issuer"), console.Version, show)
	if err != nil {
		return err
	}
	console.Note(std.Err, "signed in to %s; the token holds until %s and is refreshed if the provider lets it",
		address.Host,
		ends.UTC().Format("2006-01-02 15:04"))
	return nil
}

func runLogout(c *cli.Context, std command.Streams) error {
	address, err := namedHub(c, std)
	if err != nil {
		return err
	}
	was, err := remote.Logout(address)
	if err == nil && !was {
		console.Note(std.Err, "you were not signed in to %s", address.Host)
	}
	return err
}

func runHub(c *cli.Context, std command.Streams) error {
	if asksHelp(c.Args().First()) {
		return cli.ShowSubcommandHelp(c)
	}
	program, err := findHub()
	if err != nil {
		return err
	}
	return runProgram(std, program, c.Args().Slice())
}

// asksHelp reports whether the first argument of a group asks for its help.
func asksHelp(word string) bool {
	return slices.Contains([]string{"", "help", "-h", "-help", "--help"}, word)
}

// findHub returns the path of memctl-hub: in memctl's own folder, else on PATH.
func findHub() (string, error) {
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		if program, err := exec.LookPath(filepath.Join(filepath.Dir(self), hubProgram)); err == nil {
			return program, nil
		}
	}
	if program, err := exec.LookPath(hubProgram); err == nil {
		return program, nil
	}
	return "", console.Refused("put it next to memctl or on your PATH: it is in the release, and \"make hub\" makes it",
		"the program memctl-hub is not installed")
}

type published struct {
	Hub string `json:"hub,omitempty"`
	remote.Published
	remote.Summary
	DryRun bool `json:"dry_run"`
}

func runPublish(c *cli.Context, std command.Streams) error {
	sequence, err := strconv.ParseInt(c.String("sequence"), 10, 64)
	if (err != nil || sequence < 1) && (c.IsSet("sequence") || !c.Bool("dry-run")) {
		return console.Misused(`in GitHub Actions: --sequence "$GITHUB_RUN_NUMBER"; `+
			`in GitLab CI: --sequence "$CI_PIPELINE_IID"`,
			"publish needs --sequence, a number from 1 to %d that grows with each run", math.MaxInt64)
	}
	root, cfg, err := command.FindConfigured(c, std)
	if err != nil {
		return err
	}
	warnOfProjectHub(std, root, cfg)
	address, err := namedHub(c, std)
	if err != nil {
		return err
	}
	p, err := remote.OpenCommit(c.Context, root, cfg, console.Version, c.String("commit"))
	if err != nil {
		return err
	}
	p.Sequence = sequence
	if p.Repository, err = publishName(c, root); err != nil {
		return err
	}
	result := published{DryRun: c.Bool("dry-run")}
	if address != nil {
		result.Hub = address.String()
	}
	memories := 0
	if result.DryRun {
		err = p.ReadAll(c.Context)
		memories = len(p.Memories)
	} else {
		result.Published, err = send(c, std, address, p)
		memories = result.Added + result.Changed + result.Unchanged
	}
	if removed := p.Withheld.String(); removed != "" {
		console.Note(std.Err, "removed before sending: %s", removed)
	}
	if err != nil {
		return notPublished(std, p.Repository, err)
	}
	result.Summary, result.Repository = remote.Summary{Commit: p.Commit, Sequence: sequence, Memories: memories,
		Withheld: p.Withheld}, p.Repository
	return command.PrintResult(c, std, result, "published")
}

// send publishes a commit. It reads only the memories that the hub lacks.
func send(c *cli.Context, std command.Streams, address *url.URL, p *remote.Committed) (done remote.Published,
	err error) {
	client, err := remote.Connect(c.Context, address, console.Version)
	if err != nil {
		return done, err
	}
	if done, err = client.PublishTree(c.Context, p.Publication); err != nil || !done.Unknown {
		return done, err
	}
	if err := p.List(c.Context); err != nil {
		return done, err
	}
	if len(p.Memories) == 0 {
		console.Warning(std.Err, "commit %.10s has no memories: the hub forgets those that it has of the repository",
			p.Commit)
	}
	progress := console.Progress(std.Err, "publishing, memories:")
	if progress != nil {
		console.Note(std.Err, "publishing %s to %s", command.Memories(len(p.Memories)), address)
	}
	done, err = client.Publish(c.Context, p.Publication, p.Read, progress)
	if errors.Is(err, remote.ErrPartly) && c.Context.Err() != nil { // Ctrl-C, which prints no error
		console.Note(std.Err, "%v", remote.ErrPartly)
	}
	return done, err
}

// namedHub returns the address of the hub that --hub names, else of the user's. A dry run needs none.
func namedHub(c *cli.Context, std command.Streams) (*url.URL, error) {
	plainHTTP := c.Bool("plain-http")
	if flag := c.String("hub"); flag != "" {
		address, err := remote.ParseAddress(flag, plainHTTP)
		if err != nil {
			return nil, console.Misused(std.HintFor(err), "--hub: %w", err)
		}
		return address, nil
	}
	settings, err := remote.UserSettings()
	if err != nil {
		return nil, err
	}
	address, err := settings.Address(plainHTTP)
	switch {
	case errors.Is(err, remote.ErrNoHub) && c.Bool("dry-run"):
		return nil, nil
	case errors.Is(err, remote.ErrNoHub):
		return nil, console.Misused("name it: --hub https://hub.acme.example", "%s needs a hub", c.Command.Name)
	}
	return address, err
}

func publishName(c *cli.Context, root files.Root) (string, error) {
	name := c.String("repository")
	if name == "" {
		return remote.RepositoryName(c.Context, root)
	}
	if err := remote.CheckRepository(name); err != nil {
		return "", console.Usagef("--repository: %w", err)
	}
	return name, nil
}

// maxNamed is how many invalid files publish names.
const maxNamed = 20

// notPublished returns the error of a publication. It names the files of a remote.InvalidError on stderr.
func notPublished(std command.Streams, repository string, err error) error {
	invalid := new(remote.InvalidError)
	if !errors.As(err, &invalid) {
		return fmt.Errorf("publish %s: %w", repository, err)
	}
	for i, f := range invalid.Files {
		if i == maxNamed {
			console.Note(std.Err, "and %d more", len(invalid.Files)-i)
			break
		}
		console.Note(std.Err, "%s: %s", f.Path, f.Violation)
	}
	return fmt.Errorf("%w; no memory was sent", err)
}

// runsHub reports whether memctl hub is given a command of memctl-hub.
func runsHub(c *cli.Context) bool { return !asksHelp(c.Args().First()) }
