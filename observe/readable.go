package observe

import (
	"fmt"

	"memctl/memdir"
)

// CheckReadable returns an error if the observations of a root cannot be read. An
// index that finds none does not tell the two apart.
func CheckReadable(root memdir.Root) error {
	if _, err := root.SessionFiles(); err != nil {
		return fmt.Errorf("read %s: %w", memdir.SessionsFolder, err)
	}
	return nil
}
