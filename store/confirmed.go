package store

import "memctl/files"

// A project's constraints ask the person before a tool runs only after the user has
// confirmed the setting moments.ask for the project. A file of the user's state folder says
// so, out of reach of a clone. It holds the root's path and the address of the repository's
// remote, so that it stands for no other repository in the same place.

const maxConfirmation = 64 << 10 // bytes

func confirmationName(root files.Root) string { return "asks-" + root.Key() }

func confirmationOf(root files.Root) string {
	return root.Path + "\n" + repositoryOf(root.Path).remote + "\n"
}

// Confirm notes that the user has confirmed moments.ask for a root.
func Confirm(root files.Root) error {
	return files.WriteStateFile(confirmationName(root), confirmationOf(root))
}

// Withdraw takes a confirmation back and reports whether there was one.
func Withdraw(root files.Root) (was bool, err error) {
	return files.RemoveState(confirmationName(root))
}

// Confirmed reports whether the user has confirmed moments.ask for a root. What cannot be
// read confirms nothing.
func Confirmed(root files.Root) bool {
	data, err := files.ReadStateFile(confirmationName(root), maxConfirmation)
	return err == nil && string(data) == confirmationOf(root)
}
