package clients

import "path/filepath"

// A client that asks a person about PersonCommands, whatever else its rules allow, has rules of that kind in the file
// of its hooks, or reads all files of a folder. memctl writes them only where the strictest rule counts: elsewhere
// one that asks would loosen one of the user's that forbids.

// InHooksFile is Client.AsksIn for permissions.ask in the file of the hooks.
const InHooksFile = "."

// asksFile is the file of the rules, "" if the client has none or has them in the file of the hooks.
func (t Target) asksFile() string {
	if t.Client.AsksIn == "" || t.Client.AsksIn == InHooksFile {
		return ""
	}
	return filepath.Join(filepath.Dir(t.Settings), filepath.FromSlash(t.Client.AsksIn))
}
