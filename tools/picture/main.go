// Command picture draws docs/prompt.svg, the picture in README.md: what a person sees of
// memctl in a session of Claude Code. It draws the screen that a test has recorded from
// the real client ("make e2e").
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	recording := flag.String("recording", "cmd/memctl/testdata/screen/session.txt", "the screen to draw")
	out := flag.String("out", "docs/prompt.svg", "the picture to write")
	flag.Parse()
	if err := run(*recording, *out); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(recording, out string) error {
	screen, err := os.ReadFile(recording)
	if err != nil {
		return err
	}
	return os.WriteFile(out, draw(string(screen)), 0o644)
}
