package store

import (
	"context"
	"path"
	"strings"
	"time"

	"memctl/memdir"
	"memctl/schemas"
	"memctl/text"
)

// CheckFile returns every violation of a file in a category's folder: of its schema,
// and of the name and folder that its id and category require. Where git.history is true, too many tags
// are for review to report.
func CheckFile(root memdir.Root, folder *memdir.Folder, name string, category schemas.Category) []schemas.Violation {
	return checkAs(root, folder, name, name, category)
}

// checkAs checks the file called current as if it were called name.
func checkAs(
	root memdir.Root, folder *memdir.Folder, current, name string, category schemas.Category,
) []schemas.Violation {
	data, _, err := folder.Read(current)
	if err != nil {
		return []schemas.Violation{Unreadable(err)}
	}
	found := schemas.ValidateAs(name, category, data)
	if len(found) == 0 {
		return nil
	}
	if cfg, _, err := root.Config(); err == nil && cfg.Git.History {
		return schemas.Merged(found)
	}
	return found
}

// CheckPath is CheckFile for any path below the root.
func CheckPath(root memdir.Root, at string) []schemas.Violation { return checkAside(root, at, at) }

// checkAside is CheckPath for a file of that path that was renamed within its folder.
func checkAside(root memdir.Root, aside, at string) []schemas.Violation {
	category, ok := schemas.CategoryOfPath(at)
	if !ok {
		folders := strings.Join(schemas.Folders(), "/, ") + "/"
		return []schemas.Violation{{Rule: "folder", Expected: "a file directly in one of " + folders, Got: at}}
	}
	folder, err := root.OpenFolder(path.Dir(at))
	if err != nil {
		return []schemas.Violation{Unreadable(err)}
	}
	if folder == nil {
		return nil // the folder was removed meanwhile
	}
	defer folder.Close()
	return checkAs(root, folder, path.Base(aside), path.Base(at), category)
}

// Unreadable returns the violation of a file that cannot be read.
func Unreadable(err error) schemas.Violation {
	return schemas.Violation{Rule: "file", Expected: "a readable memory file", Got: text.Printable(err.Error())}
}

// SetAside checks a file that something else has written. It renames an invalid one, so that
// memctl does not read it, and returns the new path and what is wrong. There are no violations
// if the file is valid or gone, or if a valid one has taken its place meanwhile.
func SetAside(
	ctx context.Context, root memdir.Root, at string,
) (aside string, violations []schemas.Violation, err error) {
	if violations = CheckPath(root, at); len(violations) == 0 {
		return "", nil, nil
	}
	return setAside(ctx, root, at, violations)
}

func setAside(
	ctx context.Context, root memdir.Root, at string, violations []schemas.Violation,
) (string, []schemas.Violation, error) {
	aside, err := root.SetAside(ctx, at, time.Now(), func(aside string) bool {
		now := checkAside(root, aside, at)
		if len(now) > 0 {
			violations = now
		}
		return len(now) == 0
	})
	if aside == "" && err == nil {
		return "", nil, nil
	}
	return aside, violations, err
}
