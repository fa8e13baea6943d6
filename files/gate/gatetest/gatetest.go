// Package gatetest makes operations of gate fail, for tests.
package gatetest

import (
	"io/fs"
	"syscall"
	"testing"

	"memctl/files/gate/internal/fault"
)

// changing lists the operations that may change a disk.
var changing = map[string]bool{"create": true, "write": true, "mkdir": true, "rename": true, "remove": true,
	"sync":  true,
	"close": true, "truncate": true, "chmod": true, "chtimes": true, "lock": true}

// Operation is one on a file or a folder.
type Operation struct{ Name, Path string }

// Changes reports whether the operation may change a disk.
func (o Operation) Changes() bool { return changing[o.Name] }

func (o Operation) String() string { return o.Name + " " + o.Path }

// Operations runs a function and returns what it does with files, in order.
func Operations(t testing.TB, run func()) (list []Operation) {
	t.Helper()
	fault.Before = func(operation, path string) error {
		list = append(list, Operation{operation, path})
		return nil
	}
	defer func() { fault.Before = nil }()
	run()
	return list
}

// FailAt runs a function during which the n-th operation on a file fails, counted from 1: as on a full disk, or on a
// broken one if it only reads. It returns which operation that was, none if there are fewer. Tests that use it do not
// run in parallel.
func FailAt(t testing.TB, n int, run func()) (failed Operation) {
	t.Helper()
	Fail(n, func(o Operation) { failed = o })
	defer func() { fault.Before = nil }()
	run()
	return failed
}

// Fail is FailAt for the rest of a process. It tells which operation failed.
func Fail(n int, tell func(Operation)) {
	count := 0
	fault.Before = func(operation, path string) error {
		if count++; count != n {
			return nil
		}
		failed := Operation{operation, path}
		tell(failed)
		err := syscall.EIO
		if failed.Changes() {
			err = syscall.ENOSPC
		}
		return &fs.PathError{Op: operation, Path: path, Err: err}
	}
}
