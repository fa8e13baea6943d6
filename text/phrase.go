package text

import (
	"fmt"
	"slices"
)

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
// order.
func (p Phrase) In(translate func(english string) string) string {
	args := slices.Clone(p.Args)
	for i, arg := range args {
		if inner, ok := arg.(Phrase); ok {
			args[i] = inner.In(translate)
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
