package main

import (
	"errors"
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
		newCommand(std, "token create", runTokenCreate, dsnFlag(), jsonFlag(),
			&cli.StringFlag{Name: "user", Usage: "it is for the person, or the program, `NAME`"},
			&cli.StringSliceFlag{Name: "group", Usage: "who is in the group `NAME`; may be repeated"},
			&cli.IntFlag{Name: "days", Value: 90, Usage: "it holds for `N` days; 0 for ever"},
		),
		newCommand(std, "token list", runTokenList, dsnFlag(), jsonFlag()),
		newCommand(std, "token revoke", runTokenRevoke, dsnFlag(), jsonFlag(),
			&cli.StringFlag{Name: "user", Usage: "revoke all tokens of `NAME`, and refuse those of the identity " +
				"provider"}),
		newCommand(std, "token allow", runTokenAllow, dsnFlag(), jsonFlag()),
	)
}

// createdToken is the answer of token create.
type createdToken struct {
	Secret string `json:"token"`
	hub.Token
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
	return useStore(c, hub.Options{}, func(store *hub.Store) error {
		secret, created, err := store.CreateToken(c.Context, t)
		if errors.Is(err, hub.ErrDenied) {
			return failure(err, `run "memctl-hub token allow" first`)
		}
		if err != nil {
			return err
		}
		if !c.Bool("json") {
			console.Note(std.Err, "token %d for %s, %s; it is not shown again", created.ID, created.Person,
				lasts(created))
		}
		return printResult(c, std, createdToken{secret, created}, func(out io.Writer, t createdToken) {
			fmt.Fprintln(out, t.Secret)
		})
	})
}

// lasts says until when a token holds.
func lasts(t hub.Token) string {
	if t.ExpiresAt == nil {
		return "which does not expire"
	}
	return "until " + t.ExpiresAt.UTC().Format(time.DateOnly)
}

func runTokenList(c *cli.Context, std streams) error {
	return useStore(c, hub.Options{}, func(store *hub.Store) error {
		tokens, err := store.Tokens(c.Context)
		if err != nil {
			return err
		}
		none := `no tokens: "memctl-hub token create" makes one`
		heads := []string{"ID", "USER", "STATE", "EXPIRES", "CREATED", "GROUPS"}
		return printTable(c, std, tokens, none, heads, func(t hub.Token) []string {
			expires := "never"
			if t.ExpiresAt != nil {
				expires = t.ExpiresAt.UTC().Format(time.DateOnly)
			}
			created := t.CreatedAt.UTC().Format(time.DateOnly)
			return []string{strconv.Itoa(int(t.ID)), t.Person, t.State(time.Now()), expires, created,
				strings.Join(t.Groups, ", ")}
		})
	})
}

// revokedTokens is the answer of token revoke.
type revokedTokens struct {
	Revoked []hub.Token `json:"revoked"`
	Denied  string      `json:"denied,omitempty"` // who is refused from now on
}

func runTokenAllow(c *cli.Context, std streams) error {
	if err := arguments(c, "a user", 1); err != nil {
		return err
	}
	return useStore(c, hub.Options{}, func(store *hub.Store) error {
		err := store.Allow(c.Context, c.Args().First())
		if errors.Is(err, hub.ErrNotDenied) {
			return failure(err, `"memctl-hub token revoke --user" denies people`)
		}
		return err
	})
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
	return useStore(c, hub.Options{}, func(store *hub.Store) (err error) {
		done := revokedTokens{}
		switch {
		case person != "":
			if done.Revoked, err = store.RevokePerson(c.Context, person); err == nil {
				done.Denied, err = person, store.Deny(c.Context, person)
			}
		case notAnID == nil:
			done.Revoked, err = store.RevokeToken(c.Context, int32(id))
		default:
			done.Revoked, err = store.RevokeSecret(c.Context, name)
		}
		if err != nil {
			return err
		}
		if len(done.Revoked) == 0 && done.Denied == "" {
			return failure(errors.New("no such token, or it is revoked already"),
				`run "memctl-hub token list" for the tokens and their ids`)
		}
		return printResult(c, std, done, func(out io.Writer, r revokedTokens) {
			for _, t := range r.Revoked {
				fmt.Fprintf(out, "revoked token %d of %s\n", t.ID, t.Person)
			}
			if r.Denied != "" {
				fmt.Fprintf(out, "%s is refused, whoever signed the token, until \"memctl-hub token allow\"\n",
					text.Printable(r.Denied))
			}
		})
	})
}
