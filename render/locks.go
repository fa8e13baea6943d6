package render

import (
	"io"
	"strings"

	"memctl/privacy"
)

// locks puts a lock before each marker of text that was removed. Each Write takes whole
// lines.
type locks struct {
	io.Writer
	found bool
}

func (l *locks) Write(p []byte) (int, error) {
	shown := string(p)
	for _, marker := range []string{privacy.PrivateMarker, privacy.RedactedMarker} {
		shown = strings.ReplaceAll(shown, marker, "🔒"+marker)
	}
	l.found = l.found || len(shown) > len(p)
	_, err := io.WriteString(l.Writer, shown)
	return len(p), err
}

// explainLocks says what a lock stands for.
const explainLocks = "🔒 stands for text that memctl removed before it wrote the file: a private section or a secret."
