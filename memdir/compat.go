package memdir

import (
	"context"
	"time"
)

// Names returns names, which Folder.List has sorted.
func Names(names []string) []string { return names }

// LockBeside is LockFolder.
func LockBeside(ctx context.Context, folder string, timeout time.Duration) (*Lock, error) {
	return LockFolder(ctx, folder, timeout)
}

// LookAtStopFlag is CheckStopFlag.
func LookAtStopFlag(project string, now time.Time) (counts bool, err error) {
	return CheckStopFlag(project, now)
}

// Look is ListAll.
func (s *Sessions) Look() (files []SessionFile, strays []Stray, err error) { return s.ListAll() }
