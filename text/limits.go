package text

// MaxHookText is how long a text may be, in UTF-16 code units, that a hook gives the
// agent: of a longer one the client shows a beginning and a file's name
// (docs/claude-code.md).
const MaxHookText = 10_000
