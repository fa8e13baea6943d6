//go:build attack && linux

package attack

import (
	"errors"
	"fmt"
	"strings"
)

const greeting = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"attack","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// serverMemory bounds the server's resident memory, in bytes.
const serverMemory = 128 << 20

// serve gives the server requests, one a line, and returns what it answers. The server
// may open few files, so it answers with errors if it runs too many requests at once.
func (p *project) serve(requests string) (string, error) {
	r := p.program([]byte(greeting+requests), "/bin/sh", "-c", `ulimit -n 400 && exec "$0" mcp`, p.memctl)
	if r.err == nil && r.peak > serverMemory {
		r.err = fmt.Errorf("the server took %d MiB of %d", r.peak>>20, serverMemory>>20)
	}
	return r.out, r.err
}

// refusal is the first line of an answer that refuses a search.
func refusal(out string) string {
	for line := range strings.Lines(out) {
		if strings.Contains(line, `"isError":true`) || strings.Contains(line, `"error":`) {
			return line
		}
	}
	return "none"
}

func hostileResource(p *project) error {
	var b strings.Builder
	for i, uri := range []string{`memctl://memory/m0\u007f`, `memctl://memory/\u0000`, `memctl://memory/\ud800`, `memctl://memory/%ff`, `memctl://memory/` + strings.Repeat("a", 1<<20)} {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":"%s"}}`+"\n", i, uri)
	}
	b.WriteString(`{"jsonrpc":"2.0","id":"last","method":"tools/list"}` + "\n")
	out, err := p.serve(b.String())
	if err == nil && !strings.Contains(out, `"id":"last"`) {
		err = errors.New("the server stopped answering")
	}
	return err
}

func pipelinedSearches(p *project) error {
	const searches = 1_000
	var b strings.Builder
	for i := range searches {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search","arguments":{"query":"kafka events"}}}`+"\n", i)
	}
	out, err := p.serve(b.String())
	if found := strings.Count(out, `\"rows\":`); err == nil && found < searches {
		err = fmt.Errorf("%d of %d searches were answered; one was %.300s", found, searches, refusal(out))
	}
	return err
}
