//go:build !unix

package main

import (
	"context"
	"fmt"
	"os/exec"
)

// become runs another program on the same streams until it ends.
func become(ctx context.Context, std streams, path string, args []string) error {
	program := exec.CommandContext(ctx, path, args...)
	program.Stdin, program.Stdout, program.Stderr = std.In, std.Out, std.Err
	if err := program.Run(); err != nil {
		return fmt.Errorf("run %s: %w", path, err)
	}
	return nil
}
