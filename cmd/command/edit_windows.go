package command

import (
	"fmt"
	"os/exec"

	"golang.org/x/sys/windows"
)

// shellCommand returns the command of an editor that is named with arguments. Windows has
// no sh; the program's path and the arguments may be quoted as in any command of it.
func shellCommand(named, path string) (*exec.Cmd, error) {
	words, err := windows.DecomposeCommandLine(named)
	if err != nil || len(words) == 0 {
		return nil, editorFailed(fmt.Errorf("%q is not a command: %w", named, err))
	}
	return exec.Command(words[0], append(words[1:], path)...), nil
}
