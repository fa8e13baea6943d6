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

// runList prints the list that an operation returns: as JSON with --json, else as a table. It notes what an empty one
// means.
func runList[T any](op hub.Operation[struct{}, []T], none string, heads []string, row func(T) []string) cli.ActionFunc {
	return func(c *cli.Context) error {
		found, err := operate(c, op, struct{}{})
		if err != nil {
			return err
		}
		if c.Bool("json") {
			return console.WriteJSON(c.App.Writer, append([]T{}, found...)) // never null
		}
		if len(found) == 0 {
			console.Note(c.App.ErrWriter, "%s", none)
		}
		rows := make([][]string, len(found))
		for i, element := range found {
			rows[i] = row(element)
		}
		console.Rows(screenOf(c.App.Writer), heads, rows)
		return nil
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

func adminCommand() *cli.Command {
	return group(
		newCommand("admin", unknownSubcommand),
		newCommand("admin add",
			runAdmin((*hub.Store).AddAdministrator, "this is an administrator already", noteTokens)),
		newCommand("admin remove",
			runAdmin((*hub.Store).RemoveAdministrator, "there is no such administrator", nil)),
		newCommand("admin list", runList(hub.ListAdministrators,
			`no administrators: "memctl-hub admin add" makes one`, []string{"PRINCIPAL", "SINCE"},
			func(a hub.Administrator) []string { return []string{a.Principal, day(a.AddedAt)} })),
	)
}

// noteTokens says which tokens administer the hub from now on: somebody else may have made them before.
func noteTokens(c *cli.Context, store *hub.Store, principal string) error {
	tokens, err := hub.ListTokens.Do(store, c.Context, struct{}{})
	var ids []string
	for _, t := range tokens {
		kind, name, _ := strings.Cut(principal, ":")
		own := kind == "user" && t.Person == name || kind == "group" && slices.Contains(t.Groups, name)
		if own && t.State(time.Now()) == "valid" {
			ids = append(ids, strconv.Itoa(int(t.ID)))
		}
	}
	if len(ids) > 0 {
		console.Note(c.App.ErrWriter, "the ids of tokens that administer the hub now, whoever made them: %s",
			strings.Join(ids, ", "))
	}
	return err
}

// runAdmin adds or removes an administrator.
func runAdmin(
	change func(*hub.Store, context.Context, string) ([]hub.Administrator, error), unchanged string,
	then func(*cli.Context, *hub.Store, string) error,
) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := arguments(c, "a principal", 1); err != nil {
			return err
		}
		return useStore(c, hub.Options{}, func(store *hub.Store) error {
			changed, err := change(store, c.Context, c.Args().First())
			if err == nil && len(changed) == 0 {
				err = console.Refused(`run "memctl-hub admin list"`, "%s", unchanged)
			}
			if err == nil && then != nil {
				err = then(c, store, c.Args().First())
			}
			if err != nil || !c.Bool("json") {
				return err
			}
			return console.WriteJSON(c.App.Writer, changed)
		})
	}
}
