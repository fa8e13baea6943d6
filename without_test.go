package memctl_test

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// featureLine is the import of a feature in featureList.
var featureLine = regexp.MustCompile(`(?m)^\t(?:(\w+) )?"memctl/(features/(\w+))"\n`)

// The program compiles without its features: without their folders and their lines. With MEMCTL_SOAK it does without
// each in turn, and without those that show it.
func TestProgramBuildsWithoutEachFeature(t *testing.T) {
	list, err := os.ReadFile(featureList)
	if err != nil {
		t.Fatal(err)
	}
	lines := featureLine.FindAllStringSubmatch(string(list), -1)
	if len(lines) < 8 {
		t.Fatalf("found only %d features in %s", len(lines), featureList)
	}
	turns := []string{""} // without all
	for _, line := range lines {
		if os.Getenv("MEMCTL_SOAK") != "" {
			turns = append(turns, line[2])
		}
	}
	for _, feature := range turns {
		t.Run(path.Base(feature), func(t *testing.T) {
			t.Parallel()
			without, left := string(list), map[string]string{}
			for _, other := range lines {
				if feature != "" && other[2] != feature && !slices.Contains(shows[other[2]], feature) {
					continue
				}
				without = strings.Replace(without, other[0], "", 1)
				call := regexp.MustCompile(`(?m)^\t\t` + cmp.Or(other[1], other[3]) + `\.Feature\(\),\n`)
				if !call.MatchString(without) {
					t.Fatalf("%s lists no %s", featureList, other[3])
				}
				without = call.ReplaceAllString(without, "")
				leaveOut(t, other[2], left)
			}
			left[featureList] = filepath.Join(t.TempDir(), "features.go")
			if err := os.WriteFile(left[featureList], []byte(without), 0o600); err != nil {
				t.Fatal(err)
			}
			compile(t, left)
		})
	}
}

// leaveOut makes the Go files of a folder missing from a build.
func leaveOut(t *testing.T, folder string, left map[string]string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".go") {
			left[path] = ""
		}
		return err
	})
	if err != nil || len(left) == 0 {
		t.Fatal(folder, err)
	}
}

// compile compiles the program with some files replaced, and does not link it.
func compile(t *testing.T, replaced map[string]string) {
	t.Helper()
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "list", "-export", "-overlay", file, "-tags", "urfave_cli_no_docs", "./cmd/memctl").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
