package main

import "os"

// soak returns full if MEMCTL_SOAK is set, as "make soak" does, and few otherwise: sizes
// and repetitions of tests that take minutes at full size.
func soak(few, full int) int {
	if os.Getenv("MEMCTL_SOAK") != "" {
		return full
	}
	return few
}
