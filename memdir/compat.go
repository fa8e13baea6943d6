package memdir

import (
	"context"
	"time"
)

// LockBeside is LockFolder.
func LockBeside(ctx context.Context, folder string, timeout time.Duration) (*Lock, error) {
	return LockFolder(ctx, folder, timeout)
}

// LookAtStopFlag is CheckStopFlag.
func LookAtStopFlag(project string, now time.Time) (counts bool, err error) {
	return CheckStopFlag(project, now)
}
