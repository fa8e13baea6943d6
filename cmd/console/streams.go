package console

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"memctl/text"
)

// Stdout is the standard output of a command. It removes what is not printable; what JSON
// has escaped stays. It remembers the first write that failed: what prints need not check
// each write, and no answer is cut short in silence.
type Stdout struct {
	io.Writer
	Err error
}

// Write takes whole characters.
func (s *Stdout) Write(p []byte) (int, error) {
	_, err := io.WriteString(s.Writer, text.Paragraph(string(p)))
	if s.Err == nil {
		s.Err = err
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// WriteJSON writes a result of a command as JSON.
func WriteJSON(out io.Writer, v any) error {
	enc := json.NewEncoder(text.JSONWriter(out))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Interruptible returns what read returns, or the error of the context if that ends
// first. The read then goes on until the process ends.
func Interruptible[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	case r := <-done:
		return r.value, r.err
	}
}

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
