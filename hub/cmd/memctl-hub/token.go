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

func tokenCommand() *cli.Command {
	return group(
		newCommand("token", unknownSubcommand),
		newCommand("token create", runTokenCreate,
			&cli.IntFlag{Name: "days", Value: 90, Usage: "it holds for `N` days; 0 for ever"}),
		newCommand("token list", runList(hub.ListTokens, `no tokens: "memctl-hub token create" makes one`,
			[]string{"ID", "USER", "STATE", "EXPIRES", "CREATED", "GROUPS"}, tokenRow)),
		newCommand("token revoke", runTokenRevoke),
		newCommand("token denied", runList(hub.ListDenied, "no one is denied", []string{"USER", "SINCE"},
			func(d hub.Denied) []string { return []string{d.Name, day(d.At)} })),
		newCommand("token allow", runTokenAllow),
	)
}

// daysArg returns what --days says.
func daysArg(c *cli.Context) (int, error) {
	days := c.Int("days")
	if days < 0 || days > maxDays {
		return 0, console.Usagef("--days: expected 0 to %d, got %d", maxDays, days)
	}
	return days, nil
}

// day shows the day of a time.
func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

func runTokenCreate(c *cli.Context) error {
	if c.String("user") == "" {
		return console.Usagef("whose token? --user is missing")
	}
	days, err := daysArg(c)
	if err != nil {
		return err
	}
	t := hub.NewToken{Person: c.String("user"), Groups: c.StringSlice("group")}
	if days > 0 {
		t.Expires = new(time.Now().AddDate(0, 0, days))
	}
	created, err := operate(c, hub.MakeToken, t)
	if err != nil {
		return err
	}
	if !c.Bool("json") {
		lasts := "which does not expire"
		if created.ExpiresAt != nil {
			lasts = "until " + day(*created.ExpiresAt)
		}
		console.Note(c.App.ErrWriter, "token %d for %s, %s; it is not shown again", created.ID, created.Person, lasts)
	}
	return printResult(c, created, func(out io.Writer, t hub.CreatedToken) { fmt.Fprintln(out, t.Secret) })
}

func tokenRow(t hub.Token) []string {
	expires := "never"
	if t.ExpiresAt != nil {
		expires = day(*t.ExpiresAt)
	}
	return []string{strconv.Itoa(int(t.ID)), t.Person, t.State(time.Now()), expires, day(t.CreatedAt),
		strings.Join(t.Groups, ", ")}
}

func runTokenAllow(c *cli.Context) error {
	if err := arguments(c, "a user", 1); err != nil {
		return err
	}
	_, err := operate(c, hub.AllowPerson, hub.Person{Name: c.Args().First()})
	return err
}

func runTokenRevoke(c *cli.Context) error {
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
	return printResult(c, done, func(out io.Writer, r hub.Revoked) {
		for _, t := range r.Tokens {
			fmt.Fprintf(out, "revoked token %d of %s\n", t.ID, text.Printable(t.Person))
		}
		if r.Denied != "" && len(r.Tokens) == 0 {
			fmt.Fprintf(out, "the hub has made no token for %s that was valid\n", text.Printable(r.Denied))
		}
		if r.Denied != "" {
			fmt.Fprintf(out, "%s is refused, whoever signed the token, until \"memctl-hub token allow\"\n",
				text.Printable(r.Denied))
		}
	})
}
