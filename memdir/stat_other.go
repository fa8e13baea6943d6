//go:build !unix

package memdir

import (
	"errors"
	"io/fs"
)

func (f *Folder) statSome(names []string, into []Stat) error {
	for i, name := range names {
		s, err := f.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		into[i] = s
	}
	return nil
}
