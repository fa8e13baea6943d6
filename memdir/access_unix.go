//go:build unix

package memdir

import (
	"os"

	"golang.org/x/sys/unix"
)

// CheckAccess says what keeps this user from listing and changing a folder.
func CheckAccess(path string) error {
	if err := unix.Access(path, unix.R_OK|unix.W_OK|unix.X_OK); err != nil {
		return &os.PathError{Op: "write in", Path: path, Err: err}
	}
	return nil
}

// OpenToAll tells whether every user of the machine may change a folder.
func OpenToAll(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o002 != 0
}
