package console

import (
	"os"

	"golang.org/x/sys/windows"
)

// Styles has a console interpret escape sequences, and reports whether it does. The
// consoles of Windows show them as they are until a program asks for more.
func Styles(terminal *os.File) bool {
	handle, mode := windows.Handle(terminal.Fd()), uint32(0)
	if err := windows.GetConsoleMode(handle, &mode); err != nil {
		return false
	}
	return windows.SetConsoleMode(handle, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
