// Package mcpserver serves memories to MCP clients. The three layers of disclosure and
// the writer are its tools, each memory is a resource. It keeps nothing between two
// requests: each opens an index that is up to date and closes it.
package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"

	"memctl/memdir"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// instructions is what a client shows a model before the model has loaded any tool.
const instructions = `The project's memory: decisions, constraints, preferences, runbooks, tech debt. ` +
	`Look there before you decide or debug something. ` +
	`Go search, then timeline, then get: each costs more than the one before. Ids, never paths. ` +
	`What the next session should know, save.`

// Server serves one client.
type Server struct {
	places  memdir.Places
	warn    func(string)
	roots   clientRoots
	version string
}

// New returns a server for the memory root that places names, else for the one in the
// client's roots or the working folder. It calls warn with messages for a person.
func New(places memdir.Places, warn func(string)) *Server {
	return &Server{places: places, warn: warn}
}

// Run serves a client until it closes its end or the context is done.
func (s *Server) Run(ctx context.Context, version string, in io.Reader, out io.Writer) error {
	s.version = version
	server := mcp.NewServer(&mcp.Implementation{Name: "memctl", Version: version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}},
		//lint:ignore SA1019 as in root.go
		RootsListChangedHandler: func(context.Context, *mcp.RootsListChangedRequest) { s.roots.forget() },
	})
	s.addTools(server)
	s.addResources(server)
	server.AddReceivingMiddleware(contain)
	client := newConnection(out)
	go client.receive(in)
	err := server.Run(ctx, client)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// contain bounds how many requests run at once, and makes an error of a panic.
func contain(next mcp.MethodHandler) mcp.MethodHandler {
	running := make(chan struct{}, maxRunning)
	return func(ctx context.Context, method string, req mcp.Request) (result mcp.Result, err error) {
		running <- struct{}{}
		defer func() {
			<-running
			if problem := recover(); problem != nil {
				result, err = nil, fmt.Errorf("%s: internal error: %v", method, problem)
			}
		}()
		return next(ctx, method, req)
	}
}
