//go:build !linux && !darwin

package gate

import "errors"

func renameNew(int, string, string) error { return errors.ErrUnsupported }
