package gate

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestANamedPathStaysInItsFolder(t *testing.T) {
	project, outside := tree(t)
	for name, want := range map[string]error{
		"file":                         nil,
		"in":                           nil,
		"sub/../file":                  nil,
		"nothing":                      os.ErrNotExist,
		"":                             ErrOutside,
		"~/file":                       ErrOutside,
		"../outside/file":              ErrOutside,
		filepath.Join(outside, "file"): ErrOutside,
		filepath.Join(project, "file"): ErrOutside,
		"out":                          ErrLeadsOut,
		"folder-out/file":              ErrLeadsOut,
		"git":                          ErrGit,
		".git/config":                  ErrGit,
		"sub/../.GIT/config":           ErrGit,
	} {
		t.Run(name, func(t *testing.T) {
			for _, owner := range []Owner{Project, User} {
				place := Place{project, owner}
				if _, err := place.ReadNamed(Name(name), 100); !errors.Is(err, want) || (err == nil) != (want == nil) {
					t.Errorf("read: %v", err)
				}
				dir, file, err := place.LocateNamed(Name(name))
				if !errors.Is(err, want) || (err == nil) != (want == nil) {
					t.Errorf("located %s: %v", file, err)
				}
				if dir != nil {
					dir.Close()
				}
			}
		})
	}
}

func TestANamedPathIsTextInAFile(t *testing.T) {
	var line struct{ Source Named }
	const said = `{"Source":"docs/a.md"}`
	if err := json.Unmarshal([]byte(said), &line); err != nil || line.Source != Name("docs/a.md") {
		t.Errorf("%v, %v", line, err)
	}
	if data, err := json.Marshal(line); err != nil || string(data) != said {
		t.Errorf("%s, %v", data, err)
	}
}
