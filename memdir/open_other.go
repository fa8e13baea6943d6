//go:build !unix

package memdir

import (
	"errors"
	"os"
)

func openUnpolled(path string) (*os.File, error) { return os.Open(path) }

// openPrivate leaves it to makeSession.
func openPrivate(folder, name string) (*os.File, int64, error) {
	return nil, 0, errors.ErrUnsupported
}
