//go:build unix

package files

import (
	"io/fs"
	"os"
	"syscall"

	"memctl/files/gate"

	"golang.org/x/sys/unix"
)

// CheckAccess returns an error if this user cannot list and change a folder.
func CheckAccess(path string) error {
	if err := unix.Access(path, unix.R_OK|unix.W_OK|unix.X_OK); err != nil {
		return &os.PathError{Op: "write in", Path: path, Err: err}
	}
	return nil
}

// OpenToAll reports whether every user of the machine may change a folder.
func OpenToAll(path string) bool {
	info, err := gate.Stat(path)
	return err == nil && info.Mode().Perm()&0o002 != 0
}

// isOwn reports whether a file belongs to this user.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}

// inodeOf returns a file's inode, 0 if the system has none.
func inodeOf(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Ino)
	}
	return 0
}

// withDrive is for paths of Windows.
func withDrive(path, cwd string) (string, bool) { return "", false }

// inUse is always false: an open file can be renamed and removed.
func inUse(error) bool { return false }
