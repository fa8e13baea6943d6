package gate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// tree makes a project with links, and a folder outside of it.
func tree(t *testing.T) (project, outside string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	project, outside = filepath.Join(top, "project"), filepath.Join(top, "outside")
	for _, folder := range []string{"project/.git", "project/sub", "outside"} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(top, folder), 0o755))
	}
	for _, file := range []string{"project/file", "project/.git/config", "outside/file"} {
		err = errors.Join(err, os.WriteFile(filepath.Join(top, file), []byte(file), 0o644))
	}
	for link, target := range map[string]string{
		"in": "file", "absolute": filepath.Join(project, "file"), "out": "../outside/file", "folder-out": "../outside",
		"dangling": "../outside/new", "git": ".git/config", "loop": "loop", "there-and-back": "../project/file",
	} {
		err = errors.Join(err, os.Symlink(target, filepath.Join(project, link)))
	}
	if err != nil {
		t.Skip(err) // no links
	}
	return project, outside
}

func TestLinksOfAProjectStayInIt(t *testing.T) {
	project, outside := tree(t)
	for name, want := range map[string]struct {
		data    string
		err     error
		forUser string // what a person's own link leads to
	}{
		"file":            {data: "project/file"},
		"in":              {data: "project/file"},
		"absolute":        {data: "project/file"},
		"there-and-back":  {data: "project/file"},
		".git/config":     {data: "project/.git/config"},
		"out":             {err: ErrLeadsOut, forUser: "outside/file"},
		"folder-out/file": {err: ErrLeadsOut, forUser: "outside/file"},
		"dangling":        {err: ErrLeadsOut},
		"git":             {err: ErrGit, forUser: "project/.git/config"},
		"../outside/file": {err: ErrOutside, forUser: "outside/file"},
		"loop":            {err: syscall.ELOOP},
		"sub":             {err: ErrNotFile},
		"nothing":         {err: os.ErrNotExist},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(project, name)
			data, err := Place{Folder: project}.Read(path, 100)
			if string(data) != want.data || !errors.Is(err, want.err) && want.err != syscall.ELOOP || (err == nil) != (want.err == nil) {
				t.Errorf("a stranger's: %q, %v", data, err)
			}
			if data, _ := (Place{project, User}).Read(path, 100); string(data) != want.data+want.forUser {
				t.Errorf("the person's: %q", data)
			}
			dir, _, err := Place{Folder: project}.Parent(path)
			if err == nil {
				if strings.HasPrefix(dir.Name(), outside) {
					t.Errorf("it would be written in %s", dir.Name())
				}
				dir.Close()
			}
		})
	}
	if _, err := (Place{Folder: project}).Read(filepath.Join(project, "file"), 3); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a file over its limit: %v", err)
	}
}

// A link that replaces a folder after Leads has looked leads nowhere.
func TestAFolderThatBecomesALink(t *testing.T) {
	project, _ := tree(t)
	place := Place{Folder: project}
	target, err := place.Leads(filepath.Join(project, "sub", "file"))
	if err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(project, "sub")
	if err := errors.Join(os.Remove(sub), os.Symlink("../outside", sub)); err != nil {
		t.Fatal(err)
	}
	if dir, err := place.enter(filepath.Dir(target)); err == nil {
		t.Errorf("opened %s", dir.Name())
	}
}
