package text

import "strings"

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
