package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// named matches a checksum and the URL above it, in every manifest.
var named = regexp.MustCompile(`(?s)"?(?i:url|InstallerUrl)"?:? "?(\S+?/(memctl_\w+(?:\.\w+)*\.(?:zip|tar\.gz)))"?,?\s+"?(?:sha256|hash|InstallerSha256)"?:? "?([0-9a-f]{64})`)

// The manifests name the archives of the systems that they are for, with their checksums.
func TestManifestsOfRelease(t *testing.T) {
	for name, want := range map[string]int{"homebrew/memctl.rb": 4, "scoop/memctl.json": 2, "winget/memctl.memctl.installer.yaml": 2} {
		data := read(t, name)
		found := named.FindAllStringSubmatch(data, -1)
		if len(found) != want {
			t.Errorf("%s names %d archives, want %d:\n%s", name, len(found), want, data)
		}
		for _, archive := range found {
			if got := sum([]byte(read(t, archive[2]))); got != archive[3] {
				t.Errorf("%s: the checksum of %s is %s, not %s", name, archive[2], got, archive[3])
			}
			if !strings.HasSuffix(archive[1], "/releases/download/v"+versionOf(t)+"/"+archive[2]) {
				t.Errorf("%s: %s is not below the release", name, archive[1])
			}
		}
	}
	var scoop map[string]any
	if err := json.Unmarshal([]byte(read(t, "scoop/memctl.json")), &scoop); err != nil {
		t.Error(err)
	}
	for _, part := range []string{"", ".installer", ".locale.en-US"} {
		var winget struct {
			Identifier string `yaml:"PackageIdentifier"`
			Version    string `yaml:"PackageVersion"`
		}
		err := yaml.Unmarshal([]byte(read(t, "winget/memctl.memctl"+part+".yaml")), &winget)
		if err != nil || winget.Identifier != "memctl.memctl" || winget.Version != versionOf(t) {
			t.Errorf("winget%s: %+v, %v", part, winget, err)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dist(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checksums.txt has every file of the release.
func TestChecksumsOfRelease(t *testing.T) {
	sums := map[string]string{}
	for line := range strings.Lines(read(t, "checksums.txt")) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	err := filepath.WalkDir(dist(t), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "checksums.txt" {
			return err
		}
		name, err := filepath.Rel(dist(t), path)
		if err != nil {
			return err
		}
		digest := sha256.Sum256([]byte(read(t, name)))
		if got := hex.EncodeToString(digest[:]); sums[filepath.ToSlash(name)] != got {
			t.Errorf("%s has the checksum %s, listed is %q", name, got, sums[name])
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// bill is what a test reads of a bill of materials.
type bill struct {
	Components []struct {
		Name, Version string
		Licenses      []struct{ License struct{ ID string } }
	}
	Dependencies []struct{ DependsOn []string }
}

func TestBillIsJSON(t *testing.T) {
	p := platform{OS: "linux", Arch: "amd64", programs: []program{{name: "memctl", modules: []module{
		{Path: "std", Version: "1.26", SPDX: []string{"BSD-3-Clause"}}, {Path: "example.org/two", Version: "v1.0.0", SPDX: []string{"MIT", "Apache-2.0"}},
	}}}}
	data, err := (&release{Version: "0.2.0"}).bill(p)
	if err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(data, &b); err != nil || len(b.Components) != 2 || len(b.Dependencies[0].DependsOn) != 2 {
		t.Fatalf("%v of %s", err, data)
	}
	// In the order of the paths.
	if c := b.Components[0]; c.Name != "example.org/two" || c.Version != "v1.0.0" || c.Licenses[1].License.ID != "Apache-2.0" {
		t.Errorf("%+v", c)
	}
}

// The bill of materials has every module that "go version -m" finds in the programs.
func TestBillOfRelease(t *testing.T) {
	var b bill
	if err := json.Unmarshal([]byte(read(t, filepath.Base(artifact(t, forHere+".cdx.json")))), &b); err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, c := range b.Components {
		listed[c.Name+" "+c.Version] = true
		if len(c.Licenses) == 0 {
			t.Errorf("%s has no licence", c.Name)
		}
	}
	s := newScratch(t)
	s.run(s.home, "tar", "-xzf", artifact(t, forHere+".tar.gz"), "--strip-components=1")
	modules := map[string]bool{}
	for _, line := range strings.Split(s.run(s.home, "go", "version", "-m", s.home), "\n") {
		fields := strings.Fields(line)
		if len(fields) > 2 && fields[0] == "dep" && fields[1] != "memctl" { // what is released is no part of itself
			modules[fields[1]+" "+fields[2]] = true
		}
	}
	for m := range modules {
		if !listed[m] {
			t.Errorf("%s is not listed", m)
		}
	}
	if len(modules) < 10 || len(b.Components) != len(modules)+1 {
		t.Errorf("%d components for %d modules and the standard library", len(b.Components), len(modules))
	}
}
