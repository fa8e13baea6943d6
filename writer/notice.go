package writer

import (
	"fmt"

	"memctl/text"
)

// Kind is the kind of a Notice, and the mark before it where agents read it.
type Kind string

const (
	AutoFixed Kind = "[AUTO-FIX]" // something of the draft was fixed
	Warned    Kind = "[WARN]"     // it is allowed, but may be a mistake
	Removed   Kind = "[PRIVACY]"  // private text or a secret was removed
	Unchecked Kind = "WARNING:"   // the change may overwrite another one
)

// Notice is what a writer says about a change, also if that is refused in the end.
type Notice struct {
	Kind    Kind
	Field   string // dotted; "" for the change as a whole
	Message string
}

// String is the notice in one line, with its mark.
func (n Notice) String() string { return string(n.Kind) + " " + n.Text() }

// Text is the notice in one line, as a person reads it.
func (n Notice) Text() string {
	if n.Field == "" {
		return text.Printable(n.Message)
	}
	return text.Printable(n.Field + ": " + n.Message)
}

func (w *Writer) notify(kind Kind, field, format string, args ...any) {
	w.Notify(Notice{kind, field, fmt.Sprintf(format, args...)})
}

// fixed reports what was fixed in a field of the draft.
func (w *Writer) fixed(field, format string, args ...any) {
	w.notify(AutoFixed, field, format, args...)
}

// warn reports what is allowed but may be a mistake.
func (w *Writer) warn(format string, args ...any) { w.notify(Warned, "", format, args...) }

// warnOf is warn for a field.
func (w *Writer) warnOf(field, format string, args ...any) { w.notify(Warned, field, format, args...) }
