package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"memctl/schemas"

	"github.com/urfave/cli/v2"
)

// configured is the answer of config set and unset.
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

// configure changes the file and says what holds now.
func configure(c *cli.Context, std streams, s schemas.Setting, status string, change func(data []byte) ([]byte, error)) error {
	w, err := existingWriter(c, std)
	if err != nil {
		return err
	}
	done := configured{Status: status, Key: s.Key}
	err = w.Configure(c.Context, func(data []byte) ([]byte, error) {
		changed, err := change(data)
		if err == nil {
			done.Before, done.Value, err = held(s, data, changed)
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

// held says what a setting was and is in two states of the file.
func held(s schemas.Setting, before, after []byte) (was, is json.RawMessage, err error) {
	old, _ := schemas.DecodeConfig(before)
	changed, _ := schemas.DecodeConfig(after)
	was, errWas := s.In(old)
	is, errIs := s.In(changed)
	return was, is, errors.Join(errWas, errIs)
}
