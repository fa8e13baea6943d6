package hooklog

import (
	"errors"

	"memctl/memdir"
)

const (
	// Name is the log's in the staging folder.
	Name = "hooks.log"
	// limit is where the log starts anew, in bytes: some thousand runs.
	limit = 256 << 10
)

// Append adds a run to the log of a memory root.
func Append(root memdir.Root, e Entry) error {
	staged, err := root.OpenStaging()
	if err != nil {
		return err
	}
	return errors.Join(staged.Append(Name, []byte(e.Line()), limit), staged.Close())
}

// Read returns the runs that the log of a memory root still has, oldest first.
func Read(root memdir.Root) ([]Entry, error) {
	staged, err := root.OpenStaging()
	if err != nil {
		return nil, err
	}
	defer staged.Close()
	data, err := staged.ReadJournal(Name, limit)
	return Parse(data), err
}
