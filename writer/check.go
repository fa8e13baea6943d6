package writer

import (
	"path"
	"strings"

	"memctl/git/merge"
	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// CheckFile returns every violation of a file in a category's folder: of its schema,
// and of the name and folder that its id and category require.
func CheckFile(folder *memdir.Folder, name string, category schemas.Category) []schemas.Violation {
	return checkAs(folder, name, name, category)
}

// checkAs checks the file called current as if it were called name.
func checkAs(folder *memdir.Folder, current, name string, category schemas.Category) []schemas.Violation {
	data, _, err := folder.Read(current)
	if err != nil {
		return []schemas.Violation{Unreadable(err)}
	}
	return checkMemory(name, data, category)
}

func checkMemory(name string, data []byte, category schemas.Category) []schemas.Violation {
	if found := merge.Unresolved(name, data); found != nil {
		return found
	}
	return schemas.ValidateAs(name, category, data)
}

// CheckPath is checkFile for any path below the root.
func CheckPath(root memdir.Root, at string) []schemas.Violation { return CheckAside(root, at, at) }

// CheckAside is CheckPath for a file of that path that was renamed within its folder.
func CheckAside(root memdir.Root, aside, at string) []schemas.Violation {
	category, ok := schemas.CategoryOfPath(at)
	if !ok {
		return outsideCategories(at)
	}
	folder, err := root.OpenFolder(path.Dir(at))
	if err != nil {
		return []schemas.Violation{Unreadable(err)}
	}
	if folder == nil {
		return nil // the folder was removed meanwhile
	}
	defer folder.Close()
	return checkAs(folder, path.Base(aside), path.Base(at), category)
}

func outsideCategories(at string) []schemas.Violation {
	return []schemas.Violation{{Rule: "folder", Expected: "a file directly in one of " + categoryFolders(), Got: at}}
}

func categoryFolders() string {
	var names []string
	for _, info := range schemas.Categories {
		names = append(names, info.Folder+"/")
	}
	return strings.Join(names, ", ")
}

// Unreadable returns the violation of a file that cannot be read.
func Unreadable(err error) schemas.Violation {
	return schemas.Violation{Rule: "file", Expected: "a readable memory file", Got: text.Printable(err.Error())}
}
