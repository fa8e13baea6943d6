package memdir

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// userRootVariable names the root of the user's own memories.
const userRootVariable = "MEMCTL_USER_ROOT"

// UserRoot returns the root of the user's own memories, which hold in every project: the
// one that MEMCTL_USER_ROOT names, else ~/.claude/memory. It returns false if there is
// none. It refuses a variable that names a folder of the project, because a project's
// settings can set variables.
func UserRoot() (Root, bool, error) {
	path := os.Getenv(userRootVariable)
	if path != "" {
		if err := outsideProject(path); err != nil {
			return Root{}, false, fmt.Errorf("%s: %w", userRootVariable, err)
		}
	} else {
		home, err := os.UserHomeDir()
		if err != nil {
			return Root{}, false, err
		}
		path = filepath.Join(home, filepath.FromSlash(RootPath))
	}
	root, err := open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Root{}, false, nil
	}
	return root, err == nil, err
}

// outsideProject refuses a path in the project that memctl works in.
func outsideProject(path string) error {
	places := PlacesFromEnv("", "")
	project := cmp.Or(places.ProjectDir, ".")
	if root, err := Find(places); err == nil {
		project = root.Project
	}
	project, err := filepath.Abs(project)
	if err != nil {
		return err
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	for _, resolved := range [][2]string{{project, path}, {resolve(project), resolve(path)}} {
		if rel, err := filepath.Rel(resolved[0], resolved[1]); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("%s lies in the project %s", path, project)
		}
	}
	return nil
}

// resolve follows links, as far as the path exists.
func resolve(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return path
}
