//go:build !unix

package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"memctl/files/gate"
)

// CheckAccess returns an error if this user cannot list a folder. Whether it can
// be changed shows only when memctl writes there.
func CheckAccess(path string) error {
	_, err := gate.List(path)
	return err
}

// OpenToAll is always false: there are no permission bits to ask.
func OpenToAll(string) bool { return false }

// isOwn is always true: the temporary folder belongs to the user.
func isOwn(fs.FileInfo) bool { return true }

func inodeOf(fs.FileInfo) uint64 { return 0 }

// withDrive completes a path that begins at the top of a drive. Git Bash writes C:\ as /c/;
// of any other, the drive is that of cwd.
func withDrive(path, cwd string) (string, bool) {
	if path == "" || !os.IsPathSeparator(path[0]) {
		return "", false
	}
	if len(path) > 1 && 'a' <= path[1]|0x20 && path[1]|0x20 <= 'z' && (len(path) == 2 || os.IsPathSeparator(path[2])) {
		return path[1:2] + `:\` + path[min(3, len(path)):], true
	}
	return filepath.VolumeName(cwd) + path, true
}

// inUse reports whether a file cannot be renamed or removed because a program has it or
// the file in its place open.
func inUse(err error) bool {
	const accessDenied, sharingViolation = syscall.Errno(5), syscall.Errno(32) // of Windows
	return errors.Is(err, accessDenied) || errors.Is(err, sharingViolation)
}
