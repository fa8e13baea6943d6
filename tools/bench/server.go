package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	serverRequests = 10_000
	// growthTarget is how much larger the server may be after all requests than
	// after the first tenth of them: the collector of garbage has its swings.
	growthTarget = 1.15
)

// serverReport is what became of an MCP server that answered many requests in a
// row.
type serverReport struct {
	Requests int     `json:"requests"`
	MeanMS   float64 `json:"mean_ms"`
	EarlyMiB float64 `json:"early_mib"` // resident after a tenth of the requests
	LateMiB  float64 `json:"late_mib"`  // after all; 0 where the system does not tell
	Growth   float64 `json:"growth"`
	Met      bool    `json:"met"`
}

// askServer asks one server in turn for everything it reads.
func askServer(ctx context.Context, p *programs) (r serverReport, err error) {
	project, err := p.sample()
	if err != nil {
		return r, err
	}
	progress("asking the MCP server %d times", serverRequests)
	command := exec.CommandContext(ctx, p.memctl, "mcp", "--root", project)
	command.Env, command.Stderr = plainEnv(os.Environ()), os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		return r, fmt.Errorf("start the MCP server: %w", err)
	}
	defer session.Close()
	calls := []*mcp.CallToolParams{
		{Name: "search", Arguments: map[string]any{"query": "kafka message size"}},
		{Name: "timeline", Arguments: map[string]any{"ids": []string{"kafka-message-size"}}},
		{Name: "get", Arguments: map[string]any{"ids": []string{"kafka-message-size"}}},
	}
	r.Requests = serverRequests
	started := time.Now()
	for i := range serverRequests {
		answer, err := session.CallTool(ctx, calls[i%len(calls)])
		if err != nil || answer.IsError {
			return r, fmt.Errorf("request %d of the MCP server failed: %w", i+1, err)
		}
		if i+1 == serverRequests/10 {
			r.EarlyMiB = residentMiB(command.Process.Pid)
		}
	}
	r.MeanMS = float64(time.Since(started).Microseconds()) / 1000 / serverRequests
	r.LateMiB = residentMiB(command.Process.Pid)
	if r.EarlyMiB > 0 {
		r.Growth = r.LateMiB / r.EarlyMiB
	}
	r.Met = r.Growth <= growthTarget
	return r, nil
}

// residentMiB is what a process has in memory now; 0 where the system does not
// tell so.
func residentMiB(pid int) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmRSS:"))
	line, _, _ := bytes.Cut(rest, []byte(" kB"))
	kib, err := strconv.ParseFloat(string(bytes.TrimSpace(line)), 64)
	if err != nil {
		return 0
	}
	return kib / 1024
}

func (r serverReport) print(w io.Writer) {
	fmt.Fprint(w, "\n### The MCP server\n\n")
	fmt.Fprintln(w, "| requests in a row | mean ms | resident MiB after a tenth | after all | growth | target | |")
	fmt.Fprintln(w, "|--:|--:|--:|--:|--:|--:|---|")
	printRow(w, []string{
		strconv.Itoa(r.Requests), millis(r.MeanMS), fmt.Sprintf("%.1f", r.EarlyMiB), fmt.Sprintf("%.1f", r.LateMiB),
		fmt.Sprintf("%.2f x", r.Growth), fmt.Sprintf("≤ %.2f x", growthTarget), verdict(r.Met),
	})
}
