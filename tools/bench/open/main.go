// Command open opens an index as db.Open does, asks it one question and closes it:
// what any Go process costs that reads SQLite without cgo. It is the yardstick of the
// benchmark.
package main

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite"
)

// Both are copies from db/open.go, where they are private; a test compares them.
const (
	openQuery     = "mode=rw&_pragma=journal_mode(wal)&_pragma=synchronous(normal)&"
	sharedPragmas = "_txlock=immediate&_pragma=wal_autocheckpoint(256)&_pragma=busy_timeout(1000)" +
		"&_pragma=foreign_keys(1)&_pragma=temp_store(memory)&_pragma=secure_delete(1)&_pragma=trusted_schema(0)"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: open DATABASE")
		os.Exit(2)
	}
	if err := selectOne(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "open:", err)
		os.Exit(1)
	}
}

func selectOne(path string) error {
	d, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return err
	}
	defer d.Close()
	var one int
	return d.QueryRow("SELECT 1").Scan(&one)
}

func dsn(path string) string {
	slashed := "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: openQuery + sharedPragmas}).String()
}
