package store

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"memctl/files"
)

// Where a store looks for its roots, and which of them it only reads.
func TestStoreFindsItsRoots(t *testing.T) {
	project, shared, empty := t.TempDir(), t.TempDir(), t.TempDir()
	own := filepath.Join(t.TempDir(), "own")
	for _, path := range []string{filepath.Join(project, files.RootPath), filepath.Join(shared, files.RootPath)} {
		if _, err := files.Init(path); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		options Options
		user    []string // sources.roots of the user's root; nil if there is none
		root    string   // the folder of the root, or of the planned one
		planned bool
		roots   []files.Scope // that are asked
		fails   bool          // if they are asked
	}{
		"a project": {options: Options{Places: files.Places{Cwd: project}}, root: project,
			roots: []files.Scope{files.ProjectScope}},
		"a project and the user": {options: Options{Places: files.Places{Cwd: project}}, user: []string{}, root: project,
			roots: []files.Scope{files.ProjectScope, files.UserScope}},
		"shared roots, each once": {options: Options{Places: files.Places{Cwd: project}}, root: project,
			user:  []string{project, shared, shared, empty},
			roots: []files.Scope{files.ProjectScope, files.UserScope, files.OtherScope}},
		"the project alone": {options: Options{Places: files.Places{Cwd: project}, Alone: true}, user: []string{shared},
			root: project, roots: []files.Scope{files.ProjectScope}},
		"the first folder with a root": {options: Options{Folders: []string{empty, project, shared}}, root: project,
			roots: []files.Scope{files.ProjectScope}},
		"nothing yet": {options: Options{Places: files.Places{Cwd: empty}}, root: empty, planned: true, fails: true},
		"nothing yet but the user's": {options: Options{Places: files.Places{Cwd: empty}}, user: []string{}, root: empty,
			planned: true, roots: []files.Scope{files.UserScope}},
		"a named folder without one": {options: Options{Places: files.Places{Flag: empty}}, user: []string{}, root: empty,
			planned: true, fails: true},
		"the user's": {options: Options{Places: files.Places{Cwd: project}, Scope: files.UserScope, Alone: true},
			user: []string{shared}, root: own, roots: []files.Scope{files.UserScope}},
		"the user's, planned": {options: Options{Places: files.Places{Cwd: project}, Scope: files.UserScope, Alone: true},
			root: own, planned: true, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("MEMCTL_USER_ROOT", own)
			defer os.RemoveAll(own)
			if tt.user != nil {
				writeUserRoot(t, own, tt.user)
			}
			s := Open(tt.options)
			root, planned, err := s.RootOrPlanned()
			want := filepath.Join(tt.root, files.RootPath)
			if tt.root == own {
				want = own
			}
			if want, linkErr := realPath(want); err != nil || linkErr != nil || root.Path != want || planned != tt.planned {
				t.Errorf("root %s, planned %v (%v, %v), want %s, %v", root.Path, planned, err, linkErr, want, tt.planned)
			}
			if _, err := s.ExistingWriter(); (err != nil) != tt.planned {
				t.Errorf("a writer of what is there: %v", err)
			}
			if w, err := s.Writer(); err != nil || w.Root.Path != root.Path {
				t.Errorf("a writer: %v", err)
			}
			if made, err := s.Complete(); tt.planned && made != (err == nil) || !tt.planned && made {
				t.Errorf("completed: %v, %v", made, err)
			} else if made {
				defer os.RemoveAll(root.Path)
			}
			all, err := Open(tt.options).Roots()
			if tt.planned {
				all, err = s.Roots() // as it was opened, before the root was made
			}
			var scopes []files.Scope
			for _, r := range all {
				scopes = append(scopes, r.Scope)
			}
			if (err != nil) != tt.fails || err == nil && !slices.Equal(scopes, tt.roots) {
				t.Errorf("asks %q (%v), want %q", scopes, err, tt.roots)
			}
		})
	}
}

// realPath is a path without links, of which the last parts may not exist.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, os.ErrNotExist) {
		parent, err := realPath(filepath.Dir(path))
		return filepath.Join(parent, filepath.Base(path)), err
	}
	return real, err
}

func writeUserRoot(t *testing.T, path string, others []string) {
	t.Helper()
	data, err := json.Marshal(map[string]any{"sources": map[string]any{"roots": others}})
	if err == nil {
		_, err = files.Init(path)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(path, files.ConfigName), data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
