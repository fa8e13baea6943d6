package files

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"memctl/files/systemtest"
	"memctl/schemas"
)

// A sparse file costs nothing to make, and everything to read.
func sparse(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40)); err != nil {
		t.Fatal(err)
	}
}

func TestFilesHaveLimits(t *testing.T) {
	root := Root{Path: t.TempDir()}
	sparse(t, root.Join(ConfigName))
	cfg, warnings, err := root.Config()
	if err != nil || len(warnings) != 1 || cfg.Retrieval != schemas.DefaultConfig().Retrieval {
		t.Errorf("the configuration: warnings %v, error %v", warnings, err)
	}
	sparse(t, root.Join(SynonymsName))
	if _, err := root.ReadSynonyms(); !errors.Is(err, ErrTooLarge) {
		t.Errorf("the synonyms: %v", err)
	}
	sparse(t, root.Join("decisions/a.json"))
	if _, err := root.ReadFile("decisions/a.json"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a memory: %v", err)
	}
	sparse(t, root.Join("observations/a.jsonl"))
	sessions, err := root.OpenSessions()
	if err != nil {
		t.Fatal(err)
	}
	defer sessions.Close()
	if _, _, err := sessions.Open("a.jsonl"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("observations: %v", err)
	}
	if err := root.AppendToSession("a.jsonl", []byte("{}\n")); !errors.Is(err, ErrTooLarge) {
		t.Errorf("append to observations: %v", err)
	}
}

func TestConfigStaysInTheRoot(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.json")
	if err := os.WriteFile(outside, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, target := range []string{outside, os.DevNull} {
		root := Root{Path: t.TempDir()}
		systemtest.Symlink(t, target, root.Join(ConfigName))
		if _, err := root.ReadConfig(); err == nil {
			t.Errorf("read the configuration through a link to %s", target)
		}
	}
	root := Root{Path: t.TempDir()}
	write(t, root.Join("team.json"), "{}")
	systemtest.Symlink(t, "team.json", root.Join(ConfigName))
	if data, err := root.ReadConfig(); err != nil || string(data) != "{}" {
		t.Errorf("a link in the root: %q, %v", data, err)
	}
}
