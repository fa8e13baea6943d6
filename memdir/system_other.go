//go:build !unix

package memdir

import (
	"io/fs"
	"os"
)

// CheckAccess returns an error if this user cannot list a folder. Whether it can
// be changed shows only when memctl writes there.
func CheckAccess(path string) error {
	_, err := os.ReadDir(path)
	return err
}

// OpenToAll is always false: there are no permission bits to ask.
func OpenToAll(string) bool { return false }

// isOwn is always true: the temporary folder belongs to the user.
func isOwn(fs.FileInfo) bool { return true }

func inodeOf(fs.FileInfo) uint64 { return 0 }
