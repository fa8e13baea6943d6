package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"memctl/cmd/command"
	"memctl/cmd/console"
	"memctl/files"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func configCommand(std command.Streams) *cli.Command {
	return command.Group(command.NewCommand(std, "config", command.InProject, runConfig),
		command.NewCommand(std, "config list", command.InProject, runConfigList),
		command.NewCommand(std, "config get", command.InProject, runConfigList),
		command.NewCommand(std, "config set", oneSetting, runConfigSet),
		command.NewCommand(std, "config unset", oneSetting, runConfigUnset),
		command.NewCommand(std, "config preset", mySettings, runConfigPreset),
		command.NewCommand(std, "config confirm", command.NoAgent(store.OwnSettings, "confirm a setting").And(
			command.APerson(store.OwnSettings, "confirm a setting", confirmQuestion).When("unless --withdraw",
				notWithdraw)),
			runConfigConfirm))
}

// usual are the settings that people change.
var usual = []string{"retrieval.enabled", "retrieval.max_inject", "retrieval.announce", "retrieval.start_tokens",
	"retrieval.hybrid.min_strength", "moments.tools", "moments.ask", "triage.enabled", "auto_commit",
	"delete.grace_period_days", "privacy.excludePatterns", "observations.enabled"}

// runConfig prints the settings that people change, and those that are changed here.
func runConfig(c *cli.Context, std command.Streams) error {
	if c.Bool("all") || c.Bool("json") {
		return runConfigList(c, std)
	}
	root, cfg, err := command.FindConfigured(c, std)
	if err != nil {
		return err
	}
	var values []schemas.SettingValue
	more := 0
	for _, s := range schemas.Settings() {
		value := settingIn(s, root, cfg)
		if slices.Contains(usual, s.Key) || value.Changed() {
			values = append(values, value)
		} else {
			more++
		}
	}
	if err := std.Say(std.Out, "usual settings", values); err != nil {
		return err
	}
	console.Note(std.Err,
		`%d others have their defaults: "memctl config --all"; what one is for: "memctl config get KEY --json"`, more)
	return nil
}

// runConfigList prints one setting, or all whose keys begin with the argument.
func runConfigList(c *cli.Context, std command.Streams) error {
	part := ""
	if c.Command.Name == "get" {
		part = c.Args().First()
	}
	root, cfg, err := command.FindConfigured(c, std)
	if err != nil {
		return err
	}
	settings, err := settingsBelow(part)
	if err != nil {
		return err
	}
	if len(settings) == 1 && settings[0].Key == part {
		value := settingIn(settings[0], root, cfg)
		noteNoEffect(std, part, value.NoEffect)
		return command.PrintResult(c, std, value, "setting")
	}
	values := make([]schemas.SettingValue, 0, len(settings))
	for _, s := range settings {
		if part != "" || c.Bool("json") || len(s.Values()) != 1 { // those with one value cannot be changed
			values = append(values, settingIn(s, root, cfg))
		}
	}
	return command.PrintResult(c, std, values, "settings")
}

// settingIn returns a setting with its value in a root, and why that has no effect if it has none.
func settingIn(s schemas.Setting, root files.Root, cfg schemas.Config) schemas.SettingValue {
	value := s.In(cfg)
	value.NoEffect = s.NoEffect(cfg, root.Scope == files.UserScope)
	return value
}

func noteNoEffect(std command.Streams, key, reason string) {
	if reason != "" {
		console.Note(std.Err, "%s has no effect here: %s", key, reason)
	}
}

// sectionOf names the section of a setting, "" for none.
func sectionOf(key string) string {
	name, _, below := strings.Cut(key, ".")
	switch {
	case !below:
		return ""
	case strings.HasPrefix(key, "triage.parallel."):
		return "triage.parallel, which only the skill of the Claude Code plugin reads"
	}
	return name
}

// settingsBelow returns the setting with the key part, or those in the section part.
// An empty part selects all settings.
func settingsBelow(part string) ([]schemas.Setting, error) {
	all := schemas.Settings()
	if part == "" {
		return all, nil
	}
	below := slices.DeleteFunc(schemas.Settings(), func(s schemas.Setting) bool {
		return s.Key != part && !strings.HasPrefix(s.Key, part+".")
	})
	if len(below) == 0 {
		return nil, noSetting(part, all)
	}
	return below, nil
}

func settingNamed(key string) (schemas.Setting, error) {
	found, err := settingsBelow(key)
	switch {
	case err != nil:
		return schemas.Setting{}, err
	case found[0].Key != key:
		return schemas.Setting{}, console.Refused("give the whole key: "+found[0].Key+text.AndMore(len(found)-1),
			"%s is a part of a key", key)
	}
	return found[0], nil
}

// noSetting is the error for an unknown key. Its hint names the key that was
// probably meant: one that ends with the given key, else the most similar one.
func noSetting(key string, all []schemas.Setting) error {
	keys := make([]string, len(all))
	for i, s := range all {
		keys[i] = s.Key
	}
	meant := text.Nearest(key, keys)
	if i := slices.IndexFunc(keys, func(k string) bool { return strings.HasSuffix(k, "."+key) }); i >= 0 {
		meant = keys[i]
	}
	hint := `run "memctl config" for the keys`
	if meant != "" {
		hint = "did you mean " + meant + "?"
	}
	return console.Refused(hint, "there is no setting %q", key)
}

// settingValue puts a value on one line, a string without its quotes.
func settingValue(value json.RawMessage) string {
	if s := schemas.String(value); s != "" {
		return text.Printable(s)
	}
	return string(text.EscapeJSON(value))
}

func runConfigSet(c *cli.Context, std command.Streams) error {
	s, err := settingNamed(c.Args().First())
	if err != nil {
		return err
	}
	value, err := s.Parse(c.Args().Get(1))
	if err != nil {
		return &console.Failure{Err: err, Hint: s.Description(), Code: console.ExitFailed}
	}
	_, confirmation := std.Confirmation(s.Key)
	agreed := confirmation != nil && inUsersSettings(c) && settingQuestion(c, std) != ""
	err = configure(c, std, s, "set", func(data []byte) ([]byte, error) { return s.Set(data, value) })
	if err != nil || !agreed {
		return err
	}
	cfg, err := files.UserConfig()
	if err != nil {
		return err
	}
	return confirmation.Confirm(cfg) // the person has just said so
}

func runConfigUnset(c *cli.Context, std command.Streams) error {
	s, err := settingNamed(c.Args().First())
	if err != nil {
		return err
	}
	return configure(c, std, s, "unset", s.Unset)
}

func configure(c *cli.Context, std command.Streams, s schemas.Setting, status string,
	change func(data []byte) ([]byte, error)) error {
	w, err := command.ExistingWriter(c, std)
	if err != nil {
		return err
	}
	done := schemas.SettingChange{Status: status, Key: s.Key, Initial: status == "unset" && s.Preset("new") != nil}
	err = w.Configure(c.Context, func(data []byte) ([]byte, error) {
		changed, err := change(data)
		if err == nil {
			cfg, _ := schemas.DecodeConfig(changed)
			set := settingIn(s, w.Root, cfg)
			done.Before, done.Value, done.NoEffect = valueIn(s, data), set.Value, set.NoEffect
		}
		return changed, err
	})
	if err != nil {
		return err
	}
	if status == "unset" {
		done.NoEffect = "" // whoever removes a setting does not wait for its effect
	}
	noteNoEffect(std, s.Key, done.NoEffect)
	if w.Root.Scope == files.UserScope && !s.IsUsers() && status == "set" {
		console.Note(std.Err, "projects have their own settings; this one applies only where your own memories are "+
			"used alone")
	}
	return command.PrintResult(c, std, done, "setting change")
}

// runConfigPreset sets the settings of a preset, all or none.
func runConfigPreset(c *cli.Context, std command.Streams) error {
	name := c.Args().First()
	if !slices.Contains(schemas.Presets, name) {
		return console.Refused("give "+strings.Join(schemas.Presets, " or "), "there is no preset %q", name)
	}
	w, err := command.ExistingWriter(c, std)
	if err != nil {
		return err
	}
	var changes []schemas.SettingChange
	err = w.Configure(c.Context, func(data []byte) ([]byte, error) {
		changes = []schemas.SettingChange{}
		for _, s := range schemas.Settings() {
			value, before := s.Preset(name), valueIn(s, data)
			if value == nil || string(value) == string(before) {
				continue
			}
			if data, err = s.Set(data, value); err != nil {
				return nil, err
			}
			changes = append(changes, schemas.SettingChange{Status: "set", Key: s.Key, Value: value, Before: before})
		}
		return data, nil
	})
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		console.Note(std.Err, "the settings already match %s", name)
	}
	return command.PrintResult(c, std, changes, "setting changes")
}

func valueIn(s schemas.Setting, data []byte) json.RawMessage {
	cfg, _ := schemas.DecodeConfig(data)
	return s.In(cfg).Value
}

// asks is the setting of a project that acts only once a person has confirmed it.
const asks = "moments.ask"

type confirmed struct {
	Status string `json:"status"` // confirmed or withdrawn
	Key    string `json:"key"`
	Root   string `json:"root,omitempty"`
	Sends  string `json:"sends,omitempty"` // what memctl sends where, of endpoint
}

func runConfigConfirm(c *cli.Context, std command.Streams) error {
	key := c.Args().First()
	if about, confirmation := std.Confirmation(key); about == key && confirmation != nil {
		return confirmUsers(c, std, key, confirmation)
	}
	if key != asks {
		if _, err := settingNamed(key); err != nil {
			return err
		}
		return console.Refused("", "%s needs no confirmation: only %s do", key, strings.Join(confirmable(std), " and "))
	}
	root, cfg, err := command.FindConfigured(c, std)
	if err != nil {
		return err
	}
	done := confirmed{Status: "confirmed", Key: asks, Root: filepath.ToSlash(root.Path)}
	switch {
	case c.Bool("withdraw"):
		done.Status = "withdrawn"
		var was bool
		if was, err = store.Withdraw(root); err == nil && !was {
			err = console.Refused("", "%s is not confirmed for %s", asks, text.Printable(done.Root))
		}
	case !cfg.Moments.Ask:
		return console.Refused("switch it on first: memctl config set "+asks+" true", "%s is false in %s: there is "+
			"nothing to confirm",
			asks, text.Printable(done.Root))
	default:
		err = store.Confirm(root)
	}
	if err != nil {
		return err
	}
	return command.PrintResult(c, std, done, "confirmed")
}

// confirmUsers confirms a setting of the user's configuration, and says what memctl sends where because of it.
func confirmUsers(c *cli.Context, std command.Streams, key string, confirmation *command.Confirmation) error {
	cfg, err := files.UserConfig()
	if err != nil {
		return err
	}
	done := confirmed{Status: "confirmed", Key: key}
	switch {
	case c.Bool("withdraw"):
		done.Status = "withdrawn"
		var was bool
		if was, err = confirmation.Withdraw(); err == nil && !was {
			err = console.Refused("", "%s is not confirmed", key)
		}
	case confirmation.Sends(cfg) == "":
		return console.Refused("set it first: memctl config set "+key+" https://HOST --user", "%s is not set: "+
			"there is nothing to confirm", key)
	default:
		done.Sends = confirmation.Sends(cfg)
		err = confirmation.Confirm(cfg)
	}
	if err != nil {
		return err
	}
	return command.PrintResult(c, std, done, "confirmed")
}

// confirmable lists the settings that act only once a person has confirmed them.
func confirmable(std command.Streams) []string {
	keys := []string{asks}
	for _, f := range std.Features {
		keys = append(keys, slices.Sorted(maps.Keys(f.Confirmations))...)
	}
	return keys
}
