package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"memctl/cmd/console"
	"memctl/hub"
	"memctl/text"

	"github.com/urfave/cli/v2"
)

// maxDays is the longest life of a token that ends.
const maxDays = 3650

func tokenCommand(std streams) *cli.Command {
	return group(
		newCommand(std, "token", unknownSubcommand, dsnFlag(), jsonFlag()),
		newCommand(std, "token create", runTokenCreate, dsnFlag(), hubFlag(), jsonFlag(),
			&cli.StringFlag{Name: "user", Usage: "it is for the person, or the program, `NAME`"},
			&cli.StringSliceFlag{Name: "group", Usage: "who is in the group `NAME`; may be repeated"},
			&cli.IntFlag{Name: "days", Value: 90, Usage: "it holds for `N` days; 0 for ever"},
		),
		newCommand(std, "token list", runList(hub.ListTokens, `no tokens: "memctl-hub token create" makes one`,
			[]string{"ID", "USER", "STATE", "EXPIRES", "CREATED", "GROUPS"}, tokenRow),
			dsnFlag(), hubFlag(), jsonFlag()),
		newCommand(std, "token revoke", runTokenRevoke, dsnFlag(), hubFlag(), jsonFlag(),
			&cli.StringFlag{Name: "user", Usage: "revoke all tokens of `NAME`, and refuse those of the identity " +
				"provider"}),
		newCommand(std, "token denied", runList(hub.ListDenied, "no one is denied", []string{"USER", "SINCE"},
			func(d hub.Denied) []string { return []string{d.Name, d.At.UTC().Format(time.DateOnly)} }),
			dsnFlag(), hubFlag(), jsonFlag()),
		newCommand(std, "token allow", runTokenAllow, dsnFlag(), hubFlag(), jsonFlag()),
	)
}

func runTokenCreate(c *cli.Context, std streams) error {
	if c.String("user") == "" {
		return console.Usagef("whose token? --user is missing")
	}
	days := c.Int("days")
	if days < 0 || days > maxDays {
		return console.Usagef("--days: expected 0 to %d, got %d", maxDays, days)
	}
	t := hub.NewToken{Person: c.String("user"), Groups: c.StringSlice("group")}
	if days > 0 {
		t.Expires = time.Now().AddDate(0, 0, days)
	}
	created, err := operate(c, hub.MakeToken, t)
	if err != nil {
		return err
	}
	if !c.Bool("json") {
		console.Note(std.Err, "token %d for %s, %s; it is not shown again", created.ID, created.Person,
			lasts(created.Token))
	}
	return printResult(c, std, created, func(out io.Writer, t hub.CreatedToken) { fmt.Fprintln(out, t.Secret) })
}

// lasts says until when a token holds.
func lasts(t hub.Token) string {
	if t.ExpiresAt == nil {
		return "which does not expire"
	}
	return "until " + t.ExpiresAt.UTC().Format(time.DateOnly)
}

func tokenRow(t hub.Token) []string {
	expires := "never"
	if t.ExpiresAt != nil {
		expires = t.ExpiresAt.UTC().Format(time.DateOnly)
	}
	return []string{strconv.Itoa(int(t.ID)), t.Person, t.State(time.Now()), expires,
		t.CreatedAt.UTC().Format(time.DateOnly), strings.Join(t.Groups, ", ")}
}

func runTokenAllow(c *cli.Context, std streams) error {
	if err := arguments(c, "a user", 1); err != nil {
		return err
	}
	_, err := operate(c, hub.AllowPerson, hub.Person{Name: c.Args().First()})
	return err
}

func runTokenRevoke(c *cli.Context, std streams) error {
	person, name := c.String("user"), c.Args().First()
	id, notAnID := strconv.ParseInt(name, 10, 32)
	switch {
	case c.Args().Len() > 1 || (name == "") == (person == ""):
		return console.Usagef("expected the id of a token, or --user")
	case person == "" && notAnID != nil && !hub.IsToken(name):
		return console.Usagef("expected the id of a token, or a token, got another word")
	}
	q := hub.Revocation{Person: person, ID: int32(id)}
	if notAnID != nil {
		q.Secret = name
	}
	done, err := operate(c, hub.RevokeTokens, q)
	if err != nil {
		return err
	}
	return printResult(c, std, done, func(out io.Writer, r hub.Revoked) {
		for _, t := range r.Tokens {
			fmt.Fprintf(out, "revoked token %d of %s\n", t.ID, text.Printable(t.Person))
		}
		if r.Denied != "" {
			fmt.Fprintf(out, "%s is refused, whoever signed the token, until \"memctl-hub token allow\"\n",
				text.Printable(r.Denied))
		}
	})
}
