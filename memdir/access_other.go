//go:build !unix

package memdir

import "os"

// CheckAccess says what keeps this user from listing a folder; whether it can be
// changed shows only when it is.
func CheckAccess(path string) error {
	_, err := os.ReadDir(path)
	return err
}

// OpenToAll has no permission bits to ask.
func OpenToAll(string) bool { return false }
