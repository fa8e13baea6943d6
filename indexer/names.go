package indexer

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files"
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

// said is the text of a memory.
type said struct {
	Path     string           `db:"path"`
	Title    string           `db:"title"`
	Category schemas.Category `db:"category"`
	Text     string           `db:"text"`
}

// named returns the triggers of the files that memories name in their texts. A name without a folder counts if the
// project has one or two such files.
func named(root files.Root, texts []said) (list []trigger) {
	if root.Scope == files.UserScope || root.Project == "" {
		return nil
	}
	bare := map[string]int{}
	for _, t := range texts {
		names := slices.Compact(slices.Sorted(slices.Values(text.FileNames(t.Text))))
		for _, name := range names[:min(len(names), maxNamed)] {
			list = append(list, trigger{NameTrigger, name, t.Path})
			if !strings.Contains(name, "/") {
				bare[name] = 0
			}
		}
		folders := slices.DeleteFunc(text.FolderNames(t.Text), func(name string) bool {
			return !filepath.IsLocal(name) // a stranger may have written the text
		})
		// What matches one is read: only what stands is about it.
		for _, folder := range folders[:min(len(folders), maxNamed)] {
			if info, err := gate.Lstat(filepath.Join(root.Project, filepath.FromSlash(folder))); err == nil &&
				info.IsDir() {
				list = append(list, trigger{FileTrigger, folder, t.Path})
			}
		}
	}
	known := countNames(root.Project, bare)
	return slices.DeleteFunc(list, func(t trigger) bool {
		n, isBare := bare[t.Trigger]
		return isBare && (!known || n == 0 || n > maxOfName)
	})
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
