//go:build !unix

package memdir

import "io/fs"

// isOwn has nothing to ask: the temporary folder is the user's own there.
func isOwn(fs.FileInfo) bool { return true }
