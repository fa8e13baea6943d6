// Package gatetest makes operations of gate fail, for tests.
package gatetest

import (
	"io/fs"
	"testing"

	"memctl/gate/internal/fault"
)

// FailAt runs a function during which the n-th file operation fails with an error, counted from 1. It returns which one
// that was, "" if there are fewer. Tests that use it do not run in parallel.
func FailAt(t testing.TB, n int, err error, run func()) (failed string) {
	t.Helper()
	count := 0
	fault.Before = func(operation, path string) error {
		if count++; count != n {
			return nil
		}
		failed = operation + " " + path
		return &fs.PathError{Op: operation, Path: path, Err: err}
	}
	defer func() { fault.Before = nil }()
	run()
	return failed
}
