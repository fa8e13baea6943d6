package main

import "os"

// soak returns full with MEMCTL_SOAK set, as "make soak" does, else few. It is for the
// sizes and repetitions of tests that take minutes at full size.
func soak(few, full int) int {
	if os.Getenv("MEMCTL_SOAK") != "" {
		return full
	}
	return few
}
