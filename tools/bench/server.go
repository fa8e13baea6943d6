package main

import (
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect starts an MCP server that runs until the bench ends.
func (b *bed) connect(project string) (*mcp.ClientSession, error) {
	command := exec.CommandContext(b.ctx, b.memctl, "mcp", "--root", project)
	command.Dir, command.Env, command.Stderr = b.dir, b.env, os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	session, err := client.Connect(b.ctx, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		return nil, fmt.Errorf("start the MCP server: %w", err)
	}
	return session, nil
}

// search asks a running server. Only the elapsed time is known.
func (b *bed) search(s stores) func() (sample, error) {
	call := &mcp.CallToolParams{Name: "search", Arguments: map[string]any{"query": s.quiet.prompt}}
	return func() (sample, error) {
		start := time.Now()
		answer, err := s.server.CallTool(b.ctx, call)
		if err == nil && answer.IsError {
			err = fmt.Errorf("the search failed: %v", answer.Content)
		}
		return sample{wall: milliseconds(time.Since(start))}, err
	}
}
