package main

import (
	"errors"
	"io"
)

// delivery is stdout to a command. It remembers the first write that failed, so
// that nothing that prints has to, and no answer is cut short in silence.
type delivery struct {
	to  io.Writer
	err error
}

func (d *delivery) Write(p []byte) (int, error) {
	n, err := d.to.Write(p)
	if d.err == nil {
		d.err = err
	}
	return n, err
}

// verdict is what became of a command that ended with err.
func (d *delivery) verdict(err error) error {
	if d.err == nil || err != nil && !errors.Is(err, errFindings) {
		return err
	}
	return &failure{err: d.err, hint: hintFor(d.err), code: exitFailed}
}
