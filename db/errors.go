package db

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What callers branch on. Every error of this package that has one of these
// causes wraps it.
var (
	// ErrMissing: there is no index file.
	ErrMissing = errors.New("no index")
	// ErrDamaged: the file is no index of ours or SQLite finds it corrupt.
	ErrDamaged = errors.New("the index is damaged")
	// ErrVersion: the index was made by another version of memctl.
	ErrVersion = errors.New("the index has another version")
	// ErrBusy: somebody else held the write lock for too long.
	ErrBusy = errors.New("the index is busy")
	// ErrReadOnly: the index or its folder cannot be written.
	ErrReadOnly = errors.New("the index cannot be written")
)

// Rebuildable tells whether a new index would cure err.
func Rebuildable(err error) bool {
	return errors.Is(err, ErrMissing) || errors.Is(err, ErrDamaged) || errors.Is(err, ErrVersion)
}

// Unwritable tells whether err only stands in the way of writing.
func Unwritable(err error) bool {
	return errors.Is(err, ErrBusy) || errors.Is(err, ErrReadOnly)
}

// wrap adds what was being done and the sentinel that SQLite's code maps to.
func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	if sentinel := sentinelOf(err); sentinel != nil {
		return fmt.Errorf("%s: %w: %w", doing, sentinel, err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// sentinelOf maps primary result codes (https://sqlite.org/rescode.html). A
// plain SQLITE_ERROR can only be a table or column that is not there, for every
// statement is fixed: the file belongs to somebody else.
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
