package main

import (
	"encoding/json"
	"fmt"

	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

// configured is the result of config set and unset.
type configured struct {
	Status string          `json:"status"`
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	Before json.RawMessage `json:"before"`
}

func runConfigSet(c *cli.Context, std streams, key, typed string) error {
	s, err := settingNamed(key)
	if err != nil {
		return err
	}
	value, err := s.Parse(typed)
	if err != nil {
		return &failure{err: err, hint: s.Description, code: exitFailed}
	}
	return configure(c, std, s, "set", func(data []byte) ([]byte, error) { return s.Set(data, value) })
}

func runConfigUnset(c *cli.Context, std streams, key string) error {
	s, err := settingNamed(key)
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
	done := configured{Status: status, Key: s.Key}
	err = w.Configure(c.Context, func(data []byte) ([]byte, error) {
		changed, err := change(data)
		if err == nil {
			done.Before, done.Value = valueIn(s, data), valueIn(s, changed)
		}
		return changed, err
	})
	switch {
	case err != nil:
		return err
	case c.Bool("json"):
		return writeJSON(std.Out, done)
	}
	fmt.Fprintf(std.Out, "%s: %s (was %s)\n", s.Key, shown(done.Value), shown(done.Before))
	return nil
}

// valueIn returns the value of a setting in the bytes of a configuration.
func valueIn(s schemas.Setting, data []byte) json.RawMessage {
	cfg, _ := schemas.DecodeConfig(data)
	return s.In(cfg)
}
