// Package systemtest tells tests what the system they run on can do. It makes symbolic
// links and programs, and knows Wine. docs/dev/platforms.md lists what is skipped for its reasons.
package systemtest

import (
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
)

// NoLinks is why a test is skipped where HasLinks is false.
const NoLinks = "no symbolic links can be made here"

// HasLinks reports whether this user can make symbolic links. Windows gives few users the
// right. Wine says that it made one, and makes none.
var HasLinks = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "memctl-links")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	link := filepath.Join(dir, "link")
	if err := os.Symlink("target", link); err != nil {
		return false
	}
	target, err := os.Readlink(link)
	return err == nil && target == "target"
})

// Symlink makes a symbolic link, or skips the test if this user can make none.
func Symlink(t testing.TB, target, link string) {
	t.Helper()
	if !HasLinks() {
		t.Skip(NoLinks)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
}

// WriteProgram writes a program that the test starts. No process is forked meanwhile: it would hold the open
// file for a moment, and the system starts no program that is open for writing (golang/go#22315).
func WriteProgram(t testing.TB, path, data string) {
	t.Helper()
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte(data), 0o755); err != nil {
		t.Fatal(err)
	}
}

// SkipUnderWine skips a test that a fault of Wine fails, and that Windows would pass.
func SkipUnderWine(t testing.TB, fault string) {
	t.Helper()
	if IsWine() {
		t.Skip("Wine: " + fault)
	}
}

var temporary = os.TempDir() // before a test sets another

// LeftOpen is a folder for a test that uses an index as a prompt does, and so leaves it
// open: Windows removes the file only when the process has ended.
func LeftOpen(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp(temporary, "memctl-open")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}
