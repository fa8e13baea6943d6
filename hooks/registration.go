package hooks

import _ "embed"

// Registration is hooks.json: the events that the plugin registers for, the commands
// that answer them, and their timeouts in seconds. An install into the client's
// settings registers the same hooks with another command.
//
//go:embed hooks.json
var Registration []byte
