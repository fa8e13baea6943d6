package main

import (
	"fmt"
	"io"
	"path/filepath"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// asks is the setting that counts only once a person has confirmed it.
const asks = "moments.ask"

// confirmed is the answer of config confirm.
type confirmed struct {
	Status string `json:"status"` // confirmed or withdrawn
	Key    string `json:"key"`
	Root   string `json:"root"`
}

func runConfigConfirm(c *cli.Context, std streams) error {
	if err := arguments(c, "KEY"); err != nil {
		return err
	}
	if clients.InAgentShell() {
		return console.Refused("run it in a shell of your own", "agents may not confirm a setting: a person decides it")
	}
	if key := c.Args().First(); key != asks {
		if _, err := settingNamed(key); err != nil {
			return err
		}
		return console.Refused("", "%s needs no confirmation: only %s does", key, asks)
	}
	root, cfg, err := findConfigured(c, std)
	if err != nil {
		return err
	}
	done := confirmed{"confirmed", asks, filepath.ToSlash(root.Path)}
	switch {
	case c.Bool("withdraw"):
		done.Status = "withdrawn"
		var was bool
		if was, err = store.Withdraw(root); err == nil && !was {
			err = console.Refused("", "%s is not confirmed for %s", asks, text.Printable(done.Root))
		}
	case !cfg.Moments.Ask:
		return console.Refused("switch it on first: memctl config set "+asks+" true", "%s is false in %s: there is nothing to confirm",
			asks, text.Printable(done.Root))
	default:
		err = store.Confirm(root)
	}
	if err != nil {
		return err
	}
	return printResult(c, std, done, func(out io.Writer, d confirmed) {
		fmt.Fprintf(out, "%s: %s for %s\n", d.Key, d.Status, text.Printable(d.Root))
	})
}
