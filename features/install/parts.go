package install

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"memctl/files"
	"memctl/files/gate"
	"memctl/text"
)

// parts are the folders of a repository that have memories, instructions or a manifest of their own. Their paths are
// as seen from the project.
type parts struct {
	Top   string   `json:"top,omitempty"`    // of the repository, if it has no memories and the project is a part of it
	Apart []string `json:"with_memories"`    // that have memories of their own
	Alike []string `json:"without_memories"` // below the project, which share its memories
}

const (
	maxPartDepth   = 3    // levels below the top of the repository
	maxPartEntries = 5000 // of folders that are listed
	maxPartsShown  = 4
)

// partMarks are files, or the ends of their names, by which a folder is a part.
var partMarks = []string{"CLAUDE.md", "AGENTS.md", "package.json", "go.mod", "Cargo.toml", "pyproject.toml", "pom.xml",
	"build.gradle", "build.gradle.kts", "composer.json", "Gemfile", ".gemspec", "mix.exs", ".csproj", "pubspec.yaml",
	"Package.swift"}

// notParts are folders of others' code, or of none.
var notParts = []string{"node_modules", "vendor", "third_party", "testdata", "target", "dist", "build"}

// partsOf returns the parts of the repository of a project, nil if it has at most one. It looks at the upper levels.
func partsOf(project string) *parts {
	top := topOf(project)
	p := &parts{Apart: []string{}, Alike: []string{}}
	if _, err := gate.Lstat(filepath.Join(top, filepath.FromSlash(files.RootPath))); err != nil && top != project {
		p.Top = top
	}
	listed := 0
	for folders := []string{"."}; len(folders) > 0 && listed < maxPartEntries; folders = folders[1:] {
		folder, marked := folders[0], false
		entries, _ := gate.List(filepath.Join(top, filepath.FromSlash(folder))) // of one that can be listed
		listed += len(entries)
		for _, e := range entries {
			switch name := e.Name(); {
			case !e.IsDir():
				marked = marked || slices.Contains(partMarks, name) || slices.Contains(partMarks, path.Ext(name))
			case !strings.HasPrefix(name, ".") && !slices.Contains(notParts, name) &&
				strings.Count(path.Join(folder, name), "/") < maxPartDepth:
				folders = append(folders, path.Join(folder, name))
			}
		}
		p.add(project, filepath.Join(top, filepath.FromSlash(folder)), marked)
	}
	if p.Top == "" && len(p.Apart) == 0 && len(p.Alike) < 2 {
		return nil
	}
	return p
}

// add adds a folder if it is a part.
func (p *parts) add(project, folder string, marked bool) {
	rel, err := filepath.Rel(project, folder)
	if err != nil || rel == "." {
		return
	}
	root, err := files.At(folder)
	switch {
	case err == nil && root.Shown == files.RootPath:
		p.Apart = append(p.Apart, filepath.ToSlash(rel))
	case marked && filepath.IsLocal(rel):
		p.Alike = append(p.Alike, filepath.ToSlash(rel))
	}
}

// topOf is the top of the repository that a folder is in, or the folder itself.
func topOf(folder string) string {
	for top := folder; top != filepath.Dir(top) && !files.IsHome(top); top = filepath.Dir(top) {
		if _, err := gate.Lstat(filepath.Join(top, ".git")); err == nil {
			return top
		}
	}
	return folder
}

// Shown are the first of some parts.
func (p *parts) Shown(list []string) string {
	return strings.Join(list[:min(len(list), maxPartsShown)], ", ") + text.AndMore(len(list)-maxPartsShown)
}

// Example is a part for an example.
func (p *parts) Example() string { return slices.Concat(p.Alike, []string{"FOLDER"})[0] }
