package main

import (
	"fmt"
	"slices"
	"strings"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/files/trust"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// trusted is the answer of trust.
type trusted struct {
	Seen   int    `json:"seen"`
	Team   string `json:"team,omitempty"`
	DryRun bool   `json:"dry_run,omitempty"`
}

func runTrust(c *cli.Context, std command.Streams) error {
	s, err := command.OpenStore(c, std)
	if err != nil {
		return err
	}
	root, err := s.Root()
	if err != nil {
		return err
	}
	if cfg, err := s.Config(root); err == nil && len(cfg.Trust.Team) > 0 && !files.IsUsers(root) {
		console.Warning(std.Err, "trust.team in the project's configuration is ignored: only your own applies")
	}
	if c.Bool("team") {
		return trustTeam(c, std, root)
	}
	list, err := s.NewMemories(c.Context, root)
	if err == nil && c.Args().Present() {
		list, err = namedAmong(c, s, root, list)
	}
	if err != nil {
		return err
	}
	lists := onlyLists(c)
	if command.NoteNone(c, std, len(list), "no memory is new to you here"); len(list) == 0 && !lists {
		return nil
	}
	if err := command.PrintPaged(c, std, command.NotNil(list), "new memories"); err != nil || lists {
		return err
	}
	these := command.Choose(len(list) == 1, "this memory", fmt.Sprintf("these %d memories", len(list)))
	refusal := console.Refused("", "still new: nothing was changed")
	if err := command.AskPerson(c.Context, std, "Have you seen "+these+"?", refusal); err != nil {
		return err
	}
	contents := make([]string, len(list))
	for i, m := range list {
		contents[i] = m.Content
	}
	if err := trust.Add(contents...); err != nil {
		return err
	}
	return command.PrintResult(c, std, trusted{Seen: len(list)}, "trusted")
}

// onlyLists reports whether trust is asked for its list and nothing is to be answered.
func onlyLists(c *cli.Context) bool { return c.Bool("dry-run") || c.Bool("json") }

// namedAmong returns the new memories that the arguments name.
func namedAmong(c *cli.Context, s *store.Store, root files.Root,
	list []store.NewMemory) (some []store.NewMemory, err error) {
	for _, name := range c.Args().Slice() {
		full, err := command.FullName(c.Context, s, name)
		if err != nil {
			return nil, err
		}
		below, err := root.Below(full)
		isIt := func(m store.NewMemory) bool {
			return err == nil && m.Path == root.ShownPath(below) ||
				strings.HasSuffix(m.Path, "/"+strings.TrimSuffix(name, ".json")+".json")
		}
		i := slices.IndexFunc(list, isIt)
		if i < 0 {
			return nil, console.Refused(`"memctl trust --dry-run" lists those that are`,
				"%s is not among the memories that are new to you", text.Brief(name))
		}
		some = append(some, list[i])
	}
	return some, nil
}

// trustTeam adds the remote of the project's repository to trust.team of the user's settings.
func trustTeam(c *cli.Context, std command.Streams, root files.Root) error {
	name := store.TeamOf(root)
	switch {
	case c.Args().Present():
		return console.Usagef("--team is about all memories: name no memory")
	case name == "":
		return console.Refused("memctl trust answers for the memories as they are now",
			"this project has no git remote")
	}
	done := trusted{Team: name, DryRun: onlyLists(c)}
	if done.DryRun {
		return command.PrintResult(c, std, done, "trusted")
	}
	w, err := command.ScopedStore(c, std, files.UserScope).ExistingWriter()
	if err != nil {
		return err
	}
	question := "Trust all memories in " + text.Printable(name) + " from now on, whoever writes them?"
	refusal := console.Refused("", "not trusted: nothing was changed")
	if err := command.AskPerson(c.Context, std, question, refusal); err != nil {
		return err
	}
	setting, err := settingNamed("trust.team")
	if err != nil {
		return err
	}
	err = w.Configure(c.Context, func(data []byte) ([]byte, error) {
		cfg, _ := schemas.DecodeConfig(data)
		team := cfg.Trust.Team
		if !slices.Contains(team, name) {
			team = append(team, name)
		}
		value, err := schemas.EncodeJSON(team)
		if err != nil {
			return nil, err
		}
		return setting.Set(data, value)
	})
	if err != nil {
		return err
	}
	return command.PrintResult(c, std, done, "trusted")
}
