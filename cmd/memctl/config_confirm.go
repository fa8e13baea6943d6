package main

import (
	"fmt"
	"io"
	"path/filepath"

	"memctl/clients"
	"memctl/cmd/console"
	"memctl/meaning"
	"memctl/memdir"
	"memctl/store"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// The settings that count only once a person has confirmed them: asks in a project, endpoint
// if it leads to another machine.
const asks, endpoint = "moments.ask", "meaning.endpoint"

// confirmed is the answer of config confirm.
type confirmed struct {
	Status string `json:"status"` // confirmed or withdrawn
	Key    string `json:"key"`
	Root   string `json:"root,omitempty"`
	Sends  string `json:"sends,omitempty"` // what memctl sends where, of endpoint
}

func runConfigConfirm(c *cli.Context, std streams) error {
	if err := arguments(c, "KEY"); err != nil {
		return err
	}
	if clients.InAgentShell() {
		return console.Refused("run it in a shell of your own", "agents may not confirm a setting: a person decides it")
	}
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

// confirmEndpoint lets memctl send texts to the servers of the user's configuration, and says
// what it sends.
func confirmEndpoint(c *cli.Context, std streams) error {
	cfg, err := memdir.UserConfig()
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
		return console.Refused("set it first: memctl config set "+endpoint+" https://HOST --user", "%s is not set: there is nothing to confirm",
			endpoint)
	default:
		done.Sends = meaning.Sent(cfg.Meaning)
		err = meaning.Confirm(cfg.Meaning)
	}
	if err != nil {
		return err
	}
	return printResult(c, std, done, func(out io.Writer, d confirmed) {
		fmt.Fprintf(out, "%s: %s\n", d.Key, d.Status)
		if d.Sends != "" {
			fmt.Fprintln(out, d.Sends)
		}
	})
}
