package main

import (
	_ "embed"
	"io/fs"
	"os"
	"path/filepath"
)

// pluginLauncher picks the binary for the system that it runs on.
//
//go:embed templates/launcher.sh
var pluginLauncher []byte

// pluginParts are the folders of the repository that are the plugin.
var pluginParts = []string{".claude-plugin", "commands", "skills"}

// plugin makes a folder that is the plugin and its marketplace, with a binary for each
// platform.
func (r *release) plugin() error {
	files, err := r.pluginFiles()
	if err != nil {
		return err
	}
	folder := filepath.Join(r.out, "plugin")
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(folder, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.data, f.mode); err != nil {
			return err
		}
	}
	return nil
}

// pluginFiles are the launcher, a binary for each platform, and what is in the repository.
// Windows starts the MCP server without a shell and finds memctl.exe next to the launcher;
// on arm64 it emulates amd64.
func (r *release) pluginFiles() ([]file, error) {
	files := []file{{"bin/memctl", 0o755, pluginLauncher}}
	for _, p := range r.platforms {
		name := "memctl-" + p.OS + "-" + p.Arch
		switch p.String() {
		case "windows/amd64":
			name = "memctl.exe"
		case "windows/arm64":
			continue
		}
		files = append(files, file{"bin/" + name, 0o755, p.memctl().binary},
			file{"licences/" + name + ".txt", 0o644, licenceTexts(p.memctl().modules)})
	}
	for _, name := range []string{"LICENSE", "hooks/hooks.json"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, 0o644, data})
	}
	for _, part := range pluginParts {
		err := fs.WalkDir(os.DirFS(part), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := os.ReadFile(filepath.Join(part, name))
			files = append(files, file{part + "/" + filepath.ToSlash(name), 0o644, data})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}
