package memdir

import (
	"os"
	"path/filepath"
	"strings"
)

// News are lines for the person that no hook has shown yet. They wait in the state folder for
// the next hook of any project and client.

const (
	newsName  = "news"
	newsLimit = 64 << 10 // bytes
	newsStart = "memctl: "
)

// AddNews keeps a line for the person, as far as it can.
func AddNews(line string) {
	state, err := OpenState()
	if err != nil {
		return
	}
	defer state.Close()
	_ = state.Append(newsName, []byte(newsStart+line+"\n"), newsLimit)
}

// TakeNews returns the lines and forgets them. Mostly there are none, which costs one system
// call.
func TakeNews() string {
	folder, err := stateFolder()
	if err != nil {
		return ""
	}
	if _, err := os.Lstat(filepath.Join(folder, stateName, newsName)); err != nil {
		return ""
	}
	state, err := OpenState()
	if err != nil {
		return ""
	}
	defer state.Close()
	lines, err := state.ReadJournal(newsName, newsLimit)
	if err != nil || state.Remove(newsName) != nil {
		return ""
	}
	_ = state.Remove(newsName + oldSuffix)
	var news []string
	for line := range strings.Lines(string(lines)) {
		if strings.HasPrefix(line, newsStart) {
			news = append(news, strings.TrimSpace(line))
		}
	}
	return strings.Join(news, "\n")
}
