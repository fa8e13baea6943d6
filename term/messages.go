package term

import (
	"fmt"
	"io"

	"memctl/text"
)

// Error writes an error and, unless it is empty, a hint what to do about it.
func Error(out io.Writer, err error, hint string) {
	fmt.Fprintf(out, "memctl: error: %s\n", text.Paragraph(err.Error()))
	if hint != "" {
		Hint(out, "%s", hint)
	}
}

// Hint writes what to do.
func Hint(out io.Writer, format string, args ...any) { message(out, "hint: ", format, args) }

// Warning writes what went wrong although the command goes on.
func Warning(out io.Writer, format string, args ...any) { message(out, "warning: ", format, args) }

// Note writes what a person should know about a result.
func Note(out io.Writer, format string, args ...any) { message(out, "", format, args) }

func message(out io.Writer, kind, format string, args []any) {
	fmt.Fprintln(out, "memctl: "+kind+text.Paragraph(fmt.Sprintf(format, args...)))
}
