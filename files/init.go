package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"memctl/files/gate"
	"memctl/schemas"
)

const gitignoreName = ".gitignore"

// AttributesName is the file that says how git treats the files of a root.
const AttributesName = ".gitattributes"

const gitignore = `# Derived from the memory files; memctl rebuilds it if it is missing.
index.db*
# What tools did in a session: not for review.
observations/
# What a merge left to decide: for one clone only.
*.conflict
`

// Initialized says what Init created and what was there already. Folders end in "/".
type Initialized struct {
	Root    string   `json:"root"`
	Created []string `json:"created"`
	Kept    []string `json:"kept"`
	History bool     `json:"git_history"` // the new root leaves the history of its memories to git's log
}

// Init creates what the memory root at path lacks: the folders, memory-config.json
// with the settings of a new root, and a .gitignore.
func Init(path string) (Initialized, error) { return InitFor(path, func() bool { return false }) }

// InitFor is Init of a root that leaves the history of its memories to git's log, if it is new and git keeps them.
func InitFor(path string, gitKeeps func() bool) (Initialized, error) {
	done := Initialized{Root: path, Created: []string{}, Kept: []string{}}
	if err := (Root{Path: path}).Make(); err != nil {
		return done, err
	}
	return done, Root{Path: path}.within(func(dir *gate.Dir) error {
		for _, info := range schemas.Categories {
			if err := done.makeFolder(dir, info.Folder); err != nil {
				return err
			}
		}
		_, err := gate.Lstat(filepath.Join(path, ConfigName))
		if done.History = errors.Is(err, fs.ErrNotExist) && gitKeeps(); done.History {
			return errors.Join(done.makeFile(dir, ConfigName, schemas.InitialConfigInGit()),
				done.makeFile(dir, gitignoreName, []byte(gitignore)),
				done.makeFile(dir, AttributesName, []byte(SourcesAttributes+"\n")))
		}
		return errors.Join(done.makeFile(dir, ConfigName, schemas.InitialConfig),
			done.makeFile(dir, gitignoreName, []byte(gitignore)))
	})
}

func (i *Initialized) makeFolder(dir *gate.Dir, name string) error {
	path := filepath.Join(i.Root, name)
	info, err := gate.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is in the way: expected a folder", path)
	case err == nil:
		i.Kept = append(i.Kept, name+"/")
		return nil
	}
	i.Created = append(i.Created, name+"/")
	return dir.Mkdir(name, 0o755)
}

// makeFile creates a file unless there is one, or a link of that name.
func (i *Initialized) makeFile(dir *gate.Dir, name string, data []byte) error {
	file, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		i.Kept = append(i.Kept, name)
		return nil
	}
	if err != nil {
		return err
	}
	i.Created = append(i.Created, name)
	_, err = file.Write(data)
	return errors.Join(err, file.Close())
}

// IgnoresIndex reports whether the .gitignore of the memory root at path names the
// index.
func IgnoresIndex(path string) bool {
	data, err := Root{Path: path}.readOptional(gitignoreName, schemas.MaxFileBytes)
	return err == nil && strings.Contains(string(data), IndexName)
}
