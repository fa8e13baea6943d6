//go:build !linux

package memdir

func isFolderWithoutLinks(string) bool { return false }
