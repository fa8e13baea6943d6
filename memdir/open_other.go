//go:build !unix

package memdir

import "os"

func openUnpolled(path string, how int) (*os.File, error) { return os.OpenFile(path, how, 0) }
