package main

import (
	"encoding/json"

	"memctl/cmd/console"
	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

func runConfigSet(c *cli.Context, std streams) error {
	if err := arguments(c, "KEY", "VALUE"); err != nil {
		return err
	}
	s, err := settingNamed(c.Args().First())
	if err != nil {
		return err
	}
	value, err := s.Parse(c.Args().Get(1))
	if err != nil {
		return &console.Failure{Err: err, Hint: s.Description, Code: console.ExitFailed}
	}
	return configure(c, std, s, "set", func(data []byte) ([]byte, error) { return s.Set(data, value) })
}

func runConfigUnset(c *cli.Context, std streams) error {
	if err := arguments(c, "KEY"); err != nil {
		return err
	}
	s, err := settingNamed(c.Args().First())
	if err != nil {
		return err
	}
	return configure(c, std, s, "unset", s.Unset)
}

// configure changes the file and prints the new value.
func configure(c *cli.Context, std streams, s schemas.Setting, status string, change func(data []byte) ([]byte, error)) error {
	w, err := existingWriter(c, std)
	if err != nil {
		return err
	}
	done := schemas.SettingChange{Status: status, Key: s.Key}
	err = w.Configure(c.Context, func(data []byte) ([]byte, error) {
		changed, err := change(data)
		if err == nil {
			done.Before, done.Value = valueIn(s, data), valueIn(s, changed)
		}
		return changed, err
	})
	if err != nil {
		return err
	}
	return printResult(c, std, done, printSettingChange)
}

// valueIn returns the value of a setting in the bytes of a configuration.
func valueIn(s schemas.Setting, data []byte) json.RawMessage {
	cfg, _ := schemas.DecodeConfig(data)
	return s.In(cfg).Value
}
