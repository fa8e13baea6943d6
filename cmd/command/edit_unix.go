//go:build unix

package command

import "os/exec"

// shellCommand returns the command of an editor that is named with arguments.
func shellCommand(named, path string) (*exec.Cmd, error) {
	return exec.Command("sh", "-c", named+` "$@"`, named, path), nil
}
