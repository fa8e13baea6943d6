package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"

	"memctl/cmd/console"
	"memctl/memdir"
	"memctl/remote"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func plainHTTPFlag() cli.Flag {
	return &cli.BoolFlag{Name: "plain-http",
		Usage: "allow a hub on another machine without TLS: others can read the token"}
}

// published is the answer of publish.
type published struct {
	Hub string `json:"hub,omitempty"`
	remote.Published
	remote.Summary
	DryRun bool `json:"dry_run"`
}

func runPublish(c *cli.Context, std streams) error {
	sequence := c.Int64("sequence")
	if sequence < 1 {
		return console.Misused(`in GitHub Actions: --sequence "$GITHUB_RUN_NUMBER"; in GitLab CI: --sequence "$CI_PIPELINE_IID"`,
			"publish needs --sequence, a number from 1 that grows with each run")
	}
	root, cfg, err := findConfigured(c, std)
	if err != nil {
		return err
	}
	warnOfProjectHub(std, root, cfg)
	address, err := publishAddress(c)
	if err != nil {
		return err
	}
	p, err := remote.ReadPublication(c.Context, root, cfg.Privacy.Filter(), c.String("commit"))
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
		client, err := remote.Connect(c.Context, address, version)
		if err != nil {
			return err
		}
		progress := console.Progress(std.Err, "publishing, bytes:")
		if progress != nil {
			console.Note(std.Err, "sending %s to %s", memories(len(p.Memories)), address)
		}
		if done.Published, err = client.Publish(c.Context, p.Publication, progress); err != nil {
			return fmt.Errorf("publish %s: %w", p.Repository, err)
		}
	}
	return printResult(c, std, done, printPublished)
}

// publishAddress returns the hub's address. A dry run needs none.
func publishAddress(c *cli.Context) (*url.URL, error) {
	plainHTTP := c.Bool("plain-http")
	if named := c.String("hub"); named != "" {
		address, err := remote.ParseAddress(named, plainHTTP)
		if err != nil {
			return nil, console.Misused(hintFor(err), "--hub: %w", err)
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
		return nil, console.Misused("name it: --hub https://hub.acme.example", "publish needs a hub")
	}
	return address, err
}

func publishName(c *cli.Context, root memdir.Root) (string, error) {
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

// notPublished names the files of a remote.InvalidError on stderr.
func notPublished(std streams, err error) error {
	invalid := new(remote.InvalidError)
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

func printPublished(out io.Writer, p published) {
	if p.DryRun {
		fmt.Fprintf(out, "would publish %s of %s at %.10s to %s\n", memories(p.Memories), p.Repository, p.Commit,
			cmp.Or(p.Hub, "a hub"))
		return
	}
	fmt.Fprintf(out, "published %s at %.10s: %d added, %d changed, %d removed, %d unchanged\n",
		text.Printable(p.Repository), p.Commit, p.Added, p.Changed, p.Removed, p.Unchanged)
}
