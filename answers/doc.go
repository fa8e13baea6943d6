// Package answers runs a hook: it reads the event, has it answered and logs how
// that went. The hooks that need no index it answers itself; the others are the
// command's. It knows nothing of SQLite, which takes longer to set up than most
// of these answers take (docs/decisions/0005-hooks-before-the-rest.md).
package answers
