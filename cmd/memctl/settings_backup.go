package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"memctl/memdir"
	"memctl/settings"
)

// backup is a copy beside a settings file of what it was.
type backup struct {
	path string
	data []byte
}

// backUp keeps the bytes of the file beside it and returns the copy's path, ""
// where there is no file. A copy of other bytes is never overwritten: the next
// one gets a number.
func (f settingsFile) backUp() (string, error) {
	if f.data == nil {
		return "", nil
	}
	old := f.backups()
	if n := len(old); n > 0 && bytes.Equal(old[n-1].data, f.data) {
		return old[n-1].path, nil
	}
	info, err := os.Stat(f.target)
	if err != nil {
		return "", err
	}
	path := f.backupPath(len(old))
	return path, inFolder(path, func(folder *memdir.Folder, name string) error {
		return folder.WriteNewMode(name, f.data, info.Mode().Perm())
	})
}

// backups are the copies that were made so far. One that cannot be read has a
// place, but no bytes.
func (f settingsFile) backups() (all []backup) {
	for {
		path := f.backupPath(len(all))
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return all
		}
		data, err := readBounded(path)
		if err != nil {
			data = nil
		}
		all = append(all, backup{path, data})
	}
}

func (f settingsFile) backupPath(n int) string {
	if n == 0 {
		return f.path + ".memctl-backup"
	}
	return fmt.Sprintf("%s.memctl-backup-%d", f.path, n+1)
}

// former is a settings file without what install adds.
type former struct {
	data []byte // nil for no file: install made it
	copy string // the backup that holds these bytes, "" for none
}

// former tells what the file was, or would be, without memctl.
func (f settingsFile) former() (former, error) {
	before := f.beforeInstall()
	data, err := settings.Remove(f.data, before.data, append(agentRules(), serverRules()...))
	if err != nil {
		return former{}, f.mistaken(err)
	}
	switch {
	case before.data != nil && bytes.Equal(data, before.data):
		return former{data, before.path}, nil
	case before.data == nil && !bytes.Equal(data, f.data) && settings.IsEmpty(data):
		return former{}, nil
	}
	return former{data: data}, nil
}

// needsCopy tells whether something would be lost if the file were.
func (f former) needsCopy() bool { return f.data != nil && f.copy == "" }

// beforeInstall is the newest copy without a hook of ours: the file as it was
// before memctl was installed. It has no bytes where there is none.
func (f settingsFile) beforeInstall() backup {
	for _, b := range slices.Backward(f.backups()) {
		found, err := settings.Hooks(b.data)
		if b.data != nil && err == nil && !slices.ContainsFunc(found, settings.Hook.IsOurs) {
			return b
		}
	}
	return backup{}
}
