package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"memctl/files/gate"
)

// The stop flag means that memctl held up a stop in a project and that the next one
// may pass. Current clients send stop_hook_active for the same purpose. The file names
// the session that was held up; one that names none lets any session stop.
const (
	claudeFolder = ".claude"
	StopFlagName = ".stop_hook_active"
	stopFlag     = claudeFolder + "/" + StopFlagName
	stopFlagLife = 300 * time.Second
)

// TakeStopFlag removes the project's stop flag and reports whether it still counted. It
// leaves the flag of another session where it is. The session is a plain word, or "" for
// an unknown one.
func TakeStopFlag(project, session string, now time.Time) bool {
	dir, err := gate.Enter(project)
	if err != nil {
		return false
	}
	defer dir.Close()
	info, err := dir.Lstat(stopFlag)
	if err != nil || info.IsDir() {
		return false
	}
	counts := info.Mode().IsRegular() && now.Sub(info.ModTime()) < stopFlagLife
	if owner := flagOwner(dir); counts && session != "" && owner != "" && owner != session {
		return false
	}
	dir.Remove(stopFlag)
	return counts
}

// flagSession precedes the session in the stop flag.
const flagSession = "session "

// flagOwner returns the session that the project's stop flag names, "" for none.
func flagOwner(project *gate.Dir) string {
	const longest = 256
	data, err := gate.ReadIn(project, stopFlag, longest)
	owner, found := strings.CutPrefix(string(data), flagSession)
	if err != nil || !found {
		return ""
	}
	return strings.TrimSpace(owner)
}

// CheckStopFlag reports whether the project's stop flag will let the next stop pass. A
// flag that does not count, or anything else in its place, is an error.
func CheckStopFlag(project string, now time.Time) (counts bool, err error) {
	info, err := gate.Lstat(filepath.Join(project, filepath.FromSlash(stopFlag)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("%s: %w, found %s", stopFlag, ErrNotFile, gate.Kind(info.Mode()))
	}
	if age := now.Sub(info.ModTime()); age >= stopFlagLife {
		return false, fmt.Errorf("%s was left behind %v ago", stopFlag, age.Round(time.Minute))
	}
	return true, nil
}

// SetStopFlag sets the project's stop flag for a session. It replaces nothing and
// follows no links out of the project.
func SetStopFlag(project, session string) error {
	return Root{Path: project}.within(func(dir *gate.Dir) error {
		if err := dir.Mkdir(claudeFolder, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		file, err := dir.OpenFile(stopFlag, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		if session != "" {
			_, err = file.WriteString(flagSession + session + "\n")
		}
		return errors.Join(err, file.Close())
	})
}
