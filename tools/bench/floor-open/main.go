// Command floor-open opens an index as db.Open does, selects 1 and closes it:
// what any Go process costs that reads SQLite without cgo. With FILE it also
// writes a file of a memory's size and waits until it is on the disk.
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
	sharedPragmas = "_txlock=immediate&_pragma=wal_autocheckpoint(256)&_pragma=busy_timeout(3000)&_pragma=foreign_keys(1)&_pragma=temp_store(memory)"
)

// memorySize is about that of the memories of tools/synth.
const memorySize = 1200

func main() {
	if len(os.Args) < 2 || len(os.Args) > 3 {
		fmt.Fprintln(os.Stderr, "usage: floor-open DATABASE [FILE]")
		os.Exit(2)
	}
	err := selectOne(os.Args[1])
	if err == nil && len(os.Args) == 3 {
		err = writeFlushed(os.Args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "floor-open:", err)
		os.Exit(1)
	}
}

func writeFlushed(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.Write(make([]byte, memorySize)); err != nil {
		return err
	}
	return file.Sync()
}

func selectOne(path string) error {
	d, err := sql.Open("sqlite", dsn(path))
	if err != nil {
		return err
	}
	defer d.Close()
	var one int
	if err := d.QueryRow("SELECT 1").Scan(&one); err != nil {
		return err
	}
	return d.Close()
}

func dsn(path string) string {
	slashed := "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")
	return (&url.URL{Scheme: "file", Path: slashed, RawQuery: openQuery + sharedPragmas}).String()
}
