package main

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"memctl/cmd/command"
	"memctl/files"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

// settingQuestion asks about a setting of the user's that lifts a check or sends something away.
func settingQuestion(c *cli.Context, std command.Streams) string {
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
	if _, confirmation := std.Confirmation(s.Key); confirmation != nil {
		return questionOfUsers(s, value, confirmation)
	}
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
	case slices.Contains([]string{"sources", "trust"}, section):
		return fmt.Sprintf("This sets %s to %s in your own settings, for all projects. Allow it?", s.Key, shown)
	}
	return ""
}

// questionOfUsers asks about a new value of a setting that a feature has confirmed.
func questionOfUsers(s schemas.Setting, value json.RawMessage, confirmation *command.Confirmation) string {
	root, found, err := files.UserRoot()
	if err != nil || !found {
		return ""
	}
	data, err := root.ReadConfig()
	if err == nil {
		data, err = s.Set(data, value)
	}
	if err != nil {
		return ""
	}
	cfg, _ := schemas.DecodeConfig(data)
	return confirmation.Sends(cfg) + ". Allow it?"
}

func confirmQuestion(c *cli.Context, std command.Streams) string {
	key := c.Args().First()
	if about, confirmation := std.Confirmation(key); about == key && confirmation != nil {
		if cfg, err := files.UserConfig(); err == nil && confirmation.Sends(cfg) != "" {
			return confirmation.Sends(cfg) + ". Allow it?"
		}
	}
	if root, cfg, err := command.FindConfigured(c, std); key == asks && err == nil && cfg.Moments.Ask {
		return "Rules of the memories in " + root.Path + " then have your client ask you before a tool. Allow it?"
	}
	return ""
}
