package console

import (
	"encoding/json"
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
