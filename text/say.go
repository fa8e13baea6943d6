package text

import (
	"fmt"
	"strings"
)

// maxTold bounds, in code points, what an agent is told of others' making.
const maxTold = 300

// Brief is s as it may be quoted to an agent: bounded, without what cannot be seen.
func Brief(s string) string { return Ellipsis(Printable(s), maxTold) }

// Plural renders "1 memory", "2 memories".
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Indent puts a prefix before every line of s.
func Indent(s, prefix string) string {
	return prefix + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n"+prefix)
}

// plain are the characters that no shell gives a meaning in the middle of a word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+=,-"

// ShellWord quotes a path for the shell it will be copied into. What could not
// be copied is left for the reader to fill in.
func ShellWord(path string) string {
	switch {
	case len(path) > maxTold || path != Printable(path):
		return "PATH"
	case strings.Trim(path, plain) == "":
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
