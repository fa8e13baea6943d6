package gate

import "golang.org/x/sys/unix"

// renameNew renames within a folder and never replaces.
func renameNew(folder int, from, to string) error {
	return unix.RenameatxNp(folder, from, folder, to, unix.RENAME_EXCL)
}
