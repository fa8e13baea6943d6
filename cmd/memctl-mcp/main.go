// Command memctl-mcp is what "memctl mcp" starts: the MCP server. It is a program
// of its own because the SDK links HTTP and TLS, whose initialisation would cost
// every prompt (docs/decisions/0004-mcp-server-of-its-own.md).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"memctl/mcpserver"
	"memctl/memdir"
	_ "memctl/patterns/re2"
	"memctl/text"
)

// commit is set by the linker, as memctl's is (see the Makefile).
var commit = "unknown commit"

func main() {
	os.Exit(run())
}

func run() int {
	root := flag.String("root", "", "the project or memory root `DIR`")
	version := flag.String("as-version", "unknown", "answer as this `VERSION` of memctl")
	built := flag.Bool("commit", false, "say of which commit this program was built, and end")
	flag.Parse()
	if *built {
		fmt.Println(commit)
		return 0
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	warn := func(said string) { fmt.Fprintf(os.Stderr, "memctl: warning: %s\n", text.Printable(said)) }
	server := mcpserver.New(memdir.PlacesFromEnv(*root, ""), warn)
	if err := server.Run(ctx, *version, os.Stdin, os.Stdout); err != nil && ctx.Err() == nil {
		fmt.Fprintf(os.Stderr, "memctl: error: %s\n", text.Printable(err.Error()))
		return 1
	}
	return 0
}
