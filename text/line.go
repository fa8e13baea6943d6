package text

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxShown is how many code points of a title or description reach a prompt. claude-memory v5 had this number: the
// conformance vectors pin it, and memory.schema.json and schemas.MaxTitle have the same one for titles.
const MaxShown = 120

// MaxHookText is how long a hook's text for the agent may be, in UTF-16 code units. Of
// a longer one the client shows the beginning and the name of a file
// (docs/dev/claude-code.md).
const MaxHookText = 10_000

// Line makes s safe for one line of a memory context. It removes invisible characters,
// breaks the two markers of the line format (" -> " and "#tags:"), escapes XML and cuts
// the result at MaxShown code points: after the escaping, so that the limit is that of
// what the model reads.
func Line(s string) string {
	s = Truncate(Visible(s), 20*MaxShown) // bounds the loops
	for strings.Contains(s, " -> ") {     // a pass over "-> ->" leaves one
		s = strings.ReplaceAll(s, " -> ", " - ")
	}
	for strings.Contains(s, "#tags:") { // a pass over "#ta#tags:gs:" makes one
		s = strings.ReplaceAll(s, "#tags:", "")
	}
	return Truncate(EscapeXML(strings.TrimSpace(s)), MaxShown)
}

// Units returns the length of s as Claude Code counts it: in UTF-16 code units.
func Units(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// EscapeXML escapes the four characters that matter in text and in a
// double-quoted attribute.
func EscapeXML(s string) string { return strings.ReplaceAll(EscapeMarkup(s), `"`, "&quot;") }

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// EscapeMarkup escapes the three characters that matter in text.
func EscapeMarkup(s string) string {
	return markup.Replace(s)
}

// Truncate cuts s after n code points.
func Truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// Last returns the last n code points of s.
func Last(s string, n int) string {
	at := len(s)
	for ; n > 0 && at > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:at])
		at -= size
	}
	return s[at:]
}

// Ellipsis cuts s to at most n code points. The last one is an ellipsis if something
// was cut.
func Ellipsis(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return Truncate(s, n-1) + "…"
}

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

// WithHint adds a hint to an error.
func WithHint(err error, hint string) error { return &hinted{err, hint} }

type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// Hint is a command for the user after the error.
func (h *hinted) Hint() string { return h.hint }

// Hint returns what to do about an error, "" if none of those that it wraps says so.
func Hint(err error) string {
	var own interface{ Hint() string }
	if errors.As(err, &own) {
		return own.Hint()
	}
	return ""
}

// AndMore names the rest of a list, by its number; "" for none.
func AndMore(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

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

// Phrase is a sentence for a person, or a part of one, whose words are apart from what it is about, so that it can be
// said in another language. Args may be phrases too.
type Phrase struct {
	Format string // of package fmt, in English; without arguments, words as they are
	Args   []any
}

// Say returns a phrase.
func Say(format string, args ...any) Phrase { return Phrase{format, args} }

// Counted is Plural as a phrase.
func Counted(n int, one, many string) Phrase {
	if n == 1 {
		return Phrase{"%d " + one, []any{n}}
	}
	return Phrase{"%d " + many, []any{n}}
}

// In says it with the formats that translate returns for those in English, which may take the arguments in another
// order. It also translates the errors among them.
func (p Phrase) In(translate func(english string) string) string {
	args := slices.Clone(p.Args)
	for i, arg := range args {
		switch inner := arg.(type) {
		case Phrase:
			args[i] = inner.In(translate)
		case error:
			args[i] = translate(inner.Error())
		}
	}
	if len(args) == 0 { // it may hold a status of a file, with any characters
		return translate(p.Format)
	}
	return fmt.Sprintf(translate(p.Format), args...)
}

// String says it in English.
func (p Phrase) String() string { return p.In(English) }

// English is the translation of phrases that leaves them as they are.
func English(format string) string { return format }
