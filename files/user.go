package files

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"memctl/files/gate"
	"memctl/schemas"
)

// userRootVariable names the root of the user's own memories.
const userRootVariable = "MEMCTL_USER_ROOT"

// ErrNoUserRoot means that the user has no root of their own memories.
var ErrNoUserRoot = errors.New("you have no memory root of your own")

// Other returns the user's scope for a project's, and a project's for the user's.
func (s Scope) Other() Scope {
	if s == UserScope {
		return ProjectScope
	}
	return UserScope
}

// String returns the word for the scope that commands take.
func (s Scope) String() string { return cmp.Or(string(s), "project") }

// Kind says in a word or a few what the memories of a scope are, "" for a project's.
func (s Scope) Kind() string {
	if s == NotesScope {
		return "a note of Claude Code"
	}
	return string(s)
}

// Own names the memories of a scope for a person.
func (s Scope) Own() string {
	if s == UserScope {
		return "your own memories"
	}
	return "the project's memories"
}

// UserRoot returns the root of the user's own memories, which hold in every project: the
// one that MEMCTL_USER_ROOT names, else ~/.claude/memory. It returns false if there is
// none, or if that folder is another tool's. It refuses a variable that names a folder of the project, because a
// project's settings can set variables.
func UserRoot() (Root, bool, error) {
	path, err := userPath()
	if err != nil {
		return Root{}, false, err
	}
	root, err := openAnywhere(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Root{}, false, nil
	}
	if err != nil {
		return Root{}, false, err
	}
	if os.Getenv(userRootVariable) == "" && root.checkOwn() != nil {
		return Root{}, false, nil
	}
	return root.asUsers(path), true, nil
}

// UserConfig returns the configuration of the user's root.
func UserConfig() (schemas.Config, error) {
	root, found, err := UserRoot()
	if err != nil {
		return schemas.Config{}, fmt.Errorf("the user's memory root: %w", err)
	}
	if !found {
		return schemas.DefaultConfig(), nil
	}
	cfg, _, err := root.Config()
	return cfg, err
}

// IsUsers reports whether a root is the user's, whose configuration holds what a project's may
// not decide.
func IsUsers(root Root) bool {
	if root.Scope == UserScope {
		return true
	}
	user, found, err := UserRoot()
	return err == nil && found && user.Is(root)
}

// FindOrPlanUser returns the user's root, or the one that would be made if there is none. The
// error is a *ForeignError if another tool's folder is in its place.
func FindOrPlanUser() (root Root, planned bool, err error) {
	root, found, err := UserRoot()
	if err != nil || found {
		return root, false, err
	}
	path, err := userPath()
	if err != nil {
		return Root{}, false, err
	}
	root = rootAt(path, path).asUsers(path)
	if foreign := Foreign(path); foreign != nil {
		return root, true, foreign
	}
	return root, true, nil
}

func (r Root) asUsers(path string) Root {
	r.Shown, r.Scope = fromHome(path), UserScope
	return r
}

// IsHome reports whether a folder is the user's home folder. Its .claude/memory is the
// user's root, unless MEMCTL_USER_ROOT names another one.
func IsHome(folder string) bool {
	home, err := os.UserHomeDir()
	return err == nil && (filepath.Clean(folder) == filepath.Clean(home) || gate.SameFile(folder, home))
}

// userPath returns where the user's root is, or would be.
func userPath() (string, error) {
	if path := os.Getenv(userRootVariable); path != "" {
		path = filepath.Clean(absolute(path, "."))
		if err := checkUserPath(path); err != nil {
			return "", fmt.Errorf("%s: %w", userRootVariable, err)
		}
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, filepath.FromSlash(RootPath)), nil
}

// fromHome shortens a path in the home folder to one that begins with "~".
func fromHome(path string) string {
	if home, err := os.UserHomeDir(); err == nil && filepath.Dir(home) != home {
		if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
			path = filepath.Join("~", rel)
		}
	}
	return filepath.ToSlash(path)
}

// errHomeItself keeps memctl from making its folders among those of the home folder.
var errHomeItself = errors.New("expected a folder for memories alone, got the home folder")

// checkUserPath refuses a path in a project that memctl works in.
func checkUserPath(path string) error {
	if IsHome(path) {
		return errHomeItself
	}
	for _, start := range []string{os.Getenv("MEMCTL_ROOT"), os.Getenv("CLAUDE_PROJECT_DIR"), "."} {
		if start == "" {
			continue
		}
		start, err := filepath.Abs(start)
		if err != nil {
			return err
		}
		if project := projectAround(path, start); project != "" {
			return fmt.Errorf("%s is in the project %s", path, project)
		}
	}
	return nil
}

// projectAround returns the project that holds path, if start lies in that project too:
// start itself, or a folder above it with settings of a client or a repository. The home
// folder is no project: its settings are the user's.
func projectAround(path, start string) string {
	for dir := start; dir != filepath.Dir(dir) && !IsHome(dir); dir = filepath.Dir(dir) {
		if (dir == start || exists(filepath.Join(dir, ".claude")) || exists(filepath.Join(dir, ".git"))) &&
			(gate.Contains(dir, path) || gate.Contains(resolve(dir), resolve(path))) {
			return dir
		}
	}
	return ""
}

// PlaceOf says who wrote what is at a path that a person names: strangers, if it lies in a
// repository, or in a folder with settings of a client.
func PlaceOf(path string) (gate.Place, error) {
	path, err := filepath.Abs(path)
	for _, mark := range []string{".git", ".claude"} {
		for dir := filepath.Dir(path); err == nil && dir != filepath.Dir(dir) && !IsHome(dir); dir = filepath.Dir(dir) {
			if exists(filepath.Join(dir, mark)) {
				return gate.Place{Folder: dir}, nil
			}
		}
	}
	return gate.Place{Folder: filepath.Dir(path), Owner: gate.User}, err
}

func exists(path string) bool {
	_, err := gate.Lstat(path)
	return err == nil
}

// resolve follows links, as far as the path exists.
func resolve(path string) string {
	target, _ := gate.Follow(path)
	return strings.TrimSuffix(target, string(filepath.Separator))
}
