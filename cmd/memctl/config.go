package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"memctl/cmd/console"
	"memctl/features/meaning"
	"memctl/files"
	"memctl/schemas"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

func configCommand(std streams) *cli.Command {
	return group(newCommand(std, "config", inProject, runConfig),
		newCommand(std, "config list", inProject, runConfigList),
		newCommand(std, "config get", inProject, runConfigList),
		newCommand(std, "config set", mySettings, runConfigSet),
		newCommand(std, "config unset", mySettings, runConfigUnset),
		newCommand(std, "config preset", mySettings, runConfigPreset),
		newCommand(std, "config confirm", noAgent(store.OwnSettings, "confirm a setting").and(
			aPerson(store.OwnSettings, "confirm a setting", confirmQuestion).when("unless --withdraw", notWithdraw)),
			runConfigConfirm))
}

// usual are the settings that people change.
var usual = []string{"retrieval.enabled", "retrieval.max_inject", "retrieval.announce", "retrieval.start_tokens",
	"retrieval.hybrid.min_evidence", "moments.tools", "moments.ask", "triage.enabled", "auto_commit",
	"delete.grace_period_days", "privacy.excludePatterns", "observations.enabled"}

// runConfig prints the settings that people change, and those that are changed here.
func runConfig(c *cli.Context, std streams) error {
	if c.Bool("all") || c.Bool("json") {
		return runConfigList(c, std)
	}
	root, cfg, err := findConfigured(c, std)
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
	if err := say(std.Out, "usual settings", values); err != nil {
		return err
	}
	console.Note(std.Err,
		`%d more have their defaults: "memctl config --all"; what one is for: "memctl config get KEY --json"`, more)
	return nil
}

// runConfigList prints one setting, or all whose keys begin with the argument.
func runConfigList(c *cli.Context, std streams) error {
	part := ""
	if c.Command.Name == "get" {
		part = c.Args().First()
	}
	root, cfg, err := findConfigured(c, std)
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
		return printResult(c, std, value, "setting")
	}
	values := make([]schemas.SettingValue, 0, len(settings))
	for _, s := range settings {
		if part != "" || c.Bool("json") || len(s.Values()) != 1 { // those with one value cannot be changed
			values = append(values, settingIn(s, root, cfg))
		}
	}
	return printResult(c, std, values, "settings")
}

// settingIn returns a setting with its value in a root, and why that has no effect if it has none.
func settingIn(s schemas.Setting, root files.Root, cfg schemas.Config) schemas.SettingValue {
	value := s.In(cfg)
	value.NoEffect = s.NoEffect(cfg, root.Scope == files.UserScope)
	return value
}

func noteNoEffect(std streams, key, reason string) {
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

func runConfigSet(c *cli.Context, std streams) error {
	s, err := settingNamed(c.Args().First())
	if err != nil {
		return err
	}
	value, err := s.Parse(c.Args().Get(1))
	if err != nil {
		return &console.Failure{Err: err, Hint: s.Description(), Code: console.ExitFailed}
	}
	agreed := (s.Key == endpoint || s.Key == reranker) && inUsersSettings(c) && settingQuestion(c) != ""
	err = configure(c, std, s, "set", func(data []byte) ([]byte, error) { return s.Set(data, value) })
	if err != nil || !agreed {
		return err
	}
	cfg, err := files.UserConfig()
	if err != nil {
		return err
	}
	return meaning.Confirm(cfg.Meaning) // the person has just said so
}

func runConfigUnset(c *cli.Context, std streams) error {
	s, err := settingNamed(c.Args().First())
	if err != nil {
		return err
	}
	return configure(c, std, s, "unset", s.Unset)
}

func configure(c *cli.Context, std streams, s schemas.Setting, status string,
	change func(data []byte) ([]byte, error)) error {
	w, err := existingWriter(c, std)
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
	return printResult(c, std, done, "setting change")
}

// runConfigPreset sets the settings of a preset, all or none.
func runConfigPreset(c *cli.Context, std streams) error {
	name := c.Args().First()
	if !slices.Contains(schemas.Presets, name) {
		return console.Refused("give "+strings.Join(schemas.Presets, " or "), "there is no preset %q", name)
	}
	w, err := existingWriter(c, std)
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
	return printResult(c, std, changes, "setting changes")
}

func valueIn(s schemas.Setting, data []byte) json.RawMessage {
	cfg, _ := schemas.DecodeConfig(data)
	return s.In(cfg).Value
}

// The settings that count only once a person has confirmed them: asks in a project, endpoint with reranker.
const asks, endpoint, reranker = "moments.ask", "meaning.endpoint", "meaning.rerank"

type confirmed struct {
	Status string `json:"status"` // confirmed or withdrawn
	Key    string `json:"key"`
	Root   string `json:"root,omitempty"`
	Sends  string `json:"sends,omitempty"` // what memctl sends where, of endpoint
}

func runConfigConfirm(c *cli.Context, std streams) error {
	switch key := c.Args().First(); key {
	case asks:
	case endpoint:
		return confirmEndpoint(c, std)
	default:
		if _, err := settingNamed(key); err != nil {
			return err
		}
		return console.Refused("", "%s needs no confirmation: only %s and %s do", key, asks, endpoint)
	}
	root, cfg, err := findConfigured(c, std)
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
	return printResult(c, std, done, "confirmed")
}

// confirmEndpoint lets memctl send texts to the servers of the user's configuration, and says
// what it sends.
func confirmEndpoint(c *cli.Context, std streams) error {
	cfg, err := files.UserConfig()
	if err != nil {
		return err
	}
	done := confirmed{Status: "confirmed", Key: endpoint}
	switch {
	case c.Bool("withdraw"):
		done.Status = "withdrawn"
		var was bool
		if was, err = meaning.Withdraw(); err == nil && !was {
			err = console.Refused("", "%s is not confirmed", endpoint)
		}
	case cfg.Meaning.Endpoint == "":
		return console.Refused("set it first: memctl config set "+endpoint+" https://HOST --user", "%s is not set: "+
			"there is nothing to confirm",
			endpoint)
	default:
		done.Sends = meaning.Sent(cfg.Meaning)
		err = meaning.Confirm(cfg.Meaning)
	}
	if err != nil {
		return err
	}
	return printResult(c, std, done, "confirmed")
}
