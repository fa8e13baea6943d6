package indexer

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files/gate"
	"memctl/schemas"
	"memctl/text"
)

const (
	// maxNamed is how many files a memory's text names at most, and how many folders; another one is about all of them.
	maxNamed = 12
	// maxOfName is how many files of the project a name without a folder may mean.
	maxOfName = 2
	// maxListed is how many files and folders of the project are looked at.
	maxListed = 20_000
)

// LeastOfTitle is how many words of a title have to be in what a tool writes, at least.
const LeastOfTitle = 3

// memoryText is the text of an active memory.
type memoryText struct {
	ID       int64            `db:"memory_id"`
	Path     string           `db:"path"`
	Title    string           `db:"title"`
	Category schemas.Category `db:"category"`
	Text     string           `db:"text"`
}

// triggers returns the triggers of the title and of the files and folders named in the text.
func (s memoryText) triggers() (list []trigger) {
	if s.Category == schemas.SessionSummary {
		return nil
	}
	// A runbook says what to do when it is asked for.
	if words := text.Singular(s.Title); len(words) >= LeastOfTitle && s.Category != schemas.Runbook {
		list = append(list, trigger{TitleTrigger, strings.Join(words, " "), s.Path})
	}
	names, folders := text.Names(s.Text)
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	for _, name := range names[:min(len(names), maxNamed)] {
		list = append(list, trigger{NameTrigger, name, s.Path})
	}
	folders = slices.DeleteFunc(folders, func(name string) bool {
		return !filepath.IsLocal(name) // a stranger may have written the text
	})
	for _, folder := range folders[:min(len(folders), maxNamed)] {
		list = append(list, trigger{namedFolder, folder, s.Path})
	}
	return list
}

// isFolder reports whether a project has a folder.
func isFolder(project, folder string) bool {
	info, err := gate.Lstat(filepath.Join(project, filepath.FromSlash(folder)))
	return err == nil && info.IsDir()
}

// addBare adds the names without a folder that one or two files of the project have.
func (a *triggerLines) addBare() {
	counts := map[string]int{}
	for _, t := range a.bare {
		counts[t.Trigger] = 0
	}
	known := countNames(a.root.Project, counts)
	for _, t := range a.bare {
		if n := counts[t.Trigger]; known && n > 0 && n <= maxOfName {
			a.lines.WriteString(t.line())
		}
	}
}

// passedOver are folders without files that people write.
var passedOver = []string{"node_modules", "vendor", "dist", "target", "venv", "__pycache__"}

// countNames counts the files of a project that have the names, and reports whether it has looked at all of them. It
// runs no git.
func countNames(project string, names map[string]int) bool {
	if len(names) == 0 {
		return true
	}
	return gate.Below(project, maxListed, func(name string) bool { return slices.Contains(passedOver, name) },
		func(below string) bool {
			if _, wanted := names[path.Base(below)]; wanted {
				names[path.Base(below)]++
			}
			return true
		})
}
