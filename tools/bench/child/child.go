// Package child runs programs, one at a time, from a small process of its own, and
// says what each of them took.
//
// The small process is there for the sake of peak memory. On Linux a program is
// started in the address space of its parent (vfork), and execve takes the high-water
// mark of the address space it leaves into the process's ru_maxrss (setmax_mm_hiwater_rss
// in fs/exec.c). A child of a benchmark that once held 60 MiB would never report less
// than 60. The runner stays at a few MiB and reports them as Floor: a peak that is not
// above its floor says only that the program needed no more than that.
package child

// Job is one program to run.
type Job struct {
	Args   []string `json:"args"`   // the program's path and its arguments
	Stdin  string   `json:"stdin"`  // a file
	Stdout string   `json:"stdout"` // a file, emptied first
	Stderr string   `json:"stderr"` // likewise
}

// Result is what a job took.
type Result struct {
	WallNS int64 `json:"wall_ns"`    // from before the start to after the wait
	CPUNS  int64 `json:"cpu_ns"`     // user and system
	Peak   int64 `json:"peak_bytes"` // resident; 0 where it cannot be told
	// Floor is the runner's own peak in bytes, which Peak cannot fall below.
	Floor int64 `json:"floor_bytes"`
	Exit  int   `json:"exit"`
	// Problem says why the program could not be run at all.
	Problem string `json:"problem,omitempty"`
}
