//go:build !windows

package console

import "os"

// Styles reports whether a terminal interprets escape sequences. Every one does.
func Styles(*os.File) bool { return true }
