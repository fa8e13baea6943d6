package hooks

import (
	"runtime/debug"
	"time"
)

const (
	// maxMemory is what the Go runtime may hold, in bytes, before it collects garbage at
	// any cost. With the program itself and SQLite a hook stays below 64 MiB.
	maxMemory = 24 << 20
	// smallEvent is the size of an event, in bytes, that needs little memory.
	smallEvent = 64 << 10
	// quickAnswer is how long most hooks take at most. Setting the limit stops the
	// world, so they do without.
	quickAnswer = 20 * time.Millisecond
)

// LimitMemory limits the memory of this process.
func LimitMemory() { debug.SetMemoryLimit(maxMemory) }
