//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"syscall"
)

// become puts another program in the place of this process.
func become(_ context.Context, _ streams, path string, args []string) error {
	err := syscall.Exec(path, append([]string{path}, args...), os.Environ())
	return fmt.Errorf("start %s: %w", path, err)
}
