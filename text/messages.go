package text

import (
	"fmt"
	"strings"
)

// maxQuoted is how many code points of untrusted text a message quotes.
const maxQuoted = 300

// Brief makes untrusted text safe to quote to an agent: short and printable.
func Brief(s string) string { return Ellipsis(Printable(s), maxQuoted) }

// Plural returns "1 memory", "2 memories".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// WithHint adds to an error what to do about it.
func WithHint(err error, hint string) error { return &hinted{err, hint} }

type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// Hint says what to do about the error.
func (h *hinted) Hint() string { return h.hint }

// Indent puts a prefix before every line of s.
func Indent(s, prefix string) string {
	return prefix + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n"+prefix)
}

// shellSafe are the characters without a meaning to any shell inside a word.
const shellSafe = alphanumeric + "_./:@%+=,-"

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// ShellWord quotes a path for a shell command that the reader copies. A path that is
// too long or not printable becomes PATH, for the reader to fill in.
func ShellWord(path string) string {
	if len(path) > maxQuoted || path != Printable(path) {
		return "PATH"
	}
	return ShellQuoted(path)
}

// ShellQuoted makes a string one word of a shell command.
func ShellQuoted(s string) string {
	if s != "" && strings.Trim(s, shellSafe) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
