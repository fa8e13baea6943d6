// Package mcpserver answers MCP clients: the three layers of disclosure and the
// writer as tools, memories as resources. It holds nothing between two requests:
// each opens an index that is up to date and closes it.
//
// The SDK links HTTP and TLS, which would cost every start of memctl, so only the
// program memctl-mcp imports this package.
package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"

	"memctl/indexer"
	"memctl/memdir"
	"memctl/retrieve"
	"memctl/schemas"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// instructions is what a client shows a model before it has loaded any tool.
const instructions = `The project's memory: decisions, constraints, preferences, runbooks, tech debt. Look there before you decide or debug something. ` +
	`Go search, then timeline, then get: each costs more than the one before. Ids, never paths. What the next session should know, save.`

// Server answers one client.
type Server struct {
	places memdir.Places
	warn   func(string)
	roots  clientRoots
}

// New makes a server for the root that places name, else for that of the client's
// roots or the working folder. warn is told what a person should know.
func New(places memdir.Places, warn func(string)) *Server {
	return &Server{places: places, warn: warn}
}

// Run serves a client until it closes its end or the context is done.
func (s *Server) Run(ctx context.Context, version string, in io.Reader, out io.Writer) error {
	server := mcp.NewServer(&mcp.Implementation{Name: "memctl", Version: version}, &mcp.ServerOptions{
		Instructions: instructions,
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}},
		//lint:ignore SA1019 as in root.go
		RootsListChangedHandler: func(context.Context, *mcp.RootsListChangedRequest) { s.roots.forget() },
	})
	s.addTools(server)
	s.addResources(server)
	shared := &messageWriter{out: out, waiting: map[jsonrpc.ID]bool{}}
	err := server.Run(ctx, &mcp.IOTransport{Reader: newMessageReader(in, shared), Writer: shared, MaxLineLength: -1})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// use gives fn the root's memories as they are now.
func (s *Server) use(ctx context.Context, root memdir.Root, fn func(retrieve.Source) error) error {
	return indexer.Use(ctx, root, indexer.Full, func(ix *indexer.Index) error {
		return fn(retrieve.Source{DB: ix.DB, Root: root})
	})
}

func (s *Server) config(root memdir.Root) (schemas.Config, error) {
	cfg, warnings, err := root.Config()
	if err != nil {
		s.warn(err.Error())
		return cfg, fmt.Errorf("%s cannot be read", memdir.ConfigName)
	}
	for _, w := range warnings {
		s.warn(w.String())
	}
	return cfg, nil
}
