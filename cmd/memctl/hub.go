package main

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"memctl/cmd/console"
	"memctl/features/hub"
	"memctl/files"
	"memctl/retrieve"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
	"golang.org/x/oauth2"
)

// userHub returns the hub of the user's own configuration. It warns of one that the
// project's configuration names.
func userHub(c *cli.Context, std streams) (hub.Settings, *url.URL, error) {
	if root, err := findRoot(c); err == nil {
		if cfg, _, err := root.Config(); err == nil {
			warnOfProjectHub(std, root, cfg)
		}
	}
	settings, err := hub.UserSettings()
	if err != nil {
		return settings, nil, err
	}
	address, err := settings.Address(c.Bool("plain-http"))
	return settings, address, err
}

func warnOfProjectHub(std streams, root files.Root, cfg schemas.Config) {
	if warning := hub.Ignored(root, cfg); warning != "" {
		console.Warning(std.Err, "%s", warning)
	}
}

func checkHubSearch(c *cli.Context) error {
	if err := excludes(c, "hub", "all", "batch", "smart", "budget", "status", "include-retired", "tag"); err != nil {
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
	Results []hub.Result `json:"results"`
	Error   string       `json:"error,omitempty"`
	Host    string       `json:"-"`
}

// printFound has no table for what the hub found: it would cut the ids, which "memctl show --hub" takes whole.
func printFound(s console.Screen, f foundOnHub) error {
	var err error
	if len(f.Local) > 0 {
		err = say(s, "found", f.Local)
	}
	if len(f.Hub.Results) == 0 || err != nil {
		return err
	}
	if len(f.Local) > 0 {
		fmt.Fprintln(s)
	}
	return say(s, "hub results", f.Hub)
}

// searchHub searches the project and the hub at the same time.
func searchHub(c *cli.Context, std streams, words string, f retrieve.Filter) error {
	settings, address, err := userHub(c, std)
	if err != nil {
		return err
	}
	q := hub.Query{Query: words, Limit: min(f.Limit, hub.MaxResults)}
	if len(f.Categories) > 0 {
		q.Category = string(f.Categories[0])
	}
	answer := hub.Ask(c.Context, address, settings.Timeout, version, q)
	local, err := searchLocally(c, std, words, f)
	if err != nil {
		return err
	}
	got := <-answer
	if c.Context.Err() != nil {
		return c.Context.Err()
	}
	found := foundOnHub{Local: notNil(local), Hub: hubAnswer{URL: address.String(), Results: notNil(got.Results)}}
	if got.Err != nil {
		found.Hub.Error = text.Printable(got.Err.Error())
	}
	found.Hub.Host = address.Host
	if err := printParts(c, std, found, printFound); err != nil {
		return err
	}
	switch {
	case got.Err != nil:
		hint := hintFor(got.Err)
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
func searchLocally(c *cli.Context, std streams, words string, f retrieve.Filter) ([]retrieve.IndexEntry, error) {
	a, err := findAsker(c, std)
	if errors.Is(err, files.ErrNoRoot) && !places(c).Named() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return readRows(c.Context, a, words, f)
}

func showHub(c *cli.Context, std streams, ids []string) error {
	if err := excludes(c, "hub", "user", "scope", "details"); err != nil {
		return err
	}
	if i := slices.IndexFunc(ids, func(id string) bool { return !hub.IsID(id) }); i >= 0 {
		return console.Usagef("--hub: expected an id such as github.com/acme/payments:decisions/jwt-key-rotation, "+
			"got %q", ids[i])
	}
	if len(ids) > hub.MaxIDs {
		return console.Usagef("--hub takes at most %d ids, got %d", hub.MaxIDs, len(ids))
	}
	_, address, err := userHub(c, std)
	if err != nil {
		return err
	}
	details, err := hub.Fetch(c.Context, address, version, ids)
	if err != nil {
		return err
	}
	return printParts(c, std, details, func(s console.Screen, details []hub.Detail) error {
		return eachApart(s, details, func(d hub.Detail) error {
			m, err := schemas.Decode(d.Memory)
			if err != nil {
				return fmt.Errorf("%s: %w", text.Printable(d.ID), err)
			}
			m.Complete(schemas.Category(d.Category), d.Title)
			return printMemory(s, d.ID, m, d.Memory, hubSource(d.Source), c.Bool("full"))
		})
	})
}

func hubSource(source hub.Source) string {
	return fmt.Sprintf("commit %s, published %s", text.Printable(text.Truncate(source.Commit, shortCommit)),
		source.PublishedAt.UTC().Format("2006-01-02 15:04"))
}

const hubProgram = "memctl-hub"

func hubCommand(std streams) *cli.Command {
	cmd := newCommand(std, "hub", onlyTells.and(noAgent(store.Network, "run a hub").when("with a command", runsHub)),
		runHub)
	cmd.SkipFlagParsing = true
	cmd.Subcommands = []*cli.Command{newCommand(std, "hub publish", noAgent(store.Network, "publish to a hub"),
		runPublish,
		hubFlag("publish to"),
		&cli.Int64Flag{Name: "sequence", Usage: "the number `N` of this run; must increase with each run",
			DefaultText: "none; it must be given"},
		&cli.StringFlag{Name: "commit", Usage: "publish the memories of commit `SHA`", Value: "HEAD"},
		&cli.StringFlag{Name: "repository", Usage: "publish under `NAME`, such as github.com/acme/payments",
			DefaultText: `that of git's remote "origin"`}),
		newCommand(std, "hub login", noAgent(store.Network, "sign in to a hub"), runLogin, hubFlag("sign in to"),
			&cli.StringFlag{Name: "issuer", Usage: "sign in at the identity provider `URL`",
				DefaultText: "the one that the hub has"}),
		newCommand(std, "hub logout", noAgent(store.Network, "sign out of a hub"), runLogout,
			hubFlag("forget your sign-in at")),
	}
	return cmd
}

func hubFlag(what string) cli.Flag {
	return &cli.StringFlag{Name: "hub", Usage: what + " the hub at `URL`", DefaultText: "hub.url of your own " +
		"configuration"}
}

func runLogin(c *cli.Context, std streams) error {
	address, err := namedHub(c)
	if err != nil {
		return err
	}
	ends, err := hub.Login(c.Context, address, c.String("issuer"), version, func(d *oauth2.DeviceAuthResponse) {
		console.Note(std.Err, "open %s and enter the code %s", text.Printable(d.VerificationURI),
			text.Printable(d.UserCode))
		if d.VerificationURIComplete != "" {
			console.Note(std.Err, "or open %s", text.Printable(d.VerificationURIComplete))
		}
	})
	if err != nil {
		return err
	}
	console.Note(std.Err, "signed in to %s; the token holds until %s and is refreshed if the provider lets it",
		address.Host,
		ends.UTC().Format("2006-01-02 15:04"))
	return nil
}

func runLogout(c *cli.Context, std streams) error {
	address, err := namedHub(c)
	if err != nil {
		return err
	}
	was, err := hub.Logout(address)
	if err == nil && !was {
		console.Note(std.Err, "you were not signed in to %s", address.Host)
	}
	return err
}

func runHub(c *cli.Context, std streams) error {
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
		if found, err := exec.LookPath(filepath.Join(filepath.Dir(self), hubProgram)); err == nil {
			return found, nil
		}
	}
	if found, err := exec.LookPath(hubProgram); err == nil {
		return found, nil
	}
	return "", console.Refused("put it next to memctl or on your PATH: it is in the release, and \"make hub\" makes it",
		"the program memctl-hub is not installed")
}

type published struct {
	Hub string `json:"hub,omitempty"`
	hub.Published
	hub.Summary
	DryRun bool `json:"dry_run"`
}

func runPublish(c *cli.Context, std streams) error {
	sequence := c.Int64("sequence")
	if sequence < 1 && (c.IsSet("sequence") || !c.Bool("dry-run")) {
		return console.Misused(`in GitHub Actions: --sequence "$GITHUB_RUN_NUMBER"; `+
			`in GitLab CI: --sequence "$CI_PIPELINE_IID"`,
			"publish needs --sequence, a number from 1 that grows with each run")
	}
	root, cfg, err := findConfigured(c, std)
	if err != nil {
		return err
	}
	warnOfProjectHub(std, root, cfg)
	address, err := namedHub(c)
	if err != nil {
		return err
	}
	p, err := hub.ReadPublication(c.Context, root, cfg.Privacy.Filter(), c.String("commit"))
	if err != nil {
		return notPublished(std, err)
	}
	p.Sequence = sequence
	if p.Repository, err = publishName(c, root); err != nil {
		return err
	}
	if removed := p.Withheld.String(); removed != "" {
		console.Note(std.Err, "removed before sending: %s", removed)
	}
	if len(p.Memories) == 0 {
		console.Warning(std.Err, "commit %.10s has no memories: the hub forgets those that it has of the repository",
			p.Commit)
	}
	done := published{Summary: p.Summary(), DryRun: c.Bool("dry-run")}
	done.Repository = p.Repository
	if address != nil {
		done.Hub = address.String()
	}
	if !done.DryRun {
		client, err := hub.Connect(c.Context, address, version)
		if err != nil {
			return err
		}
		progress := hub.PublishProgress{Sent: console.Progress(std.Err, "publishing, bytes:"),
			Written: console.Progress(std.Err, "the hub writes it, percent:")}
		if progress.Sent != nil {
			console.Note(std.Err, "sending %s to %s", memories(len(p.Memories)), address)
		}
		if done.Published, err = client.Publish(c.Context, p.Publication, progress); err != nil {
			if going := new(hub.Accepted); errors.As(err, &going) && c.Context.Err() != nil { // Ctrl-C
				console.Note(std.Err, "the hub goes on with the publication; %s", going.Hint())
			}
			return fmt.Errorf("publish %s: %w", p.Repository, err)
		}
	}
	return printResult(c, std, done, "published")
}

// namedHub returns the address of the hub that --hub names, else of the user's. A dry run needs none.
func namedHub(c *cli.Context) (*url.URL, error) {
	plainHTTP := c.Bool("plain-http")
	if named := c.String("hub"); named != "" {
		address, err := hub.ParseAddress(named, plainHTTP)
		if err != nil {
			return nil, console.Misused(hintFor(err), "--hub: %w", err)
		}
		return address, nil
	}
	settings, err := hub.UserSettings()
	if err != nil {
		return nil, err
	}
	address, err := settings.Address(plainHTTP)
	switch {
	case errors.Is(err, hub.ErrNoHub) && c.Bool("dry-run"):
		return nil, nil
	case errors.Is(err, hub.ErrNoHub):
		return nil, console.Misused("name it: --hub https://hub.acme.example", "%s needs a hub", c.Command.Name)
	}
	return address, err
}

func publishName(c *cli.Context, root files.Root) (string, error) {
	name := c.String("repository")
	if name == "" {
		return hub.RepositoryName(c.Context, root)
	}
	if err := hub.CheckRepository(name); err != nil {
		return "", console.Usagef("--repository: %w", err)
	}
	return name, nil
}

// maxNamed is how many invalid files publish names.
const maxNamed = 20

// notPublished names the files of a hub.InvalidError on stderr.
func notPublished(std streams, err error) error {
	invalid := new(hub.InvalidError)
	if !errors.As(err, &invalid) {
		return err
	}
	for i, f := range invalid.Files {
		if i == maxNamed {
			console.Note(std.Err, "and %d more", len(invalid.Files)-i)
			break
		}
		console.Note(std.Err, "%s: %s", f.Path, f.Violation)
	}
	return fmt.Errorf("%w; nothing was sent", err)
}
