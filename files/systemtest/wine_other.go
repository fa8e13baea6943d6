//go:build !windows

package systemtest

// IsWine is false: Wine runs programs for Windows.
func IsWine() bool { return false }
