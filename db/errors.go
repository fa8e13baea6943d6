package db

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The causes that callers branch on. Errors of this package wrap them.
var (
	// ErrMissing means that there is no index file.
	ErrMissing = errors.New("no index")
	// ErrDamaged means that the file is not an index or that SQLite finds it corrupt.
	ErrDamaged = errors.New("the index is damaged")
	// ErrVersion means that another version of memctl made the index.
	ErrVersion = errors.New("the index has another version")
	// ErrNewer means that a later version of memctl made the catalogue.
	ErrNewer = errors.New("a later version of memctl made the catalogue")
	// ErrBusy means that another process held the write lock for too long.
	ErrBusy = errors.New("the index is busy")
	// ErrReadOnly means that the index or its folder cannot be written.
	ErrReadOnly = errors.New("the index cannot be written")
)

// Rebuildable reports whether a new index would fix err.
func Rebuildable(err error) bool {
	return errors.Is(err, ErrMissing) || errors.Is(err, ErrDamaged) || errors.Is(err, ErrVersion)
}

// Unwritable reports whether err prevents writing only.
func Unwritable(err error) bool {
	return errors.Is(err, ErrBusy) || errors.Is(err, ErrReadOnly)
}

// wrap adds what failed and the sentinel that SQLite's code maps to.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	if sentinel := sentinelOf(err); sentinel != nil {
		return fmt.Errorf("%s: %w: %w", doing, sentinel, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// sentinelOf maps primary result codes (https://sqlite.org/rescode.html). Every
// statement is fixed, so a plain SQLITE_ERROR can only mean that a table or column is
// missing: another program made the file.
func sentinelOf(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_ERROR,
		sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_MISMATCH:
		return ErrDamaged
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return ErrBusy
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_PERM:
		return ErrReadOnly
	}
	return nil
}
