package clients

import (
	"os"
	"path/filepath"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/triage"

	"github.com/google/uuid"
)

// ScoreSession scores the transcript of a session of Claude Code, which names the file
// for the session. It reports false if there is none.
func ScoreSession(session string, cfg schemas.Config) (report triage.Report, found bool, err error) {
	if id, err := uuid.Parse(session); err != nil || id.String() != session {
		return report, false, nil
	}
	home := os.Getenv(Claude.home)
	if home == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return report, false, nil
		}
		home = filepath.Join(user, ".claude")
	}
	projects := filepath.Join(home, "projects")
	folders, err := os.ReadDir(projects)
	if err != nil {
		return report, false, nil
	}
	for _, folder := range folders {
		file, size, err := memdir.OpenWithin(filepath.Join(projects, folder.Name(), session+".jsonl"), projects)
		if err != nil {
			continue
		}
		defer file.Close()
		report, err = Score(file, size, cfg)
		return report, true, err
	}
	return report, false, nil
}
