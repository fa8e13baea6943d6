package main

import (
	"testing"

	"memctl/cmd/command"
)

func TestSize(t *testing.T) {
	t.Parallel()
	for bytes, want := range map[int64]string{0: "0 KiB", 1: "1 KiB", 1024: "1 KiB", 1025: "2 KiB", 1 << 20: "1.0 MiB", 5 << 19: "2.5 MiB"} {
		if got := command.SizeOf(bytes); got != want {
			t.Errorf("%d bytes are %q, want %q", bytes, got, want)
		}
	}
}
