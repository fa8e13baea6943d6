//go:build unix

package main

import (
	"bufio"
	"io"
	"syscall"
	"testing"
)

// Clients may end a server with a signal: that is not a failure.
func TestServerEndsWellBySignal(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		p := parcelProject(t)
		server := mcpServer(p.dir)
		in, err := server.StdinPipe()
		p.check(err)
		out, err := server.StdoutPipe()
		p.check(err)
		p.check(server.Start())
		_, err = io.WriteString(in, hello)
		p.check(err)
		_, err = bufio.NewReader(out).ReadString('\n') // it serves now
		p.check(err)
		p.check(server.Process.Signal(signal))
		if err := server.Wait(); err != nil {
			t.Errorf("%v: %v", signal, err)
		}
	}
}
