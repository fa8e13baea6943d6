package main

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/features/meaning"
	"memctl/files"
	"memctl/schemas"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// askPerson asks on the terminal itself, because anything may be on stdin. It returns the refusal for what is not yes.
func askPerson(ctx context.Context, std streams, question string, refusal error) error {
	console.Unfiltered(std.Err) // nothing else is drawn there
	t, err := terminal()
	if err != nil {
		return console.Refused("run it in a terminal of your own", "only a person on a terminal may do this, and "+
			"there is none")
	}
	defer t.Close()
	d := &dialog{ctx, bufio.NewReader(t), t}
	answer, err := d.line(text.Printable(question) + "\n[y/N] ")
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || !isYes(answer, false) {
		return refusal
	}
	return nil
}

// settingQuestion asks about a setting of the user's that lifts a check or sends something away.
func settingQuestion(c *cli.Context) string {
	if c.Command.Name != "set" {
		return "" // a default lifts nothing
	}
	s, err := settingNamed(c.Args().First())
	if err != nil {
		return ""
	}
	value, err := s.Parse(c.Args().Get(1))
	if err != nil || string(value) == string(s.In(schemas.DefaultConfig()).Value) {
		return ""
	}
	shown := settingValue(value)
	switch section, _, _ := strings.Cut(s.Key, "."); {
	case s.Key == "sources.agent_all":
		return "This lets agents search the memories of all of your projects, and name any of them with --root. " +
			"Allow it?"
	case s.Key == "sources.roots":
		return "This gives every project the memories of " + shown + ". Allow it?"
	case s.Key == "hub.url":
		host := shown
		if u, err := url.Parse(shown); err == nil && u.Host != "" {
			host = u.Host
		}
		return "memctl then sends your hub token, and what is asked with --hub, to " + host + ". Allow it?"
	case s.Key == endpoint || s.Key == reranker:
		cfg, err := files.UserConfig()
		if err != nil {
			return ""
		}
		return meaning.Sent(withServer(cfg.Meaning, s.Key, shown)) + ". Allow it?"
	case slices.Contains([]string{"sources", "trust"}, section):
		return fmt.Sprintf("This sets %s to %s in your own settings, for all projects. Allow it?", s.Key, shown)
	}
	return ""
}

// withServer is a configuration with another address of a server.
func withServer(cfg schemas.MeaningConfig, key, address string) schemas.MeaningConfig {
	if key == reranker {
		cfg.Rerank = address
	} else {
		cfg.Endpoint = address
	}
	return cfg
}

func confirmQuestion(c *cli.Context) string {
	switch c.Args().First() {
	case asks:
		if root, cfg, err := findConfigured(c, streams{}); err == nil && cfg.Moments.Ask {
			return "Rules of the memories in " + root.Path + " then have your client ask you before a tool. Allow it?"
		}
	case endpoint:
		if cfg, err := files.UserConfig(); err == nil && cfg.Meaning.Endpoint != "" {
			return meaning.Sent(cfg.Meaning) + ". Allow it?"
		}
	}
	return ""
}

func rootsAddQuestion(c *cli.Context) string {
	path := c.Args().First()
	if path == "" {
		path = "."
	}
	root, err := files.At(path)
	if err != nil || c.Args().Len() > 1 {
		return ""
	}
	return "Searches of all projects, and sources.roots, then use the memories of " + filepath.ToSlash(root.Path) +
		". Allow it?"
}

func permissionsQuestion(c *cli.Context) string {
	if c.Bool("dry-run") || c.Bool("no-permissions") {
		return ""
	}
	return "Agents then run these without asking you: memctl " + strings.ReplaceAll(clients.AgentCommands, " ", ", ") +
		"; and the tools of memctl's server. Allow it?"
}

func forgetQuestion(c *cli.Context) string {
	what := "sessions that ended before " + c.String("older-than")
	switch ids := c.Args().Slice(); {
	case c.Bool("dry-run") || c.IsSet("older-than") == (len(ids) > 0):
		return ""
	case len(ids) > 0:
		what = strings.Join(ids, ", ")
	}
	return "memctl removes these from its database of sessions for good: " + what + ". Allow it?"
}
