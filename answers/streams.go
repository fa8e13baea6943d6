package answers

import "io"

// Streams are what a command reads and writes: stdout is for the agent and for
// pipes, stderr for people.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}
