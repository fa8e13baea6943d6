package text

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// NameKey returns what names have in common that some system takes for the name of one
// file: Windows and macOS do not tell upper from lower case, and macOS takes é and e with
// an accent for the same.
func NameKey(name string) string {
	return strings.ToLower(strings.ToUpper(norm.NFC.String(name)))
}

// IsDevice reports whether a file cannot have this name on Windows, whatever its
// extension, because a device has it. The name is in lower case.
func IsDevice(name string) bool {
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	port := strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")
	return port && len(name) == 4 && '0' <= name[3] && name[3] <= '9'
}
