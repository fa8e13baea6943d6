package main

import (
	"cmp"
	"errors"
	"io"
	"os"
	"syscall"

	"memctl/cmd/console"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/urfave/cli/v2"
)

// withHint adds a hint to an error that has none. It replaces what quotes a connection
// string, which may have a password.
func withHint(c *cli.Context, err error) error {
	if err == nil || errors.Is(err, console.ErrFindings) {
		return err
	}
	f := &console.Failure{Code: console.ExitFailed}
	if errors.As(err, &f) && f.Hint != "" {
		return err
	}
	if errors.As(err, new(*pgconn.ParseConfigError)) {
		return console.Misused(`expected postgres://USER:PASSWORD@HOST:PORT/DATABASE with special characters as %XX, `+
			`or words such as "host=... user=... dbname=..."`, "the connection string cannot be read")
	}
	hint := cmp.Or(hintFor(err), console.ReadHelp(c))
	if cause := new(pgconn.ConnectError); errors.As(err, &cause) {
		err = cause // the rest is for clients of the hub
	}
	return &console.Failure{Err: err, Hint: hint, Code: f.Code}
}

// hintFor says what to do about an error, by its cause.
func hintFor(err error) string {
	if e := new(pgconn.PgError); errors.As(err, &e) {
		switch e.Code {
		case "42501": // insufficient privilege
			return `connect as the role that ran "memctl-hub migrate": it owns the tables`
		case "42P01", "42704", "22023": // no such table, no such role
			return `run "memctl-hub migrate" first`
		case "3D000":
			return "create the database first, for example with createdb"
		case "28000", "28P01":
			return "see that the role exists and may log in, and that its password is right"
		}
	}
	if errors.As(err, new(*pgconn.ConnectError)) {
		return "see that PostgreSQL runs, and that --dsn or MEMCTL_HUB_DSN names its address"
	}
	if errors.Is(err, syscall.EADDRINUSE) {
		return "choose another address with --listen, or end the program that has this one"
	}
	var own interface{ Hint() string }
	if errors.As(err, &own) {
		return own.Hint()
	}
	return ""
}

// printResult prints the result of a command: as JSON with --json, else rendered for people.
func printResult[T any](c *cli.Context, result T, rendered func(io.Writer, T)) error {
	if c.Bool("json") {
		return console.WriteJSON(c.App.Writer, result)
	}
	rendered(c.App.Writer, result)
	return nil
}

// screenOf returns what stdout is. Colours are for terminals, unless NO_COLOR is set.
func screenOf(out io.Writer) console.Screen {
	out = console.Unfiltered(out) // a Screen filters what it prints
	file, isFile := out.(*os.File)
	if !isFile || !console.IsTerminal(file) {
		return console.NewScreen(out, 0, false)
	}
	width, _ := console.TerminalSize(file)
	return console.NewScreen(out, width, os.Getenv("NO_COLOR") == "")
}
