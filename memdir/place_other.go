//go:build !linux && !darwin

package memdir

import "errors"

func renameNew(int, string, string) error { return errors.ErrUnsupported }
