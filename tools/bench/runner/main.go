// Command runner runs the programs that tools/bench measures (package child says
// why the bench does not run them itself).
package main

import (
	"fmt"
	"os"

	"memctl/tools/bench/child"
)

func main() {
	if err := child.Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "runner:", err)
		os.Exit(1)
	}
}
