package main

import (
	"errors"
	"io"

	"memctl/text"
)

// stdout is the standard output of a command. It removes what is not printable; what JSON
// has escaped stays. It remembers the first write that failed: what prints need not check
// each write, and no answer is cut short in silence.
type stdout struct {
	io.Writer
	err error
}

// Write takes whole characters.
func (s *stdout) Write(p []byte) (int, error) {
	_, err := io.WriteString(s.Writer, text.Paragraph(string(p)))
	if s.err == nil {
		s.err = err
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// check returns the error of a command that ended with err: a failed write, unless
// the command failed on its own.
func (s *stdout) check(err error) error {
	if s.err == nil || err != nil && !errors.Is(err, errFindings) {
		return err
	}
	return &failure{err: s.err, hint: hintFor(s.err), code: exitFailed}
}
