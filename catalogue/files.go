package catalogue

import (
	"fmt"
	"os"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/schemas"
)

// stateOf describes what changes with the files of a root: the times of its folders, and of
// its index, into which memctl takes what was edited in place. It is "" if the next change
// may leave it the same.
func stateOf(root memdir.Root) string {
	names := []string{memdir.ConfigName, memdir.IndexName, memdir.IndexName + "-wal"}
	for _, info := range schemas.Categories {
		names = append(names, info.Folder)
	}
	now := time.Now().UnixNano()
	var state strings.Builder
	for _, name := range names {
		info, err := os.Lstat(root.Join(name))
		if err != nil || info.Size() == 0 && info.Mode().IsRegular() { // an empty log is none
			state.WriteString("- ")
			continue
		}
		mtime := info.ModTime().UnixNano()
		if !memdir.Settled(mtime, now) {
			return ""
		}
		fmt.Fprintf(&state, "%d:%d ", mtime, info.Size())
	}
	return state.String()
}

// folder is a category folder with what the file system says of its files. It has none if
// it does not exist.
type folder struct {
	*memdir.Folder
	name  string
	files []memdir.Stat
}

// openFolders opens and lists the category folders of a root.
func openFolders(root memdir.Root) ([]folder, error) {
	var folders []folder
	for _, info := range schemas.Categories {
		f, err := openFolder(root, info.Folder)
		if err != nil {
			closeFolders(folders)
			return nil, err
		}
		folders = append(folders, f)
	}
	return folders, nil
}

func openFolder(root memdir.Root, name string) (folder, error) {
	f := folder{name: name}
	var err error
	if f.Folder, err = root.OpenFolder(name); err != nil || f.Folder == nil {
		return f, err
	}
	for more := true; more && err == nil; {
		var part []memdir.Stat
		part, more, err = f.NextStats()
		f.files = append(f.files, part...)
	}
	if err != nil {
		f.Close()
	}
	return f, err
}

func closeFolders(folders []folder) {
	for _, f := range folders {
		if f.Folder != nil {
			f.Close()
		}
	}
}
