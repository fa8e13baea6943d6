package main

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"memctl/cmd/console"
	"memctl/features/hub/remote"
	"memctl/hub"

	"github.com/urfave/cli/v2"
)

// operate does an operation: on the hub that --hub names, else on the database.
func operate[Q, A any](c *cli.Context, o hub.Operation[Q, A], q Q) (answer A, err error) {
	client, err := administered(c)
	switch {
	case err != nil:
		return answer, err
	case client != nil:
		return o.Ask(c.Context, client, q)
	}
	err = useStore(c, hub.Options{}, func(store *hub.Store) (err error) {
		answer, err = o.Do(store, c.Context, q)
		return err
	})
	return answer, err
}

// runList prints the list that an operation returns.
func runList[T any](
	list hub.Operation[struct{}, []T], none string, heads []string, row func(T) []string,
) action {
	return func(c *cli.Context, std streams) error {
		found, err := operate(c, list, struct{}{})
		if err != nil {
			return err
		}
		return printTable(c, std, found, none, heads, row)
	}
}

// administered returns a client of the hub that --hub names, nil for none.
func administered(c *cli.Context) (*remote.Client, error) {
	if !c.IsSet("hub") {
		return nil, nil
	}
	address, err := remote.ParseAddress(c.String("hub"), false)
	if err != nil {
		return nil, console.Usagef("--hub: %w", err)
	}
	return remote.Connect(c.Context, address, console.Version)
}

func adminCommand(std streams) *cli.Command {
	return group(
		newCommand(std, "admin", unknownSubcommand),
		newCommand(std, "admin add",
			runAdmin((*hub.Store).AddAdministrator, "this is an administrator already", noteTokens)),
		newCommand(std, "admin remove",
			runAdmin((*hub.Store).RemoveAdministrator, "there is no such administrator", nil)),
		newCommand(std, "admin list", runList(hub.ListAdministrators,
			`no administrators: "memctl-hub admin add" makes one`, []string{"PRINCIPAL", "SINCE"},
			func(a hub.Administrator) []string { return []string{a.Principal, day(a.AddedAt)} })),
	)
}

// noteTokens says which tokens administer the hub from now on: somebody else may have made them before.
func noteTokens(c *cli.Context, std streams, store *hub.Store, principal string) error {
	tokens, err := store.Tokens(c.Context)
	var ids []string
	for _, t := range tokens {
		kind, name, _ := strings.Cut(principal, ":")
		own := kind == "user" && t.Person == name || kind == "group" && slices.Contains(t.Groups, name)
		if own && t.State(time.Now()) == "valid" {
			ids = append(ids, strconv.Itoa(int(t.ID)))
		}
	}
	if len(ids) > 0 {
		console.Note(std.Err, "the ids of tokens that administer the hub now, whoever made them: %s",
			strings.Join(ids, ", "))
	}
	return err
}

// runAdmin adds or removes an administrator.
func runAdmin(
	change func(*hub.Store, context.Context, string) ([]hub.Administrator, error), unchanged string,
	then func(*cli.Context, streams, *hub.Store, string) error,
) action {
	return func(c *cli.Context, std streams) error {
		if err := arguments(c, "a principal", 1); err != nil {
			return err
		}
		return useStore(c, hub.Options{}, func(store *hub.Store) error {
			changed, err := change(store, c.Context, c.Args().First())
			if err == nil && len(changed) == 0 {
				err = console.Refused(`run "memctl-hub admin list"`, "%s", unchanged)
			}
			if err == nil && then != nil {
				err = then(c, std, store, c.Args().First())
			}
			if err != nil || !c.Bool("json") {
				return err
			}
			return console.WriteJSON(std.Out, changed)
		})
	}
}
