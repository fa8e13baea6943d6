package install

import (
	"bytes"
	"os"

	"memctl/memdir"
)

// A file is copied once, before memctl first changes it. The copy is never
// overwritten. Uninstall removes it when the file has the same bytes again.

const backupSuffix = ".memctl-backup"

func (f file) backupPath() string { return f.path + backupSuffix }

// backup returns the bytes of the copy, nil if there is none that can be read.
func (f file) backup() []byte {
	data, err := readLimited(f.backupPath())
	if err != nil {
		return nil
	}
	return data
}

// backUp copies the file unless there is a copy already. It returns the path of a copy
// that has the file's present bytes, else "".
func (f file) backUp() (string, error) {
	if f.data == nil {
		return "", nil
	}
	path := f.backupPath()
	if _, err := os.Lstat(path); err == nil {
		if bytes.Equal(f.backup(), f.data) {
			return path, nil
		}
		return "", nil
	}
	if err := f.checkUnchanged(); err != nil {
		return "", err
	}
	info, err := os.Stat(f.target)
	if err != nil {
		return "", err
	}
	return path, f.inFolder(path, func(folder *memdir.Folder, name string) error {
		return folder.WriteNewMode(name, f.data, info.Mode().Perm()&0o700) // for the user alone
	})
}
