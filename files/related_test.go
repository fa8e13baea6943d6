package files_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memctl/files"
	"memctl/files/systemtest"
)

func TestGone(t *testing.T) {
	project := t.TempDir()
	if err := os.WriteFile(filepath.Join(project, "main.go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	root := files.Root{Project: project}
	wants := map[string]bool{
		"main.go": false, "./main.go": false, "gone.go": true, "folder/gone.go": true, "main.go/x": runtime.GOOS == "windows",
		"": false, "/no/such/file": false, "../gone.go": false, "~/gone.go": false,
		".git/gone": false, "src/**/*.go": false,
		strings.Repeat("x", files.MaxPath+1): false, "a\x00b": false,
	}
	if systemtest.HasLinks() {
		systemtest.Symlink(t, os.TempDir(), filepath.Join(project, "link"))
		wants["link/gone.go"] = false
	}
	for file, want := range wants {
		if got := root.Gone(file); got != want {
			t.Errorf("Gone(%.40q) = %v, want %v", file, got, want)
		}
	}
}
