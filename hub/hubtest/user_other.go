//go:build !unix

package hubtest

import (
	"errors"
	"os/exec"
)

func unprivileged(*exec.Cmd) {}

func makeFolder() (string, error) { return "", errors.ErrUnsupported }
