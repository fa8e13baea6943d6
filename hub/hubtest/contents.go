package hubtest

import (
	"context"
	_ "embed"
	"testing"

	"github.com/jackc/pgx/v5"
)

var (
	//go:embed dump.sql
	dump string
	//go:embed frequencies.sql
	frequencies string
)

// Dump returns all that publications wrote to a hub.
func Dump(t testing.TB, dsn string) []string { return lines(t, dsn, dump) }

// WrongFrequencies counts all postings of a hub, and returns a line for each number that is wrong.
func WrongFrequencies(t testing.TB, dsn string) []string { return lines(t, dsn, frequencies) }

func lines(t testing.TB, dsn, query string) []string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), Superuser(dsn))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	rows, _ := conn.Query(t.Context(), query) // AppendRows returns its error
	list, err := pgx.AppendRows([]string(nil), rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return list
}
