package memdir

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// The stop flag says that a stop was blocked in a project and that the next one
// may pass. Clients say so themselves by now (stop_hook_active).
const (
	claudeFolder = ".claude"
	stopFlag     = claudeFolder + "/.stop_hook_active"
	stopFlagLife = 300 * time.Second
)

// TakeStopFlag removes the project's stop flag and tells whether there was one
// that still counts.
func TakeStopFlag(project string, now time.Time) bool {
	dir, err := os.OpenRoot(project)
	if err != nil {
		return false
	}
	defer dir.Close()
	info, err := dir.Lstat(stopFlag)
	if err != nil || info.IsDir() {
		return false
	}
	dir.Remove(stopFlag)
	return info.Mode().IsRegular() && now.Sub(info.ModTime()) < stopFlagLife
}

// SetStopFlag sets the project's stop flag, unless something stands in its place.
// Links are not followed out of the project.
func SetStopFlag(project string) error {
	dir, err := os.OpenRoot(project)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Mkdir(claudeFolder, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	file, err := dir.OpenFile(stopFlag, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return file.Close()
}
