package hooks

import _ "embed"

// Registration is hooks.json: which events the plugin answers, with what, and
// how long it may take. It is the only statement of that; an install into the
// client's settings makes the same hooks with another command. Timeouts are in
// seconds.
//
//go:embed hooks.json
var Registration []byte
