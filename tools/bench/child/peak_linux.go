package child

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// peak is the largest resident size that the program had, in bytes.
func peak(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(usage.Maxrss) << 10 // Linux counts KiB
}

// ownPeak is this address space's high-water mark, in bytes. getrusage would
// include the one that this process was itself started with.
func ownPeak() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	line, _, _ := bytes.Cut(rest, []byte(" kB"))
	kib, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}
